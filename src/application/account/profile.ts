import { refuseWith } from '../../contract/refused.ts'
import { commitChange } from '../../storage/commit.ts'
import { ALWAYS_TRUE, allOf } from '../../storage/conditions.ts'
import {
  replacedPictureQuery,
  type UserChanges,
  updateUserIf,
  withProfileUpdateTime,
} from '../../storage/users/user-changes.ts'
import { getUser, isUnrevoked, type UserRow } from '../../storage/users/users.ts'
import { requireAttempts } from '../attempts.ts'
import type { AuditEntry } from '../audit.ts'
import type { MessageRequest } from '../connectors/send.ts'
import type { Dependencies } from '../dependencies.ts'
import { removeReplacedPicture } from '../experience/remove-uploads.ts'
import { storeUpload } from '../experience/store-upload.ts'
import type { FactorChange } from '../factors/manage.ts'
import { dispatchNotifications, profileChangedEvents } from '../hooks/events.ts'
import type { SignedInUser } from '../sessions/access-token.ts'
import { requireStepUp } from '../sessions/step-up.ts'
import { fitsAfterMerge, refuseOversizedMerge } from './custom-data.ts'
import { rethrowAsConflict } from './uniqueness-refusal.ts'

/** Lets users change their own profile (spec/management#account-api). */

type ProfileDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'settings' | 'tenantSettings' | 'deliveries' | 'network'
>
type ProfileChange = {
  tenantId: string
  signedIn: SignedInUser
  changes: UserChanges
  audit: AuditEntry
  /**
   * The context of the notice to the user, or null if no notice is sent. A notice is sent about every change in the
   * account centre, but about a change through an application only if it sets a new username.
   */
  message: MessageRequest | null
  background(task: () => Promise<unknown>): void
}

/**
 * Changes the profile. Changing the username requires step-up verification, because users sign in with it
 * (spec/accounts#recent-verification).
 */
export async function changeOwnProfile(
  dependencies: ProfileDependencies,
  { tenantId, signedIn, changes, audit, message, background }: ProfileChange,
): Promise<UserRow> {
  const { db, now } = dependencies
  const { user, token } = signedIn
  const { avatar } = changes
  const { id: userId } = user
  const applicationId = token.clientId
  const isRenamed = changes.username !== undefined && changes.username !== user.username
  const isProven = isRenamed ? await requireStepUp(dependencies, tenantId, signedIn) : ALWAYS_TRUE
  // This check needs a separate round trip, because storing a username that is taken would roll back the whole batch.
  if (isRenamed) await requireAttempts(dependencies, tenantId, [{ limit: 'ownUsernameTries', id: userId }])
  const fits = fitsAfterMerge(tenantId, userId, changes)
  const condition = allOf(isProven, isUnrevoked(tenantId, user), fits)
  const entry = audit.success()
  const { changed, replaced, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: entry,
    outbox: profileChangedEvents({ tenantId, userId, applicationId, message, entry, isRenamed, now: now() }),
    statements: {
      replaced:
        avatar === undefined
          ? undefined
          : replacedPictureQuery(db, tenantId, condition, { id: userId, avatar }),
      changed: updateUserIf(db, tenantId, condition, userId, withProfileUpdateTime(changes, now())),
    },
  }).catch(rethrowAsConflict)
  if (replaced.length > 0)
    background(() => removeReplacedPicture(dependencies, { tenantId, userId, replaced, avatar }))
  dispatchNotifications(dependencies, {
    tenantId,
    userId,
    outboxIds,
    hasNotice: message !== null,
    background,
  })
  if (changed[0]) return changed[0]
  await refuseOversizedMerge(dependencies, tenantId, { ...changes, userId })
  return refuseWith('auth.unauthorized')
}

type PictureDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'settings' | 'tenantSettings' | 'deliveries' | 'network'
>
type PictureChange = Omit<FactorChange, 'audit'> & {
  beginAudit(key: string, more?: Record<string, unknown>): AuditEntry
}

/**
 * Replaces or removes the picture (spec/account-centre#picture). Changing the profile also deletes the previous file.
 */
export async function changeOwnPicture(
  dependencies: PictureDependencies,
  { tenantId, signedIn, message, beginAudit, background }: PictureChange,
  file: File | null,
): Promise<void> {
  const { user } = signedIn
  const owner = { tenantId, userId: user.id }
  const audit = beginAudit('Account.Profile.Update', { changed: ['avatar'] })
  const { requestId } = message
  if (file) await requireAttempts(dependencies, tenantId, [{ limit: 'ownPictures', id: user.id }])
  const avatar =
    file &&
    (await storeUpload(dependencies, {
      tenantId,
      requestId,
      uploaderId: user.id,
      file,
      beginAudit: () => audit,
    }))
  const change = { tenantId, signedIn, changes: { avatar }, audit }
  try {
    await changeOwnProfile(dependencies, { ...change, message, background })
  } catch (error) {
    if (avatar) background(() => removeUnused(dependencies, { ...owner, avatar }))
    throw error
  }
}

/**
 * Deletes the uploaded file if the change failed. Keeps the file if the change succeeded and only its response was
 * lost.
 */
async function removeUnused(
  dependencies: PictureDependencies,
  { tenantId, userId, avatar }: { tenantId: string; userId: string; avatar: string },
): Promise<void> {
  const current = (await getUser(dependencies.db, tenantId, userId))?.avatar
  if (current === avatar) return
  await removeReplacedPicture(dependencies, { tenantId, userId, replaced: [{ avatar }], avatar: current })
}
