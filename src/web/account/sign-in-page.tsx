import { SignIn } from '../../../client/account/sign-in.tsx'
import type { AccountPage } from './page.ts'

export const signInPage: AccountPage = {
  actions: {},
  async show({ dependencies, tenantId, readUser }) {
    const { user, holding, offeredFactors } = await readUser()
    const [{ passkeys }, { socialConnectors }] = await Promise.all([
      dependencies.tenantSettings.get(tenantId),
      dependencies.experience.get(tenantId),
    ])
    const { totp, backupCodes } = holding
    // Sign-in methods that the user has set up are shown even if the tenant has stopped offering them.
    const isAvailable: Record<string, boolean> = {
      '/account/passkeys': passkeys.enabled || holding.passkeys > 0,
      '/account/factors': offeredFactors.length > 0 || totp || backupCodes > 0,
      '/account/identities': socialConnectors.length > 0 || Object.keys(user.identities).length > 0,
    }
    const hiddenPaths = Object.keys(isAvailable).filter((path) => !isAvailable[path])
    return { title: 'sign_in', user, body: <SignIn unavailable={hiddenPaths} /> }
  },
}
