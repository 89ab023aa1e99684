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

/** A router of the management API, for bodies of JSON. */
export function managementRouter(dependencies: Dependencies, guard: Guard, bodyLimit = boundedBody) {
  const routes = guardedRouterFor(dependencies, guard)
  routes.use(bodyLimit)
  routes.on(['POST', 'PUT', 'PATCH'], '*', jsonBody)
  return routes
}

/** For other bodies: who calls is known before one is looked at. */
export function guardedRouterFor(dependencies: Dependencies, guard: Guard) {
  const routes = guardedRouter<{ Variables: ManagementVariables }>()
  routes.use(answersWithTag, auditTrail(dependencies), guard)
  return routes
}

/** A 304 must say all that the 200 would have said beside its body (RFC 9110 §15.4.5). */
const answersWithTag = etag({ retainedHeaders: [...RETAINED_304_HEADERS, ...TOTAL_HEADERS] })

/** What all declarations have in common. */
export const guarded = { security: [{ management: [] }] }
export const always = refusals(400, 401, 403, 500, 503)
export const alwaysWithBody = { ...always, ...refusals(413, 415) }

export const idParam = z.object({ id: text(128) })
