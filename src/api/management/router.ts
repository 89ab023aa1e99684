import { z } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import type { Dependencies } from '../../application/dependencies.ts'
import type { Principal } from '../../application/management-token.ts'
import { requireOperatorProof } from '../../application/operator-proof.ts'
import { storableText } from '../../contract/text.schema.ts'
import { type AuditVariables, auditTrail } from '../audit-trail.ts'
import { boundedBody, jsonBody } from '../bodies.ts'
import { declaredRefusals, guardedRouter } from '../guard.ts'
import { singleQueryValues } from '../single-query-values.ts'
import { TOTAL_HEADERS } from './pagination.ts'

export type ManagementVariables = AuditVariables & {
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
  routes.use(answersWithTag, audited, guard, singleQueryValues)
  return routes
}

/** A router to be mounted below one of the others, whose guard stands before it. */
export const mountedRouter = () => guardedRouter<{ Variables: ManagementVariables }>()

/**
 * Before the credentials or the roles of a user are changed, or what lets others in: a user who does it has signed in
 * lately (spec/management#operator-proof).
 */
export const requireRecentOperator = (
  dependencies: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  { var: { tenantId, principal } }: ManagementContext,
): Promise<void> => requireOperatorProof(dependencies, tenantId, principal)

/** A 304 carries the headers that the 200 would have had (RFC 9110 §15.4.5). */
const answersWithTag = etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...TOTAL_HEADERS] })

/** For every declaration of the management API. */
export const managementSecurity = { security: [{ management: [] }] }
export const managementRefusals = declaredRefusals(400, 401, 403, 500, 503)
export const managementRefusalsWithBody = { ...managementRefusals, ...declaredRefusals(413, 415) }

export const idParam = z.object({ id: storableText(128) })
