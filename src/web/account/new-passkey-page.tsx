import { NewPasskey } from '../../../client/account/new-passkey.tsx'
import { passkeyCreation } from '../../application/passkeys/create.ts'
import { addOwnPasskey } from '../../application/passkeys/manage.ts'
import { PasskeyAttestationSchema } from '../../contract/passkeys/passkeys.schema.ts'
import type { PasskeyAttestation, PasskeyPurpose } from '../../contract/passkeys/passkeys.ts'
import { refuseWith } from '../../contract/refused.ts'
import { VERIFICATION_LIFETIME } from '../../domain/sessions/verification.ts'
import { passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import { type AccountPage, requireFreshSignIn } from './visit.ts'

/** Where a browser makes a passkey, or a security key that is a second factor alone. Its options are part of the page. */
const creationPage = (purpose: PasskeyPurpose): AccountPage => ({
  field: 'passkeys',
  async show({ dependencies, tenantId, read }, { fields }) {
    const { db, now } = dependencies
    const { signedIn, rows } = await read((userId) => ({ present: passkeysQuery(db, tenantId, userId) }))
    requireFreshSignIn(signedIn, now())
    const { user, token, offeredFactors, askedSignInAt = 0 } = signedIn
    // A form and nothing else.
    if (fields.passkeys !== 'edit') refuseWith('entity.not_found')
    if (purpose === 'secondFactor' && !offeredFactors.includes('passkey'))
      refuseWith('user.sign_in_method_not_enabled')
    const owner = { tenantId, user, place: token.grantId }
    const body = (
      <NewPasskey
        purpose={purpose}
        options={await passkeyCreation(dependencies, owner, { present: rows.present, purpose })}
        freshFor={askedSignInAt + VERIFICATION_LIFETIME - now()}
        otherWay={offeredFactors.includes('totp') ? 'app' : 'password'}
      />
    )
    const title = purpose === 'secondFactor' ? 'new_key' : 'vestibule.passkey_offer_create'
    return { title, user, body, script: 'passkeys' }
  },
  actions: {
    async create({ dependencies, tenantId, url, signedIn, form, message, background, beginAudit }) {
      const audit = beginAudit('Account.Passkey.Create')
      await addOwnPasskey(dependencies, {
        ...{ tenantId, signedIn, message, background, audit },
        attestation: attestationIn(form),
        origin: new URL(url).origin,
      })
      return purpose === 'secondFactor'
        ? { message: 'key_made', to: '/account/factors' }
        : { message: 'passkey_made', to: '/account/passkeys' }
    },
  },
})

export const newPasskeyPage = creationPage('signIn')
export const newSecurityKeyPage = creationPage('secondFactor')

/** Filled in by the script. */
function attestationIn(form: URLSearchParams): PasskeyAttestation {
  try {
    return PasskeyAttestationSchema.parse(JSON.parse(form.get('attestation') ?? ''))
  } catch {
    return refuseWith('guard.invalid_input')
  }
}
