import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { CountedEndpoint, FailedRequests } from '../../../contract/failed-requests.schema.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { listFailedRequests } from '../../../storage/failed-requests.ts'
import { pageResponse, paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import { createManagementCallDeclarer, type ManagementGuard, managementRouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Logs')

const listCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'listFailedRequests',
  summary: 'List failed requests',
  description:
    'Returns how many authorization and token requests were rejected, and how many API calls were rejected ' +
    'by a rate limit (`interaction`, `account`, `management`), by hour, application, endpoint and error, ' +
    'newest hour first. They have no entries in the audit log. Also counted are rejected calls of ' +
    'sign-ins in which nothing was proven, such sign-ins that expired (`interaction.abandoned`), and ' +
    'their events for which the audit log had no room (`log.not_written`), and authorization requests of ' +
    'third parties that got no refresh token, because they lacked `prompt=consent` ' +
    '(`offline_access.dropped`). `applicationId` is null for ' +
    'requests from unknown clients; an empty `applicationId` filters for these. Responses to silent ' +
    'requests (such as `login_required`) are not counted.',
  request: {
    query: z.object({
      ...paginationQuery,
      applicationId: storableText(128).optional(),
      endpoint: CountedEndpoint.optional(),
      error: storableText(64).optional(),
    }),
  },
  responses: { 200: pageResponse('A page of counts', FailedRequests.meta({ id: 'FailedRequests' })) },
})

export function failedRequestRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard).openapi(listCall, async (c) => {
    const page = readPage(c)
    const { applicationId, endpoint, error } = c.req.valid('query')
    const { failures, ...total } = await listFailedRequests(dependencies.db, c.var.tenantId, {
      ...page,
      applicationId,
      endpoint,
      error,
    })
    setPageHeaders(c, page, { ...total, length: failures.length })
    return c.json(failures, 200)
  })
}
