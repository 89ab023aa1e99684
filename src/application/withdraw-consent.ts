import { refuseWith } from '../contract/refused.ts'
import { commitChange } from '../storage/commit.ts'
import { type ConsentKey, consentWithdrawal, isConsented } from '../storage/consents.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Dependencies } from './dependencies.ts'

/** What a user has granted to an application of a third party ends, with everything issued under it (spec/provider#withdrawal). */
export async function withdrawConsent(
  { db }: Pick<Dependencies, 'db'>,
  { audit, ...key }: ConsentKey & { audit: AuditEntry },
): Promise<void> {
  const { consents } = await commitChange(db, {
    tenantId: key.tenantId,
    condition: isConsented(key),
    audit: audit.success(),
    statements: consentWithdrawal(db, key),
  })
  if (consents.length === 0) refuseWith('entity.not_found')
}
