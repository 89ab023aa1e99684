import type { Context, MiddlewareHandler } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { z } from 'zod'
import type { Principal } from '../../application/access/management-token.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { ManagementScope } from '../../contract/access/management-scopes.ts'
import { ADMIN_ROLE, MANAGEMENT_SCOPE } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { storableText } from '../../contract/text.schema.ts'
import { requiresRemainingOwner } from '../../storage/access/administration.ts'
import type { Precondition } from '../../storage/preconditions.ts'
import { type AuditVariables, auditTrail } from '../audit-trail.ts'
import { boundedBody, jsonBody } from '../bodies.ts'
import { callsLimited } from '../calls-limited.ts'
import { callsOf, guardedRouter } from '../guard.ts'
import { singleQueryValues } from '../single-query-values.ts'
import { TOTAL_HEADERS } from './pagination.ts'

type ManagementVariables = AuditVariables & {
  principal: Principal
  /** Those of the guard's scopes that the token has and its owner still has. */
  scopes: ReadonlySet<string>
}
export type ManagementContext = Context<{ Variables: ManagementVariables }>

/** Authenticates the caller, or refuses (`authentication.ts`). */
export type ManagementGuard = MiddlewareHandler<{ Variables: ManagementVariables }>

/** A router of the management API, for JSON bodies. */
export function managementRouter(
  dependencies: Dependencies,
  guard: ManagementGuard,
  bodyLimit = boundedBody,
) {
  const routes = guardedRouterFor(dependencies, guard)
  routes.use(bodyLimit)
  routes.on(['POST', 'PUT', 'PATCH'], '*', jsonBody)
  return routes
}

/** For other bodies. The caller is authenticated before a body is read. */
export function guardedRouterFor(dependencies: Dependencies, guard: ManagementGuard) {
  const routes = mountedRouter()
  const audited = auditTrail<ManagementVariables>(dependencies, {
    endpoint: 'management',
    applicationOf: ({ var: { principal } }) => (principal?.type === 'app' ? principal.id : undefined),
  })
  // Outside the audit trail, which would count the refusal by a write.
  routes.use(callsLimited(dependencies, 'management '), answersWithTag, audited, guard, singleQueryValues)
  return routes
}

/** A router to be mounted below one of the others, whose guard stands before it. */
export const mountedRouter = () => guardedRouter<{ Variables: ManagementVariables }>()

/** For the descriptions of calls that need it, each time or for a change such as `changes the username`. */
export const needsRecentSignIn = (change = 'calls it'): string =>
  `A user who ${change} needs a sign-in of the last hour (401 \`auth.insufficient_user_authentication\` with the challenge of RFC 9470).`

/** Whether the token opens the calls of a scope, for what an answer shows. */
export const mayCall = ({ var: { scopes } }: ManagementContext, scope: ManagementScope): boolean =>
  scopes.has(scope) || scopes.has(MANAGEMENT_SCOPE.name)

/** For what would let a caller do anything. */
export function requireAll(c: ManagementContext): void {
  refuseLacked(c, c.var.scopes.has(MANAGEMENT_SCOPE.name) ? [] : [MANAGEMENT_SCOPE.name])
}

/** The scopes that a caller lacks, if any. */
export function refuseLacked(c: ManagementContext, scopes: readonly string[]): void {
  if (scopes.length === 0) return
  c.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`)
  refuseWith('auth.forbidden', { scopes })
}

/**
 * For a change that may take an owner from the tenant: an administrator leaves one behind (spec/management#last-owner). With
 * `roleId` only this role is taken. An application locks nobody out: it can make another.
 */
export function lastOwnerGuard(
  c: ManagementContext,
  { userId, roleId = ADMIN_ROLE.id }: { userId: string; roleId?: string },
): Precondition[] {
  const { principal, tenantId } = c.var
  const isFree = principal.type === 'app' || roleId !== ADMIN_ROLE.id
  return isFree ? [] : [requiresRemainingOwner(tenantId, userId)]
}

/** A 304 carries the headers that the 200 would have had (RFC 9110 §15.4.5). */
const answersWithTag = etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...TOTAL_HEADERS] })

/** How calls of the management API with a tag are declared; `scheme` is that of the tokens that open them. */
export const managementCalls = (tag: string, scheme: 'management' | 'services' = 'management') =>
  callsOf(
    { tags: [tag], security: [{ [scheme]: [] }] },
    { always: [400, 401, 403, 429, 500, 503], withBody: [413, 415] },
  )

export const idParam = z.object({ id: storableText(128) })
