import { PICTURE_TYPES, Picture } from '../../../client/account/picture.tsx'
import { changeOwnPicture } from '../../application/account/profile.ts'
import { findStorageProvider } from '../../application/experience/store-upload.ts'
import type { AccountFieldPolicies } from '../../contract/account/account-fields.ts'
import { PICTURE_MAX_BYTES } from '../../contract/experience/user-assets.ts'
import { refuseWith } from '../../contract/refused.ts'
import { detectRasterType } from '../../domain/experience/upload-content.ts'
import type { UserRow } from '../../storage/users/users.ts'
import type { AccountPage } from './page.ts'

const PROFILE_PATH = '/account/profile'

type PictureOwner = { tenantId: string; user: Pick<UserRow, 'avatar'>; policies: AccountFieldPolicies }

/** Checks whether the page has something to offer: a picture, or the way to upload one. */
export const hasPicturePage = async (
  dependencies: Parameters<typeof findStorageProvider>[0],
  { tenantId, user, policies }: PictureOwner,
): Promise<boolean> =>
  user.avatar !== null ||
  (policies.avatar === 'edit' && (await findStorageProvider(dependencies, tenantId)) !== null)

export const picturePage: AccountPage = {
  field: 'avatar',
  async show({ dependencies, tenantId, link, readUser }, { fields }) {
    const signedIn = await readUser()
    const { user } = signedIn
    const mayUpload = (await findStorageProvider(dependencies, tenantId)) !== null
    // Applications can link to the upload of a picture, but not to the removal.
    const isUseful = link
      ? mayUpload
      : await hasPicturePage(dependencies, { tenantId, user, policies: fields })
    if (!isUseful) refuseWith('entity.not_found')
    const body = <Picture avatar={user.avatar} mayUpload={mayUpload} />
    return { title: 'picture', signedIn, body, ...(mayUpload && { script: 'picture' }) }
  },
  actions: {
    async upload(submission) {
      const { file } = submission
      if (!file) return refuseWith('guard.invalid_input')
      if (file.size > PICTURE_MAX_BYTES) return refuseWith('guard.file_size_exceeded')
      const content = detectRasterType(new Uint8Array(await file.arrayBuffer()))
      if (!PICTURE_TYPES.some((type) => type === content)) return refuseWith('guard.mime_type_not_allowed')
      await changeOwnPicture(submission.dependencies, submission, file)
      return { message: 'saved', to: PROFILE_PATH }
    },
    async remove(submission) {
      await changeOwnPicture(submission.dependencies, submission, null)
      return { message: 'saved', to: PROFILE_PATH }
    },
  },
}
