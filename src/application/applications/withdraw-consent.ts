import { isClientUrl } from '../../contract/applications/unregistered-clients.ts'
import { refuseWith } from '../../contract/refused.ts'
import {
  type ConsentKey,
  clientWithdrawalStatements,
  consentWithdrawalStatements,
  hasWithdrawable,
} from '../../storage/applications/consents.ts'
import { commitChange } from '../../storage/commit.ts'
import { accountNotifications, type OwnCall } from '../account/own-call.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { consentWithdrawnNotification } from '../hooks/own-change-events.ts'

/**
 * Withdraws a user's consent to a third-party application, and revokes everything issued on the basis of the consent
 * (spec/provider#withdrawal).
 */
export async function withdrawConsent(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { audit, own, ...key }: ConsentKey & { audit: AuditEntry; own?: OwnCall },
): Promise<void> {
  const { db } = dependencies
  const notifications = accountNotifications(dependencies, key.tenantId, own)
  const entry = audit.success()
  const { consents, grants, outboxIds } = await commitChange(db, {
    tenantId: key.tenantId,
    condition: hasWithdrawable(key),
    audit: entry,
    outbox: notifications.outbox(consentWithdrawnNotification(key.applicationId), entry),
    statements: isClientUrl(key.applicationId)
      ? clientWithdrawalStatements(db, key)
      : consentWithdrawalStatements(db, key),
  })
  if (consents.length + grants.length === 0) refuseWith('entity.not_found')
  notifications.send(outboxIds)
}
