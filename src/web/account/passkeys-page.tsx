import { NewPasskey } from '../../../client/account/sign-in/new-passkey.tsx'
import { Passkeys } from '../../../client/account/sign-in/passkeys.tsx'
import { createPasskeyCreationOptions } from '../../application/passkeys/create.ts'
import { addOwnPasskey, removeOwnPasskey, renameOwnPasskey } from '../../application/passkeys/manage.ts'
import { withModelNames } from '../../application/passkeys/models.ts'
import { invalidInput } from '../../contract/invalid-input.ts'
import { PasskeyAttestationSchema, PasskeyPatch } from '../../contract/passkeys/passkeys.schema.ts'
import {
  MAX_PASSKEYS,
  type PasskeyAttestation,
  type PasskeyPurpose,
} from '../../contract/passkeys/passkeys.ts'
import { refuseWith } from '../../contract/refused.ts'
import { listAcceptedPasskeys } from '../../domain/passkeys/passkeys.ts'
import { VERIFICATION_LIFETIME } from '../../domain/sessions/verification.ts'
import { passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import type { AccountPage } from './page.ts'

export const passkeysPage: AccountPage = {
  field: 'passkeys',
  async show({ dependencies: { db, tenantSettings }, tenantId, read }) {
    const { signedIn, rows } = await read((userId) => ({ all: passkeysQuery(db, tenantId, userId) }))
    const { enabled, rpId } = (await tenantSettings.get(tenantId)).passkeys
    const { user } = signedIn
    const ids = rows.all.map(({ id }) => id)
    const body = (
      <Passkeys
        passkeys={await withModelNames(rows.all.filter(({ isSecondFactor }) => !isSecondFactor))}
        mayAdd={enabled && rpId !== null && rows.all.length < MAX_PASSKEYS}
        accepted={rpId === null ? null : listAcceptedPasskeys(rpId, user, ids)}
      />
    )
    return { title: 'passkeys', signedIn, body, script: 'passkeys' }
  },
  actions: {
    async rename({ dependencies, form, beginChange }) {
      const id = form.get('id') ?? ''
      const patch = PasskeyPatch.safeParse({ name: form.get(`name-${id}`)?.trim() })
      if (!patch.success) throw invalidInput(patch.error)
      const change = beginChange('Account.Passkey.Update', { passkeyId: id })
      await renameOwnPasskey(dependencies, { ...change, id, ...patch.data })
      return { message: 'passkey_renamed' }
    },
    async remove({ dependencies, form, beginChange }) {
      const id = form.get('id') ?? ''
      const change = beginChange('Account.Passkey.Delete', { passkeyId: id })
      await removeOwnPasskey(dependencies, { ...change, id })
      return { message: 'passkey_removed' }
    },
  },
}

/**
 * Returns the page for creating a passkey, or a security key that is only a second factor. The page contains the
 * WebAuthn options.
 */
const creationPage = (purpose: PasskeyPurpose): AccountPage => ({
  field: 'passkeys',
  needsFreshSignIn: true,
  async show({ dependencies, tenantId, read }, { fields }) {
    const { db, now } = dependencies
    const { signedIn, rows } = await read((userId) => ({ present: passkeysQuery(db, tenantId, userId) }))
    const { user, token, offeredFactors, freshSignInAt = 0 } = signedIn
    // The page consists only of a form, so it exists only if users may edit the field.
    if (fields.passkeys !== 'edit') refuseWith('entity.not_found')
    if (purpose === 'secondFactor' && !offeredFactors.includes('passkey'))
      refuseWith('user.sign_in_method_not_enabled')
    const owner = { tenantId, user, place: token.grantId }
    const body = (
      <NewPasskey
        purpose={purpose}
        options={await createPasskeyCreationOptions(dependencies, owner, { present: rows.present, purpose })}
        freshFor={freshSignInAt + VERIFICATION_LIFETIME - now()}
        otherWay={offeredFactors.includes('totp') ? 'app' : 'password'}
      />
    )
    const title = purpose === 'secondFactor' ? 'new_key' : 'vestibule.passkey_offer_create'
    return { title, signedIn, body, script: 'passkeys' }
  },
  actions: {
    async create({ dependencies, url, form, beginChange }) {
      const change = beginChange('Account.Passkey.Create')
      const attestation = attestationIn(form)
      await addOwnPasskey(dependencies, { ...change, attestation, origin: url.origin })
      return purpose === 'secondFactor'
        ? { message: 'key_made', to: '/account/factors' }
        : { message: 'passkey_made', to: '/account/passkeys' }
    },
  },
})

export const newPasskeyPage = creationPage('signIn')
export const newSecurityKeyPage = creationPage('secondFactor')

/** Reads the attestation from the form field that the page's script has filled in. */
function attestationIn(form: URLSearchParams): PasskeyAttestation {
  try {
    return PasskeyAttestationSchema.parse(JSON.parse(form.get('attestation') ?? ''))
  } catch {
    return refuseWith('guard.invalid_input')
  }
}
