import { refuseWith } from '../../contract/refused.ts'
import { cancelDeletion, isPending } from '../../storage/account/account-deletions.ts'
import { commitChange } from '../../storage/commit.ts'
import type { AuditEntry } from '../audit-entry.ts'
import { noticeOf } from '../connectors/notices.ts'
import type { Dependencies } from '../dependencies.ts'

type Message = Parameters<typeof noticeOf>[0]
type Cancellation = { tenantId: string; userId: string; message: Message; audit: AuditEntry }

/** By an operator. */
export async function cancelUserDeletion(
  { db, now, deliveries }: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, userId, message, audit }: Cancellation,
): Promise<() => Promise<void>> {
  const owner = { tenantId, userId }
  const at = now()
  const { canceled, outboxIds } = await commitChange(db, {
    tenantId,
    condition: isPending(owner),
    audit: audit.success(),
    outbox: cancellationEvents(message, owner, at),
    statements: { canceled: cancelDeletion(db, owner, at) },
  })
  if (canceled.length === 0) refuseWith('entity.not_found')
  return async () => {
    await deliveries.sendNotices(owner)
    await deliveries.send(tenantId, outboxIds)
  }
}

export const cancellationEvents = (message: Message, { userId }: { userId: string }, now: number) => ({
  notice: noticeOf(message, {
    userId,
    type: 'DeletionCanceled',
    informed: [],
    reaches: 'formerAddresses',
    now,
  }),
  hooksBefore: [{ event: 'User.DeletionCanceled' as const, userId, now }],
})
