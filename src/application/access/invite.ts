import type { AdministratorInvitation } from '../../contract/access/administrator-invitations.schema.ts'
import { unprocessableInput } from '../../contract/invalid-input.ts'
import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { MINUTE } from '../../contract/time.ts'
import { isInternalRole } from '../../domain/access/administration.ts'
import { insertInvitation } from '../../storage/access/administrator-invitations.ts'
import { roleQuery } from '../../storage/access/role-list.ts'
import { commitRepeatable } from '../../storage/commit.ts'
import { randomId } from '../../storage/ids.ts'
import type { SealLabel } from '../../storage/seal.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Principal } from './management-token.ts'

type Invitation = {
  tenantId: string
  /** The origin of the request, which is also the origin of the link. */
  origin: string
  roleId: string
  email: string | null
  inviter: Principal
  audit: AuditEntry
}

/** Creates a link through which one person can become an administrator (spec/management#administrator-invitations). */
export async function inviteAdministrator(
  { db, seals, now }: Pick<Dependencies, 'db' | 'seals' | 'now'>,
  { tenantId, origin, roleId, email, inviter, audit }: Invitation,
): Promise<AdministratorInvitation> {
  const [role] = await roleQuery(db, tenantId, roleId)
  if (!role) return refuseWith('entity.not_exists_with_id', { id: roleId })
  // Only administrator roles can be given by invitation. Other roles are assigned to existing users.
  throwIfRefused(
    isInternalRole(role.name)
      ? null
      : unprocessableInput([{ path: ['roleId'], message: 'is not an administrator role' }]),
  )
  const token = generateInvitationToken()
  const [id] = await digestInvitationToken({ seals }, tenantId, token)
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

export const INVITATION_PATH = '/account/invitation'
export const INVITATION_PARAM = 'token'

/**
 * The lifetime of an invitation. We chose a time that is long enough to open a browser, but short, because the link
 * remains in the terminal's scrollback.
 */
export const INVITATION_LIFETIME = 10 * MINUTE

/** The number of characters in a token: 43 letters and digits give 255 bits of entropy. */
const TOKEN_LENGTH = 43

export const generateInvitationToken = (): string => randomId(TOKEN_LENGTH)

export const invitationUrl = (origin: string, token: string): string =>
  `${origin}${INVITATION_PATH}?${new URLSearchParams({ [INVITATION_PARAM]: token })}`

/**
 * Returns the ids under which a token is stored. They are derived from the root secrets, so the link cannot be
 * recovered from the database. The first id is derived from the current root secret.
 */
export const digestInvitationToken = (
  { seals }: Pick<Dependencies, 'seals'>,
  tenantId: string,
  token: string,
): Promise<readonly [string, ...string[]]> => seals.digests(label(tenantId), token)

const label = (tenantId: string): SealLabel => `administrator-invitation/${tenantId}`
