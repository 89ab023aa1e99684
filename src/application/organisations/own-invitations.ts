import { refuseWith } from '../../contract/refused.ts'
import { commitChange } from '../../storage/commit.ts'
import { declineOwnInvitation, hasOpenOwnInvitation } from '../../storage/organisations/own-organizations.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'

/** Declines an open invitation to the verified address of a user (spec/organisations#account-centre). */
export async function declineInvitation(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { tenantId, userId, id, audit }: { tenantId: string; userId: string; id: string; audit: AuditEntry },
): Promise<void> {
  const owner = { tenantId, userId }
  const { declined } = await commitChange(db, {
    tenantId,
    condition: hasOpenOwnInvitation(owner, id),
    audit: audit.success(),
    statements: { declined: declineOwnInvitation(db, owner, id, now()) },
  })
  if (declined.length === 0) refuseWith('user.invitation_invalid')
}
