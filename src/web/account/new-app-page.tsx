import { NewApp } from '../../../client/account/new-app.tsx'
import { addOwnTotp, inviteToTotp } from '../../application/factors/manage.ts'
import { TotpProof } from '../../contract/factors/factors.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import { changeOf, codesPage } from './factors-page.tsx'
import { type AccountPage, requireFreshSignIn } from './visit.ts'

/** Where an authenticator app is set up, in place of the one before. Until its first code nothing is written. */
export const newAppPage: AccountPage = {
  field: 'factors',
  async show({ dependencies, tenantId, url, read }, { problem, typed, fields }) {
    const { signedIn } = await read(() => ({}))
    requireFreshSignIn(signedIn, dependencies.now())
    const { user, offeredFactors } = signedIn
    // A form and nothing else.
    if (fields.factors !== 'edit') refuseWith('entity.not_found')
    if (!offeredFactors.includes('totp')) refuseWith('user.sign_in_method_not_enabled')
    const owner = { tenantId, user, host: url.host }
    const invitation = await inviteToTotp(dependencies, owner, typed.enrolment)
    const body = <NewApp invitation={invitation} problem={problem} />
    return { title: 'vestibule.factor_setup', user, body }
  },
  actions: {
    async enrol(post) {
      const proof = TotpProof.safeParse({
        enrolment: post.form.get('enrolment'),
        totpCode: post.form.get('totpCode'),
      })
      if (!proof.success) return refuseWith('session.invalid_second_factor')
      const change = changeOf(post, 'Account.Factor.Create')
      const codes = await addOwnTotp(post.dependencies, { ...change, ...proof.data })
      return { message: 'app_ready', page: codesPage(post, codes) }
    },
  },
}
