import type { HookResponse } from '../../outbound/hooks/webhook.ts'
import type { NoticeOwner } from '../../storage/connectors/notices.ts'
import type { HookRow } from '../../storage/hooks/hooks.ts'

/** Delivers outbox rows (spec/storage#outbox) and notices (spec/storage#notices) to their receivers. */
export type DeliveryService = {
  /** Sends these outbox rows after a response, including immediate retries. */
  send(tenantId: string, ids: readonly string[]): Promise<void>
  /** Sends the user's notices after a response, without retries. */
  sendNotices(owner: NoticeOwner): Promise<void>
  /**
   * Makes one attempt to send each delivery and notice that is due, in all tenants. Scheduled maintenance calls this.
   */
  sendDue(): Promise<{ delivered: number; failed: number }>
  /** Sends one message to a hook and writes its audit row. The message is not in the outbox and is not retried. */
  sendToHook(hook: HookRow, id: string, payload: Record<string, unknown>): Promise<DeliveryReport>
}

export type DeliveryReport = {
  result: 'Success' | 'Error'
  response?: HookResponse | undefined
  error?: string | undefined
}
