import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { SentMessageSchema } from '../../../contract/connectors/message-log.schema.ts'
import { newestMessages } from '../../../storage/service-logs.ts'
import { jsonAnswer } from '../../guard.ts'
import { type ManagementGuard, managementCalls, managementRouter } from '../router.ts'

const declareCall = managementCalls('Connectors')

const listCall = declareCall({
  method: 'get',
  path: '/',
  summary: 'List messages that were sent',
  description:
    'Answers the newest 100 e-mails and text messages of the tenant, newest first, by which connector they were sent and what the provider said. Addresses are masked; codes are not kept.',
  answers: { 200: jsonAnswer('The messages', z.array(SentMessageSchema.meta({ id: 'SentMessage' }))) },
})

export function messageRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard).openapi(listCall, async (c) =>
    c.json(await newestMessages(dependencies.db, c.var.tenantId), 200),
  )
}
