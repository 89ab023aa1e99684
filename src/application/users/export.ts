import { commitChange } from '../../storage/commit.ts'
import { openTotpSecret } from '../../storage/factors/factors.ts'
import { type ExportRange, exportQuery } from '../../storage/users/user-export.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'

type ExportRequest = Omit<ExportRange, 'withTotpSecrets'> & {
  tenantId: string
  /** The audit entry for exporting authenticator secrets, or null to leave the secrets out. */
  secretsAudit: AuditEntry | null
}

/**
 * Returns a page of users in the import format (spec/management#user-export). A secret that cannot be decrypted is left
 * out (ADR-0061) and logged.
 */
export async function exportUsers(
  { db, seals }: Pick<Dependencies, 'db' | 'seals'>,
  { tenantId, after, limit, secretsAudit }: ExportRequest,
) {
  const rows = await exportQuery(db, tenantId, { after, limit, withTotpSecrets: secretsAudit !== null })
  if (secretsAudit) await commitChange(db, { tenantId, audit: secretsAudit.success(), statements: {} })
  const end = rows.at(-1)
  const users = await Promise.all(
    rows.map(async ({ last: _last, totpSecret: sealed, ...user }) => {
      const owner = { tenantId, userId: user.id }
      return { ...user, totpSecret: sealed === null ? null : await openTotpSecret(seals, owner, sealed) }
    }),
  )
  return { users, next: end && end.id !== end.last ? end.id : null }
}
