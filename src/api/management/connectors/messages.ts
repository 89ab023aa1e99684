import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../../application/dependencies.ts'
import { SentMessageSchema } from '../../../contract/connectors/message-log.schema.ts'
import { newestMessages } from '../../../storage/service-logs.ts'
import { jsonAnswer } from '../../guard.ts'
import { type ManagementGuard, managementRefusals, managementRouter, managementSecurity } from '../router.ts'

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags: ['Connectors'],
  ...managementSecurity,
  summary: 'List messages that were sent',
  description:
    'Answers the newest 100 e-mails and text messages of the tenant, newest first, by which connector they were sent and what the provider said. Addresses are masked; codes are not kept.',
  responses: {
    200: jsonAnswer('The messages', z.array(SentMessageSchema.meta({ id: 'SentMessage' }))),
    ...managementRefusals,
  },
})

export function messageRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard).openapi(listCall, async (c) =>
    c.json(await newestMessages(dependencies.db, c.var.tenantId), 200),
  )
}
