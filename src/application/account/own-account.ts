import { refuseWith } from '../../contract/refused.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf, isAlwaysTrue } from '../../storage/conditions.ts'
import {
  datedProfile,
  replacedPicture,
  type UserChanges,
  updateUserIf,
} from '../../storage/users/user-changes.ts'
import { isUnrevoked, type UserRow } from '../../storage/users/users.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { MessageRequest } from '../connectors/send-message.ts'
import type { Dependencies } from '../dependencies.ts'
import { profileChanged } from '../hooks/profile-events.ts'
import { countOwnAttempt } from '../own-attempts.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { requireRecentProof } from '../sessions/recent-proof.ts'
import { mergeFits, refuseUnfitMerge } from './custom-fields.ts'
import { removeReplacedPicture } from './replaced-picture.ts'
import { asTaken } from './uniqueness-refusal.ts'

/** What users change of their own account (spec/management#account-api). */

type ProfileDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'settings' | 'tenantSettings' | 'deliveries' | 'network'
>
type ProfileChange = {
  tenantId: string
  signedIn: SignedInUser
  changes: UserChanges
  audit: AuditEntry
  /** Where the user is told: of a change by the account centre, and of a username by whichever application. */
  message: MessageRequest | null
  background(task: () => Promise<unknown>): void
}

/** A username is how the user signs in: to change it needs a recent proof (spec/accounts#recent-verification). */
export async function changeOwnProfile(
  dependencies: ProfileDependencies,
  { tenantId, signedIn, changes, audit, message, background }: ProfileChange,
): Promise<UserRow> {
  const { db, now, deliveries } = dependencies
  const { user, token } = signedIn
  const { avatar } = changes
  const { id: userId } = user
  const applicationId = token.clientId
  const isRenamed = changes.username !== undefined && changes.username !== user.username
  const isProven = isRenamed ? await requireRecentProof(dependencies, tenantId, signedIn) : isAlwaysTrue
  // A round trip of its own: the refusal of a name that is taken undoes its whole batch.
  if (isRenamed) await countOwnAttempt(dependencies, tenantId, { limit: 'ownUsernameTries', id: userId })
  const fits = mergeFits(tenantId, userId, changes)
  const condition = allOf(isProven, isUnrevoked(tenantId, user), fits)
  const entry = audit.success()
  const { changed, replaced, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: entry,
    outbox: profileChanged({ tenantId, userId, applicationId, message, entry, isRenamed, now: now() }),
    statements: {
      replaced:
        avatar === undefined ? undefined : replacedPicture(db, tenantId, condition, { id: userId, avatar }),
      changed: updateUserIf(db, tenantId, condition, userId, datedProfile(changes, now())),
    },
  }).catch(asTaken)
  if (replaced.length > 0)
    background(() => removeReplacedPicture(dependencies, { tenantId, userId, replaced, avatar }))
  if (message) background(() => deliveries.sendNotices({ tenantId, userId }))
  if (outboxIds.length > 0) background(() => deliveries.send(tenantId, outboxIds))
  if (changed[0]) return changed[0]
  await refuseUnfitMerge(dependencies, tenantId, { ...changes, userId })
  return refuseWith('auth.unauthorized')
}
