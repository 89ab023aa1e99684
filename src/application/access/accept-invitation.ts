import { acceptanceOf } from '../../storage/access/administrator-invitations.ts'
import { commitRepeatable } from '../../storage/commit.ts'
import { isUnrevoked, type UserRow } from '../../storage/users/users.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { type OpenInvitation, refuseInvitation } from './read-invitation.ts'

type Acceptance = { tenantId: string; invitation: OpenInvitation; user: UserRow; audit: AuditEntry }

/**
 * A user who is signed in gets the role (spec/account-centre#invitations). One batch: of many uses at the same time one makes an
 * administrator, and a user who is suspended meanwhile uses nothing up.
 */
export async function acceptInvitation(
  { db, now }: Pick<Dependencies, 'db' | 'now'>,
  { tenantId, invitation, user, audit }: Acceptance,
): Promise<void> {
  const given = { ...invitation, tenantId, userId: user.id, now: now() }
  const { condition, ...statements } = acceptanceOf(db, given, isUnrevoked(tenantId, user))
  const { used } = await commitRepeatable(db, { tenantId, condition, audit: audit.success(), statements })
  if (used.length === 0) refuseInvitation()
}
