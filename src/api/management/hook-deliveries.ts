import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { DeliveryReport, HookDelivery } from '../../contract/hooks.schema.ts'
import { type HookEvent, hookEventOf } from '../../contract/hooks.ts'
import { interactionEvents } from '../../contract/identifiers.ts'
import { refuseWith } from '../../contract/refused.ts'
import { text } from '../../contract/text.schema.ts'
import { afterAnswer } from '../../storage/background.ts'
import { getHook } from '../../storage/hooks.ts'
import {
  isFailedDelivery,
  listFailedDeliveries,
  newDeliveryId,
  resendDelivery,
} from '../../storage/outbox.ts'
import { answer, guardedRouter, refusals } from '../guard.ts'
import type { ManagementVariables } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { announce, page, pageQuery, readPage } from './pagination.ts'
import { always, guarded, idParam } from './router.ts'

const tags = ['Hooks']

const testCall = createRoute({
  method: 'post',
  path: '/{id}/test',
  tags,
  ...guarded,
  summary: 'Send a hook a message about an invented user, and hear what it answers',
  request: { params: idParam },
  responses: {
    200: answer('What came of it', DeliveryReport.openapi('DeliveryReport')),
    ...always,
    ...refusals(404),
  },
})
const listCall = createRoute({
  method: 'get',
  path: '/{id}/deliveries',
  tags,
  ...guarded,
  summary: 'List what a hook could not be told within 24 hours, newest first',
  request: { params: idParam, query: z.object(pageQuery) },
  responses: {
    200: page('Failed deliveries', HookDelivery.openapi('HookDelivery')),
    ...always,
    ...refusals(404),
  },
})
const resendCall = createRoute({
  method: 'post',
  path: '/{id}/deliveries/{deliveryId}/resend',
  tags,
  ...guarded,
  summary: 'Try a failed delivery again, for another 24 hours',
  request: { params: idParam.extend({ deliveryId: text(64) }) },
  responses: { 204: { description: 'On its way' }, ...always, ...refusals(404) },
})

/** What became of what hooks were to be told (decision 18). Below /hooks, whose router has the gate. */
export function hookDeliveryRoutes(dependencies: Dependencies) {
  const { db, now, deliveries } = dependencies

  return guardedRouter<{ Variables: ManagementVariables }>()
    .openapi(testCall, async (c) => {
      const { id } = c.req.valid('param')
      const hook = await getHook(db, c.var.tenantId, id)
      if (!hook) refuseWith('entity.not_exists_with_id', { id })
      const message = sample(id, hook.event, { now: now(), userAgent: c.req.header('user-agent') })
      return c.json(await deliveries.sendToHook(hook, newDeliveryId(), message), 200)
    })
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      const asked = readPage(c)
      const found = await listFailedDeliveries(db, c.var.tenantId, id, asked)
      if (!found.isHook) refuseWith('entity.not_exists_with_id', { id })
      announce(c, asked, { ...found, length: found.deliveries.length })
      const answered = found.deliveries.map((delivery) => {
        const { id, event, status, attempts, payload, createdAt } = delivery
        return { id, event, status, attempts, payload, createdAt }
      })
      return c.json(answered, 200)
    })
    .openapi(resendCall, async (c) => {
      const { id: hookId, deliveryId: id } = c.req.valid('param')
      const { tenantId } = c.var
      note(c, 'Management.Hook.Update', { hookId, resent: id })
      const [, resent] = await db.batch([
        auditRow(dependencies, c, isFailedDelivery({ tenantId, id }, hookId)),
        resendDelivery(db, { tenantId, id, hookId, now: now() }),
      ])
      if (resent.length === 0) refuseWith('entity.not_found')
      afterAnswer(c.executionCtx, c.var, () => deliveries.send(tenantId, [id]))
      return c.body(null, 204)
    })
}

/** Of the shape of contract 2.9, about nobody. */
function sample(
  hookId: string,
  event: HookEvent,
  { now, userAgent }: { now: number; userAgent?: string | undefined },
) {
  return {
    hookId,
    event,
    interactionEvent: interactionEvents.find((name) => hookEventOf[name] === event),
    createdAt: new Date(now).toISOString(),
    sessionId: 'test',
    userAgent,
    userId: 'test',
    user: {
      id: 'test',
      username: 'test',
      primaryEmail: 'test@example.com',
      primaryPhone: '15550100',
      name: 'Test User',
      avatar: null,
      customData: {},
      identities: {},
      lastSignInAt: now,
      createdAt: now,
      applicationId: null,
      isSuspended: false,
    },
    application: { id: 'test', type: 'SPA', name: 'Test Application', description: null },
  }
}
