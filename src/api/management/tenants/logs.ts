import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { LogSchema } from '../../../contract/logs.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { getLog, listLogs } from '../../../storage/log-list.ts'
import { jsonResponse } from '../../guard.ts'
import { pageResponse, paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import { createManagementCallDeclarer, idParam, type ManagementGuard, managementRouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Logs')

/** A time in milliseconds since the epoch, up to the last date that JavaScript can represent. */
const Time = z.coerce.number().int().min(0).max(8.64e15)
const LogResponse = LogSchema.meta({ id: 'Log' })

const listCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'listLogs',
  summary: 'List audit log entries',
  description:
    'Returns a page of the audit log, newest first: sign-ins, token requests, hook deliveries and ' +
    'changes through the API, including rejected ones. `userId`, `applicationId`, `interactionId` and ' +
    '`logKey` filter by exact values, `from` and `to` by time (epoch milliseconds, both included); an ' +
    'entry must match all filters that are given. Secrets are masked.',
  request: {
    query: z.object({
      ...paginationQuery,
      userId: storableText(128).optional(),
      applicationId: storableText(128).optional(),
      interactionId: storableText(128).optional(),
      logKey: storableText(128).optional(),
      from: Time.optional(),
      to: Time.optional(),
    }),
  },
  responses: { 200: pageResponse('A page of entries', LogResponse) },
})
const getCall = declareCall({
  method: 'get',
  path: '/{id}',
  operationId: 'getLog',
  summary: 'Get an audit log entry',
  description:
    'Returns one entry of the audit log by the id that the list shows. Responds with 404 ' +
    '`entity.not_exists_with_id` if the id is unknown or the entry was deleted after the retention time ' +
    'of the deployment.',
  request: { params: idParam },
  responses: { 200: jsonResponse('The entry', LogResponse) },
  refusals: [404],
})

export function logRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const page = readPage(c)
      const { logKey: key, userId, applicationId, interactionId, from, to } = c.req.valid('query')
      const filter = { userId, applicationId, interactionId, key, from, to }
      const { logs, ...total } = await listLogs(db, c.var.tenantId, { ...page, ...filter })
      setPageHeaders(c, page, { ...total, length: logs.length })
      return c.json(logs, 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      const log = await getLog(db, c.var.tenantId, id)
      return log ? c.json(log, 200) : refuseWith('entity.not_exists_with_id', { id })
    })
}
