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
import { acceptJsonBody, limitApiBodySize } from '../bodies.ts'
import { limitCalls } from '../calls-limited.ts'
import { callDeclarer, guardedRouter } from '../guard.ts'
import { refuseRepeatedQueryValues } from '../single-query-values.ts'
import { PAGINATION_HEADERS } from './pagination.ts'

type ManagementVariables = AuditVariables & {
  principal: Principal
  /** The scopes that the guard accepts for this call, as far as the token has them and its owner still has them. */
  scopes: ReadonlySet<string>
}
export type ManagementContext = Context<{ Variables: ManagementVariables }>

/** Authenticates the caller or rejects the call (`authentication.ts`). */
export type ManagementGuard = MiddlewareHandler<{ Variables: ManagementVariables }>

/** Creates a router of the management API for JSON bodies. */
export function managementRouter(
  dependencies: Dependencies,
  guard: ManagementGuard,
  bodyLimit = limitApiBodySize,
) {
  const routes = guardedManagementRouter(dependencies, guard)
  routes.use(bodyLimit)
  routes.on(['POST', 'PUT', 'PATCH'], '*', acceptJsonBody)
  return routes
}

/** Creates a router for bodies that are not JSON. The caller is authenticated before the body is read. */
export function guardedManagementRouter(dependencies: Dependencies, guard: ManagementGuard) {
  const routes = managementSubrouter()
  const audit = auditTrail<ManagementVariables>(dependencies, {
    endpoint: 'management',
    applicationOf: ({ var: { principal } }) => (principal?.type === 'app' ? principal.id : undefined),
  })
  // The rate limit comes before the audit trail, which would otherwise write a row for each rejected call.
  routes.use(limitCalls(dependencies, 'management '), withEntityTag, audit, guard, refuseRepeatedQueryValues)
  return routes
}

/** Creates a router to be mounted under another one, which applies the guard. */
export const managementSubrouter = () => guardedRouter<{ Variables: ManagementVariables }>()

/**
 * Describes, for OpenAPI, that a call requires a recent sign-in, either always or for a change such as `changes the
 * username`.
 */
export const describeRecentSignIn = (change = 'calls it'): string =>
  `A user who ${change} must have signed in within the last hour (401 ` +
  '`auth.insufficient_user_authentication` with the challenge of RFC 9470).'

/** Returns whether the token gives access to the calls of a scope, and thus to the fields that those calls return. */
export const hasScopeFor = ({ var: { scopes } }: ManagementContext, scope: ManagementScope): boolean =>
  scopes.has(scope) || scopes.has(MANAGEMENT_SCOPE.name)

/** Requires the scope `all` for changes through which callers could give themselves any permission. */
export function requireAllScope(c: ManagementContext): void {
  refuseMissingScopes(c, c.var.scopes.has(MANAGEMENT_SCOPE.name) ? [] : [MANAGEMENT_SCOPE.name])
}

/** Rejects the call if any of these scopes are missing. */
export function refuseMissingScopes(c: ManagementContext, scopes: readonly string[]): void {
  if (scopes.length === 0) return
  c.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`)
  refuseWith('auth.forbidden', { scopes })
}

/**
 * Returns the precondition for a change that may deprive the tenant of an owner: if the caller is an administrator, at
 * least one other owner must remain (spec/management#last-owner). With `roleId`, the change removes only that role.
 * Applications are exempt, because they can create another owner.
 */
export function lastOwnerGuard(
  c: ManagementContext,
  { userId, roleId = ADMIN_ROLE.id }: { userId: string; roleId?: string },
): Precondition[] {
  const { principal, tenantId } = c.var
  const isExempt = principal.type === 'app' || roleId !== ADMIN_ROLE.id
  return isExempt ? [] : [requiresRemainingOwner(tenantId, userId)]
}

/** A 304 response carries the headers that the 200 response would have had (RFC 9110 §15.4.5). */
const withEntityTag = etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...PAGINATION_HEADERS] })

/**
 * Returns the function that declares management API calls with this tag. `scheme` is the security scheme of the tokens
 * that they accept.
 */
export const managementCallDeclarer = (tag: string, scheme: 'management' | 'services' = 'management') =>
  callDeclarer(
    { tags: [tag], security: [{ [scheme]: [] }] },
    { always: [400, 401, 403, 429, 500, 503], withBody: [413, 415] },
  )

export const idParam = z.object({ id: storableText(128) })
