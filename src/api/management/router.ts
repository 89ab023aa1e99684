import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { etag, RETAINED_304_HEADERS } from 'hono/etag'
import type { Dependencies } from '../../application/dependencies.ts'
import { text } from '../../contract/text.schema.ts'
import { auditTrail } from '../audit-trail.ts'
import { boundedBody, jsonBody } from '../bodies.ts'
import { guardedRouter, refusals } from '../guard.ts'
import type { Guard, ManagementVariables } from './authentication.ts'
import { TOTAL_HEADERS } from './pagination.ts'

export type ManagementContext = Context<{ Variables: ManagementVariables }>

/** A router of the management API, for JSON bodies. */
export function managementRouter(dependencies: Dependencies, guard: Guard, bodyLimit = boundedBody) {
  const routes = guardedRouterFor(dependencies, guard)
  routes.use(bodyLimit)
  routes.on(['POST', 'PUT', 'PATCH'], '*', jsonBody)
  return routes
}

/** For other bodies. The caller is authenticated before a body is read. */
export function guardedRouterFor(dependencies: Dependencies, guard: Guard) {
  const routes = guardedRouter<{ Variables: ManagementVariables }>()
  routes.use(answersWithTag, auditTrail(dependencies), guard)
  return routes
}

/** A 304 carries the headers that the 200 would have had (RFC 9110 §15.4.5). */
const answersWithTag = etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...TOTAL_HEADERS] })

/** For every declaration of the management API. */
export const managementSecurity = { security: [{ management: [] }] }
export const commonRefusals = refusals(400, 401, 403, 500, 503)
export const commonRefusalsWithBody = { ...commonRefusals, ...refusals(413, 415) }

export const idParam = z.object({ id: text(128) })
