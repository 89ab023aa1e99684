import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { resendFailedDelivery } from '../../../application/hooks/manage.ts'
import { testHook } from '../../../application/hooks/test-hook.ts'
import { DeliveryReportSchema, HookDelivery } from '../../../contract/hooks/hooks.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { listFailedDeliveries } from '../../../storage/hooks/outbox.ts'
import { jsonAnswer } from '../../guard.ts'
import { backgroundOf } from '../../request-context.ts'
import { beginManagementAudit } from '../change.ts'
import { pageAnswer, paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import { idParam, managementCalls, mountedRouter } from '../router.ts'

const declareCall = managementCalls('Hooks')

const testCall = declareCall({
  method: 'post',
  path: '/{id}/test',
  summary: 'Send a test message to a hook',
  description:
    'Sends one signed message about an invented user to the address of a hook and answers what the receiver answered. It is sent once: a failure is reported in ' +
    'the answer (`result: Error`) and not retried. An unknown hook is refused with 404 `entity.not_exists_with_id`.',
  request: { params: idParam },
  answers: {
    200: jsonAnswer('The report of the delivery', DeliveryReportSchema.meta({ id: 'DeliveryReport' })),
  },
  refusals: [404],
})
const listCall = declareCall({
  method: 'get',
  path: '/{id}/deliveries',
  summary: 'List the failed deliveries of a hook',
  description:
    'Answers a page of the messages that could not be delivered within 24 hours, newest first, each with its payload. Messages that were delivered or are ' +
    'still retried are not listed.',
  request: { params: idParam, query: z.object(paginationQuery) },
  answers: { 200: pageAnswer('A page of failed deliveries', HookDelivery.meta({ id: 'HookDelivery' })) },
  refusals: [404],
})
const resendCall = declareCall({
  method: 'post',
  path: '/{id}/deliveries/{deliveryId}/resend',
  summary: 'Resend a failed delivery',
  description:
    'Sends a failed message again, at once and with retries for another 24 hours, under the same `webhook-id`, by which a receiver recognizes duplicates. ' +
    'A delivery that has not failed is refused with 404 `entity.not_found`.',
  request: { params: idParam.extend({ deliveryId: storableText(64) }) },
  answers: { 204: { description: 'The delivery is sent after the answer' } },
  refusals: [404],
})

/** Mounted below /hooks, behind the guard of its router. */
export function hookDeliveryRoutes(dependencies: Dependencies) {
  const { db, deliveries } = dependencies

  return mountedRouter()
    .openapi(testCall, async (c) => {
      const { id } = c.req.valid('param')
      const userAgent = c.req.header('user-agent')
      return c.json(await testHook(dependencies, { tenantId: c.var.tenantId, id, userAgent }), 200)
    })
    .openapi(listCall, async (c) => {
      const { id: hookId } = c.req.valid('param')
      const page = readPage(c)
      const {
        isHook,
        deliveries: failed,
        ...total
      } = await listFailedDeliveries(db, c.var.tenantId, hookId, page)
      if (!isHook) refuseWith('entity.not_exists_with_id', { id: hookId })
      setPageHeaders(c, page, { ...total, length: failed.length })
      const answered = failed.map(({ id, event, status, attempts, payload, createdAt }) => {
        return { id, event, status, attempts, payload, createdAt }
      })
      return c.json(answered, 200)
    })
    .openapi(resendCall, async (c) => {
      const { id: hookId, deliveryId: id } = c.req.valid('param')
      const { tenantId } = c.var
      const audit = beginManagementAudit(c, 'Management.Hook.Update', { hookId, resent: id })
      await resendFailedDelivery(dependencies, { tenantId, hookId, id, audit })
      backgroundOf(c)(() => deliveries.send(tenantId, [id]))
      return c.body(null, 204)
    })
}
