import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { SentMessageSchema } from '../../../contract/connectors/message-log.schema.ts'
import { readNewestMessages } from '../../../storage/service-logs.ts'
import { jsonResponse } from '../../guard.ts'
import { createManagementCallDeclarer, type ManagementGuard, managementRouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Connectors')

const listCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'listSentMessages',
  summary: 'List sent messages',
  description:
    'Returns the latest 100 emails and text messages of the tenant, newest first, with the connector ' +
    'that sent them and the response of the provider. Addresses are masked; codes are not stored.',
  responses: { 200: jsonResponse('The messages', z.array(SentMessageSchema.meta({ id: 'SentMessage' }))) },
})

export function messageRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard).openapi(listCall, async (c) =>
    c.json(await readNewestMessages(dependencies.db, c.var.tenantId), 200),
  )
}
