import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { SentMessageSchema } from '../../../contract/connectors/message-log.schema.ts'
import { describeMessage, lastMessagesQuery, readNewestMessages } from '../../../storage/service-logs.ts'
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
    'that sent them and the response of the provider. Addresses are masked; codes are not stored. With ' +
    '`latest=true`, returns only the newest message of each kind of connector, among the newest 1,000.',
  request: { query: z.object({ latest: z.enum(['true', 'false']).optional() }) },
  responses: { 200: jsonResponse('The messages', z.array(SentMessageSchema.meta({ id: 'SentMessage' }))) },
})

export function messageRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db } = dependencies
  return managementRouter(dependencies, guard).openapi(listCall, async (c) => {
    const { tenantId } = c.var
    return c.req.valid('query').latest === 'true'
      ? c.json((await lastMessagesQuery(db, tenantId)).map(describeMessage), 200)
      : c.json(await readNewestMessages(db, tenantId), 200)
  })
}
