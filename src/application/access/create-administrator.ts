import { USER_ID_LENGTH } from '../../contract/ids.ts'
import { acceptanceOf } from '../../storage/access/administrator-invitations.ts'
import { commitRepeatable } from '../../storage/commit.ts'
import { allOf, not } from '../../storage/conditions.ts'
import { randomId } from '../../storage/ids.ts'
import { insertUserIf } from '../../storage/users/user-changes.ts'
import { isUser } from '../../storage/users/users.ts'
import { asTaken } from '../account/uniqueness-refusal.ts'
import type { Dependencies } from '../dependencies.ts'
import { administratorColumns, type GivenAdministrator } from './administrator-columns.ts'
import { type OpenInvitation, refuseInvitation } from './read-invitation.ts'

type Needs = Pick<Dependencies, 'db' | 'now' | 'settings' | 'tenantSettings' | 'network' | 'experience'>

/**
 * An account that is an administrator's from its first moment, whether or not the tenant takes registrations: in one batch, so of
 * many uses at the same time one makes one (spec/account-centre#invitations). The link was shown, not sent: it proves no address.
 */
export async function createAdministrator(
  dependencies: Needs,
  { invitation, ...given }: Omit<GivenAdministrator, 'email'> & { invitation: OpenInvitation },
): Promise<void> {
  const { db, now } = dependencies
  const { tenantId, audit } = given
  const columns = await administratorColumns(dependencies, { ...given, email: invitation.email })
  const [id, createdAt] = [randomId(USER_ID_LENGTH), now()]
  const use = { ...invitation, tenantId, userId: id, now: createdAt }
  const { condition, ...statements } = acceptanceOf(db, use)
  const user = { ...columns, ...(columns.primaryEmail && { emailVerified: false }), id, createdAt }
  audit.add({ userId: id })
  // Sent again, it finds the account that it made.
  const isNew = allOf(condition, not(isUser(tenantId, id)))
  const { used } = await commitRepeatable(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: { user: insertUserIf(db, tenantId, isNew, user), ...statements },
  }).catch(asTaken)
  if (used.length === 0) refuseInvitation()
}
