import { BackupCodes } from '../../../client/account/sign-in/backup-codes.tsx'
import { Factors } from '../../../client/account/sign-in/factors.tsx'
import { AuthenticatorAppSetup } from '../../../client/account/sign-in/new-app.tsx'
import { readCode } from '../../../client/journeys/read-code.ts'
import { requireEditableFields } from '../../application/account/account-fields.ts'
import {
  addOwnTotp,
  createTotpEnrolment,
  removeOwnFactors,
  renewOwnBackupCodes,
} from '../../application/factors/manage.ts'
import { removeOwnPasskey } from '../../application/passkeys/manage.ts'
import { withModelNames } from '../../application/passkeys/models.ts'
import { TotpProof } from '../../contract/factors/factors.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import { totpQuery } from '../../storage/factors/factors.ts'
import { passkeysQuery } from '../../storage/passkeys/passkeys.ts'
import type { AccountPage } from './page.ts'
import type { PageContent } from './render.tsx'

export const factorsPage: AccountPage = {
  field: 'factors',
  async show({ dependencies: { db }, tenantId, read }) {
    const { signedIn, rows } = await read((userId) => ({
      app: totpQuery(db, { tenantId, userId }),
      passkeys: passkeysQuery(db, tenantId, userId),
    }))
    const { holding, offeredFactors } = signedIn
    const factors = {
      app: rows.app[0] ?? null,
      codes: holding.backupCodes,
      mayHaveCodes: holding.totp || holding.passkeys > 0,
      keys: await withModelNames(rows.passkeys.filter(({ isSecondFactor }) => isSecondFactor)),
    }
    return { title: 'factors', signedIn, body: <Factors factors={factors} offered={offeredFactors} /> }
  },
  actions: {
    async remove({ dependencies, signedIn, beginChange }) {
      await removeOwnFactors(dependencies, beginChange('Account.Factor.Delete'))
      return { message: signedIn.holding.totp ? 'app_removed' : 'codes_removed' }
    },
    async removeKey({ dependencies, tenantId, form, beginChange }) {
      await requireEditableFields(dependencies, tenantId, ['passkeys'])
      const id = form.get('id') ?? ''
      const change = beginChange('Account.Passkey.Delete', { passkeyId: id })
      await removeOwnPasskey(dependencies, { ...change, id })
      return { message: 'key_removed' }
    },
    async renew({ dependencies, signedIn, beginChange }) {
      const codes = await renewOwnBackupCodes(dependencies, beginChange('Account.Factor.Update'))
      return { message: 'codes_made', page: codesPage(signedIn, codes) }
    },
  },
}

/**
 * Sets up an authenticator app, which replaces the previous one. Nothing is stored until the user has entered the new
 * app's first code.
 */
export const newAppPage: AccountPage = {
  field: 'factors',
  needsFreshSignIn: true,
  async show({ dependencies, tenantId, url, readUser }, { typed, fields }) {
    const signedIn = await readUser()
    const { user, offeredFactors } = signedIn
    // The page consists only of a form, so it exists only if users may edit the field.
    if (fields.factors !== 'edit') refuseWith('entity.not_found')
    if (!offeredFactors.includes('totp')) refuseWith('user.sign_in_method_not_enabled')
    const owner = { tenantId, user, host: url.host }
    const invitation = await createTotpEnrolment(dependencies, owner, typed.enrolment)
    const body = <AuthenticatorAppSetup invitation={invitation} />
    return { title: 'vestibule.factor_setup', signedIn, body, script: 'code' }
  },
  actions: {
    async enrol({ dependencies, signedIn, form, beginChange }) {
      const totpCode = readCode(Object.fromEntries(form), 'totpCode')
      const proof = TotpProof.safeParse({ enrolment: form.get('enrolment'), totpCode })
      if (!proof.success) return refuseWith('session.invalid_second_factor')
      const change = beginChange('Account.Factor.Create')
      const codes = await addOwnTotp(dependencies, { ...change, ...proof.data })
      return { message: 'app_ready', page: codesPage(signedIn, codes) }
    },
  },
}

const codesPage = (signedIn: PageContent['signedIn'], codes: readonly string[]): PageContent => ({
  title: 'vestibule.factor_codes_title',
  signedIn,
  body: <BackupCodes codes={codes} />,
  script: 'code',
})
