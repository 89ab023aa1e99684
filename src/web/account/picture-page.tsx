import { PICTURE_TYPES, Picture } from '../../../client/account/picture.tsx'
import { changeOwnPicture } from '../../application/account/profile.ts'
import { findStorageProvider } from '../../application/experience/store-upload.ts'
import { PICTURE_MAX_BYTES } from '../../contract/experience/user-assets.ts'
import { refuseWith } from '../../contract/refused.ts'
import { detectRasterType } from '../../domain/experience/upload-content.ts'
import type { AccountPage } from './page.ts'

export const picturePage: AccountPage = {
  field: 'avatar',
  async show({ dependencies, tenantId, link, readUser }) {
    const { user } = await readUser()
    const mayUpload = (await findStorageProvider(dependencies, tenantId)) !== null
    // Applications can link to the upload of a picture, but not to the removal.
    if (link && !mayUpload) refuseWith('entity.not_found')
    const body = <Picture avatar={user.avatar} mayUpload={mayUpload} />
    return { title: 'picture', user, body, ...(mayUpload && { script: 'picture' }) }
  },
  actions: {
    async upload(submission) {
      const { file } = submission
      if (!file) return refuseWith('guard.invalid_input')
      if (file.size > PICTURE_MAX_BYTES) return refuseWith('guard.file_size_exceeded')
      const content = detectRasterType(new Uint8Array(await file.arrayBuffer()))
      if (!PICTURE_TYPES.some((type) => type === content)) return refuseWith('guard.mime_type_not_allowed')
      await changeOwnPicture(submission.dependencies, submission, file)
      return { message: 'saved' }
    },
    async remove(submission) {
      await changeOwnPicture(submission.dependencies, submission, null)
      return { message: 'saved' }
    },
  },
}
