import { getUser } from '../../storage/users/users.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { storeUpload } from '../experience/store-upload.ts'
import type { FactorChange } from '../factors/factor-change.ts'
import { countOwnAttempt } from '../own-attempts.ts'
import { changeOwnProfile } from './own-account.ts'
import { removeReplacedPicture } from './replaced-picture.ts'

type PictureDependencies = Pick<
  Dependencies,
  'db' | 'now' | 'settings' | 'tenantSettings' | 'deliveries' | 'network'
>
type PictureChange = Omit<FactorChange, 'audit'> & {
  beginAudit(key: string, more?: Record<string, unknown>): AuditEntry
}

/** Another picture, or none (spec/account-centre#picture). The change of the profile removes the file of the one before. */
export async function changeOwnPicture(
  dependencies: PictureDependencies,
  { tenantId, signedIn, message, beginAudit, background }: PictureChange,
  file: File | null,
): Promise<void> {
  const { user } = signedIn
  const owner = { tenantId, userId: user.id }
  const audit = beginAudit('Account.Profile.Update', { changed: ['avatar'] })
  const { requestId } = message
  if (file) await countOwnAttempt(dependencies, tenantId, { limit: 'ownPictures', id: user.id })
  const avatar =
    file &&
    (await storeUpload(dependencies, {
      ...{ tenantId, requestId, uploaderId: user.id, file },
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

/** A file that was stored for a change that was not made. One whose answer alone was lost is in use. */
async function removeUnused(
  dependencies: PictureDependencies,
  { tenantId, userId, avatar }: { tenantId: string; userId: string; avatar: string },
): Promise<void> {
  const present = (await getUser(dependencies.db, tenantId, userId))?.avatar
  if (present === avatar) return
  await removeReplacedPicture(dependencies, { tenantId, userId, replaced: [{ avatar }], avatar: present })
}
