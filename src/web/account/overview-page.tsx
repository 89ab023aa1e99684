import { Overview } from '../../../client/account/overview.tsx'
import { formatPhone } from '../../../client/phones/phones.ts'
import { assessProtection } from '../../domain/account/protection.ts'
import { deletionQuery } from '../../storage/account/account-deletions.ts'
import { accessCountQueries } from '../../storage/applications/consent-list.ts'
import { membershipCountQuery } from '../../storage/organisations/own-organizations.ts'
import { passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import { sessionCountQuery } from '../../storage/sessions/sessions.ts'
import { verifiedAddresses } from '../../storage/users/users.ts'
import type { AccountPage } from './page.ts'

export const overviewPage: AccountPage = {
  actions: {},
  async show({ dependencies, tenantId, read }, { fields }) {
    const { db, now, tenantSettings, experience } = dependencies
    const { signedIn, rows } = await read((userId) => ({
      deletion: deletionQuery(db, { tenantId, userId }),
      passkeys: passkeysQuery(db, tenantId, userId),
      sessions: sessionCountQuery(db, tenantId, userId, now()),
      organizations: membershipCountQuery(db, { tenantId, userId }),
      ...accessCountQueries(db, tenantId, userId),
    }))
    const [settings, { forgotPassword: hasConnector }] = await Promise.all([
      tenantSettings.get(tenantId),
      experience.get(tenantId),
    ])
    const { user, holding, offeredFactors } = signedIn
    const verified = verifiedAddresses(user)
    const stateOf = (address: string | null, isVerified: boolean) =>
      address === null ? 'none' : isVerified ? 'verified' : 'unverified'
    const keys = rows.passkeys.filter(({ isSecondFactor }) => isSecondFactor)
    const protection = assessProtection(
      {
        email: stateOf(user.primaryEmail, verified.email),
        phone: stateOf(user.primaryPhone, verified.phone),
        passkeys: rows.passkeys.length - keys.length,
        hasApp: holding.totp && offeredFactors.includes('totp'),
        hasKey: keys.length > 0 && offeredFactors.includes('passkey'),
        backupCodes: holding.backupCodes,
      },
      {
        email: fields.email === 'edit' && hasConnector.email,
        phone: fields.phone === 'edit' && hasConnector.phone,
        passkeys: fields.passkeys === 'edit' && settings.passkeys.enabled && settings.passkeys.rpId !== null,
        app: fields.factors === 'edit' && offeredFactors.includes('totp'),
        codes: fields.factors === 'edit',
      },
    )
    const body = (
      <Overview
        user={{ ...user, phone: user.primaryPhone && formatPhone(user.primaryPhone) }}
        protection={protection}
        codes={holding.backupCodes}
        sessionCount={rows.sessions[0]?.count ?? 0}
        applicationCount={(rows.registeredApps[0]?.count ?? 0) + (rows.appsWithGrants[0]?.count ?? 0)}
        organizationCount={rows.organizations[0]?.count ?? 0}
        isDeletionCanceled={rows.deletion.some(({ canceledAt }) => canceledAt !== null)}
      />
    )
    return { title: 'title', signedIn, body }
  },
}
