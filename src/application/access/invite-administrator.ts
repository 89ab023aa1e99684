import type { AdministratorInvitation } from '../../contract/access/administrator-invitations.schema.ts'
import { unprocessableInput } from '../../contract/invalid-input.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { isInternalRole } from '../../domain/access/role-rules.ts'
import { insertInvitation } from '../../storage/access/administrator-invitations.ts'
import { roleQuery } from '../../storage/access/role-list.ts'
import { commitRepeatable } from '../../storage/commit.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { INVITATION_LIFETIME, invitationIds, invitationUrl, newInvitationToken } from './invitation-link.ts'
import type { Principal } from './management-token.ts'

type Invitation = {
  tenantId: string
  /** Of the call, and so of the link. */
  origin: string
  roleId: string
  email: string | null
  inviter: Principal
  audit: AuditEntry
}

/** A link by which one person becomes an administrator (spec/management#administrator-invitations). */
export async function inviteAdministrator(
  { db, seals, now }: Pick<Dependencies, 'db' | 'seals' | 'now'>,
  { tenantId, origin, roleId, email, inviter, audit }: Invitation,
): Promise<AdministratorInvitation> {
  const [role] = await roleQuery(db, tenantId, roleId)
  if (!role) return refuseWith('entity.not_exists_with_id', { id: roleId })
  // A role of users is given to users that exist, by the calls for roles.
  orRefuse(
    isInternalRole(role.name)
      ? null
      : unprocessableInput([{ path: ['roleId'], message: 'is no role of administrators' }]),
  )
  const token = newInvitationToken()
  const [id] = await invitationIds({ seals }, tenantId, token)
  const at = now()
  const expiresAt = at + INVITATION_LIFETIME
  const invitedBy = inviter.type === 'user' ? { userId: inviter.id, at } : null
  await commitRepeatable(db, {
    tenantId,
    audit: audit.success(),
    statements: {
      created: insertInvitation(db, { tenantId, id, payload: { roleId, email, invitedBy }, expiresAt }),
    },
  })
  return { url: invitationUrl(origin, token), roleId, email, expiresAt }
}
