import type { Context, MiddlewareHandler } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import { z } from 'zod'
import type { Principal } from '../../application/access/management-token.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { ManagementScope } from '../../contract/access/management-scopes.ts'
import { ADMIN_ROLE, MANAGEMENT_SCOPE } from '../../contract/product.ts'
import { refuseWith } from '../../contract/refused.ts'
import { storableText } from '../../contract/text.schema.ts'
import { remainingOwnerPrecondition } from '../../storage/access/administration.ts'
import type { Precondition } from '../../storage/preconditions.ts'
import { type AuditVariables, auditTrail } from '../audit-trail.ts'
import { acceptJsonBody, limitApiBodySize } from '../bodies.ts'
import { limitCalls } from '../calls-limited.ts'
import { createCallDeclarer, guardedRouter } from '../guard.ts'
import { refuseRepeatedQueryValues } from '../single-query-values.ts'
import { PAGINATION_HEADERS } from './pagination.ts'

type ManagementVariables = AuditVariables & {
  principal: Principal
  /** The scopes that the call accepts, limited to those that the token contains and its owner still has. */
  scopes: ReadonlySet<string>
}
export type ManagementContext = Context<{ Variables: ManagementVariables }>

/** Authenticates the caller or rejects the call (`authentication.ts`). */
export type ManagementGuard = MiddlewareHandler<{ Variables: ManagementVariables }>

/** Creates a management API router for JSON bodies. */
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

/** Creates a management API router for other bodies. The caller is authenticated before the body is read. */
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

/** Creates a router without a guard, to be mounted under a guarded router. */
export const managementSubrouter = () => guardedRouter<{ Variables: ManagementVariables }>()

/**
 * Returns an OpenAPI note that a call requires a recent sign-in, either always or for a change such as `changes the
 * username`.
 */
export const describeRecentSignIn = (change = 'calls it'): string =>
  `A user who ${change} must have signed in within the last hour (401 ` +
  '`auth.insufficient_user_authentication` with the challenge of RFC 9470).'

/** Reports whether the token includes a scope. Some fields are returned only to callers with a certain scope. */
export const hasScopeFor = ({ var: { scopes } }: ManagementContext, scope: ManagementScope): boolean =>
  scopes.has(scope) || scopes.has(MANAGEMENT_SCOPE.name)

/** Requires the scope `all` for changes that callers could use to grant themselves any permission. */
export function requireFullAccess(c: ManagementContext): void {
  throwIfScopesMissing(c, c.var.scopes.has(MANAGEMENT_SCOPE.name) ? [] : [MANAGEMENT_SCOPE.name])
}

/** Rejects the call if the caller lacks any of these scopes. */
export function throwIfScopesMissing(c: ManagementContext, scopes: readonly string[]): void {
  if (scopes.length === 0) return
  c.header('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`)
  refuseWith('auth.forbidden', { scopes })
}

/**
 * Returns the precondition for a change that may remove an owner of the tenant: if the caller is an administrator, at
 * least one other owner must remain (spec/management#last-owner). If `roleId` is set, the change removes only that
 * role. Applications are exempt, because they can create another owner.
 */
export function lastOwnerGuard(
  c: ManagementContext,
  { userId, roleId = ADMIN_ROLE.id }: { userId: string; roleId?: string },
): Precondition[] {
  const { principal, tenantId } = c.var
  const isExempt = principal.type === 'app' || roleId !== ADMIN_ROLE.id
  return isExempt ? [] : [remainingOwnerPrecondition(tenantId, userId)]
}

/** A 304 response has the headers that the 200 response would have had (RFC 9110 §15.4.5). */
const withEntityTag = etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...PAGINATION_HEADERS] })

/**
 * Returns the function that declares management API calls with this tag. `scheme` is the security scheme of the
 * accepted tokens.
 */
export const createManagementCallDeclarer = (tag: string, scheme: 'management' | 'services' = 'management') =>
  createCallDeclarer(
    { tags: [tag], security: [{ [scheme]: [] }] },
    { always: [400, 401, 403, 429, 500, 503], withBody: [413, 415] },
  )

export const idParam = z.object({ id: storableText(128) })
