import { Profile } from '../../../client/account/profile.tsx'
import { findStorageProvider } from '../../application/experience/store-upload.ts'
import { saveProfile } from './profile-form.ts'
import { customValues, profileValues } from './profile-values.ts'
import type { AccountPage } from './visit.ts'

export const profilePage: AccountPage = {
  async show({ dependencies, tenantId, read }, { problem, typed }) {
    const { user } = (await read(() => ({}))).signedIn
    const { signIn } = await dependencies.experience.get(tenantId)
    // A name that nobody signs in with is offered to those alone who have one.
    const hasUsername =
      user.username !== null || signIn.methods.some(({ identifier }) => identifier === 'username')
    const hasPicture = user.avatar !== null || (await findStorageProvider(dependencies, tenantId)) !== null
    const { customFields } = (await dependencies.tenantSettings.get(tenantId)).accountCentre
    const values = { ...profileValues(user), ...typed }
    const fields = customValues(user, customFields, typed)
    const shown = { values, fields, avatar: user.avatar, hasUsername, hasPicture, problem }
    return { title: 'profile', user, body: <Profile {...shown} /> }
  },
  actions: { save: saveProfile },
}
