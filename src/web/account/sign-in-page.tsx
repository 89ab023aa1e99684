import { SignIn } from '../../../client/account/sign-in/sign-in.tsx'
import { formatPhone } from '../../../client/phones/phones.ts'
import { passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import { passwordChangeQuery } from '../../storage/passwords/password-changes.ts'
import { trustedBrowsersQuery } from '../../storage/sessions/trusted-browsers.ts'
import { verifiedAddresses } from '../../storage/users/users.ts'
import type { AccountPage } from './page.ts'

export const signInPage: AccountPage = {
  actions: {},
  async show({ dependencies, tenantId, read }) {
    const { db, now, tenantSettings, experience } = dependencies
    const [{ passkeys, secondFactor }, { socialConnectors }] = await Promise.all([
      tenantSettings.get(tenantId),
      experience.get(tenantId),
    ])
    const rule = { days: secondFactor.rememberDays, now: now() }
    const { signedIn, rows } = await read((userId) => ({
      passkeys: passkeysQuery(db, tenantId, userId),
      passwordChanges: passwordChangeQuery(db, { tenantId, userId }),
      browsers: trustedBrowsersQuery(db, { tenantId, userId }, rule),
    }))
    const { user, holding, offeredFactors } = signedIn
    const { primaryEmail, primaryPhone } = user
    const { totp, backupCodes } = holding
    const keys = rows.passkeys.filter(({ isSecondFactor }) => isSecondFactor)
    const passkeyCount = rows.passkeys.length - keys.length
    const targets = Object.keys(user.identities)
    const verified = verifiedAddresses(user)
    const hasApp = totp && offeredFactors.includes('totp')
    const hasKey = keys.length > 0 && offeredFactors.includes('passkey')
    const body = (
      <SignIn
        values={{
          email: primaryEmail === null ? null : { value: primaryEmail, isVerified: verified.email },
          phone:
            primaryPhone === null ? null : { value: formatPhone(primaryPhone), isVerified: verified.phone },
          hasPassword: user.passwordEncrypted !== null,
          passwordChangedAt: rows.passwordChanges[0]?.at ?? null,
          // Sign-in methods that the user has set up are shown even if the tenant has stopped offering them.
          passkeyCount: passkeys.enabled || passkeyCount > 0 ? passkeyCount : null,
          identities: socialConnectors.length > 0 || targets.length > 0 ? targets : null,
          secondFactors:
            offeredFactors.length > 0 || totp || keys.length > 0 || backupCodes > 0
              ? { isOn: hasApp || hasKey, hasApp, hasKey }
              : null,
          browserCount: rows.browsers.length,
        }}
      />
    )
    return { title: 'sign_in', signedIn, body }
  },
}
