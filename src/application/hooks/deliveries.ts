import type { HookReply } from '../../outbound/hooks/webhook.ts'
import type { NoticeOwner } from '../../storage/connectors/notices.ts'
import type { HookRow } from '../../storage/hooks/hooks.ts'

/** How the rows of the outbox (spec/storage#outbox) and the notices (spec/storage#notices) reach their receivers. */
export type Deliveries = {
  /** After an answer: these at once, each with its quick retries. */
  send(tenantId: string, ids: readonly string[]): Promise<void>
  /** After an answer: the user's, one attempt each. */
  sendNotices(owner: NoticeOwner): Promise<void>
  /** From the schedule: all that are due, of all tenants, one attempt each. */
  sendDue(): Promise<{ delivered: number; failed: number }>
  /** One message to a hook, with its audit row. It is not in the outbox and is not repeated. */
  sendToHook(hook: HookRow, id: string, payload: Record<string, unknown>): Promise<DeliveryReport>
}

export type DeliveryReport = {
  result: 'Success' | 'Error'
  response?: HookReply | undefined
  error?: string | undefined
}
