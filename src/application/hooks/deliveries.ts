import type { HookResponse } from '../../outbound/hooks/webhook.ts'
import type { NoticeOwner } from '../../storage/connectors/notices.ts'
import type { HookRow } from '../../storage/hooks/hooks.ts'

/** Delivers outbox rows (spec/storage#outbox) and notices (spec/storage#notices) to their receivers. */
export type Deliveries = {
  /** Sends these deliveries after a response, each with its immediate retries. */
  send(tenantId: string, ids: readonly string[]): Promise<void>
  /** Sends the user's notices after a response, making one attempt for each. */
  sendNotices(owner: NoticeOwner): Promise<void>
  /** Sends everything that is due in all tenants, making one attempt for each. Scheduled maintenance calls this. */
  sendDue(): Promise<{ delivered: number; failed: number }>
  /** Sends one message to a hook and writes its audit row. The message is not in the outbox and is not retried. */
  sendToHook(hook: HookRow, id: string, payload: Record<string, unknown>): Promise<DeliveryReport>
}

export type DeliveryReport = {
  result: 'Success' | 'Error'
  response?: HookResponse | undefined
  error?: string | undefined
}
