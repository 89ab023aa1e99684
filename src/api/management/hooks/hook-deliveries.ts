import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { resendFailedDelivery } from '../../../application/hooks/manage.ts'
import { testHook } from '../../../application/hooks/test-hook.ts'
import { DeliveryReportSchema, HookDelivery, HookTest } from '../../../contract/hooks/hooks.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { listFailedDeliveries } from '../../../storage/hooks/outbox.ts'
import { jsonResponse, optionalJsonBody } from '../../guard.ts'
import { createBackgroundRunner } from '../../request-context.ts'
import { beginManagementAudit } from '../change.ts'
import { pageResponse, paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import { createManagementCallDeclarer, idParam, managementSubrouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Hooks')

const testCall = declareCall({
  method: 'post',
  path: '/{id}/test',
  operationId: 'testHook',
  summary: 'Send a test message to a hook',
  description:
    'Sends one signed message about a fictional user to the URL of a hook and returns the response ' +
    'of the receiver. It is sent once: a failure is reported in the response (`result: Error`) and not ' +
    'retried. `event` chooses the event of the message, by default the first one of the hook. Responds ' +
    'with 404 `entity.not_exists_with_id` if the hook is unknown.',
  request: { params: idParam, body: optionalJsonBody(HookTest) },
  responses: {
    200: jsonResponse('The delivery report', DeliveryReportSchema.meta({ id: 'DeliveryReport' })),
  },
  refusals: [404],
})
const listCall = declareCall({
  method: 'get',
  path: '/{id}/deliveries',
  operationId: 'listHookDeliveries',
  summary: 'List the failed deliveries of a hook',
  description:
    'Returns a page of the messages that could not be delivered within 24 hours, newest first, each with ' +
    'its payload. Messages that were delivered or are still being retried are not listed.',
  request: { params: idParam, query: z.object(paginationQuery) },
  responses: { 200: pageResponse('A page of failed deliveries', HookDelivery.meta({ id: 'HookDelivery' })) },
  refusals: [404],
})
const resendCall = declareCall({
  method: 'post',
  path: '/{id}/deliveries/{deliveryId}/resend',
  operationId: 'resendHookDelivery',
  summary: 'Resend a failed delivery',
  description:
    'Sends a failed message again, immediately and with retries for another 24 hours, with the same ' +
    '`webhook-id`, which lets a receiver recognize duplicates. Responds with 404 `entity.not_found` if ' +
    'the delivery has not failed.',
  request: { params: idParam.extend({ deliveryId: storableText(64) }) },
  responses: { 204: { description: 'The delivery is sent after the response' } },
  refusals: [404],
})

/** Creates the routes for the deliveries of hooks, under /hooks. The parent router authorizes the calls. */
export function hookDeliveryRoutes(dependencies: Dependencies) {
  const { db, deliveries } = dependencies

  return managementSubrouter()
    .openapi(testCall, async (c) => {
      const { id } = c.req.valid('param')
      const { event } = c.req.valid('json') ?? {}
      const userAgent = c.req.header('user-agent')
      return c.json(await testHook(dependencies, { tenantId: c.var.tenantId, id, event, userAgent }), 200)
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
      const response = failed.map(({ id, event, status, attempts, payload, createdAt }) => {
        return { id, event, status, attempts, payload, createdAt }
      })
      return c.json(response, 200)
    })
    .openapi(resendCall, async (c) => {
      const { id: hookId, deliveryId: id } = c.req.valid('param')
      const { tenantId } = c.var
      const audit = beginManagementAudit(c, 'Management.Hook.Update', { hookId, resent: id })
      await resendFailedDelivery(dependencies, { tenantId, hookId, id, audit })
      createBackgroundRunner(c)(() => deliveries.send(tenantId, [id]))
      return c.body(null, 204)
    })
}
