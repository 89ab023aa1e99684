import { refuseWith } from '../../contract/refused.ts'
import { commitChange } from '../../storage/commit.ts'
import { isFailedDelivery, resendDelivery } from '../../storage/hooks/outbox.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'

type Resend = { tenantId: string; hookId: string; id: string; audit: AuditEntry }

/** Starts the attempts of a failed delivery anew; the caller sends it after the answer (spec/management#hook-deliveries). */
export async function resendFailedDelivery(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { tenantId, hookId, id, audit }: Resend,
): Promise<void> {
  const { resent } = await commitChange(db, {
    tenantId,
    condition: isFailedDelivery({ tenantId, id }, hookId),
    audit: audit.success(),
    statements: { resent: resendDelivery(db, { tenantId, id, hookId, now: now() }) },
  })
  if (resent.length === 0) refuseWith('entity.not_found')
}
