import { refuseWith } from '../contract/refused.ts'
import { commitChange } from '../storage/commit.ts'
import { forgetBrowser, isTrustedBrowser } from '../storage/trusted-browsers.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Dependencies } from './dependencies.ts'

/** A browser of the user is not trusted any more (spec/accounts#trusted-browser). */
export async function forgetOwnBrowser(
  { db }: Pick<Dependencies, 'db'>,
  { tenantId, audit, ...key }: { tenantId: string; userId: string; id: string; audit: AuditEntry },
): Promise<void> {
  const { forgotten } = await commitChange(db, {
    tenantId,
    condition: isTrustedBrowser(tenantId, key),
    audit: audit.success(),
    statements: { forgotten: forgetBrowser(db, tenantId, key) },
  })
  if (forgotten.length === 0) refuseWith('entity.not_found')
}
