import { NewPassword } from '../../../client/account/new-password.tsx'
import { newPasswordProblems } from '../../../client/journeys/new-password-problems.ts'
import { changeOwnPassword } from '../../application/passwords/own-password.ts'
import { type AccountPage, FieldProblem, requireFreshSignIn } from './visit.ts'

export const passwordPage: AccountPage = {
  field: 'password',
  async show({ dependencies, read }, { problem }) {
    const { signedIn } = await read(() => ({}))
    requireFreshSignIn(signedIn, dependencies.now())
    const { user } = signedIn
    const account = user.username ?? user.primaryEmail ?? user.primaryPhone
    return { title: 'input.password', user, body: <NewPassword account={account} problem={problem} /> }
  },
  actions: {
    async change({ dependencies, tenantId, url, ip, signedIn, form, boot, message, beginAudit, background }) {
      const problems = newPasswordProblems(Object.fromEntries(form), await boot())
      for (const [field, problem] of Object.entries(problems)) throw new FieldProblem(field, problem)
      const audit = beginAudit('Account.Password.Update')
      const password = form.get('newPassword') ?? ''
      const change = { tenantId, signedIn, password, audit, url, ip, message, background }
      await changeOwnPassword(dependencies, change)
      return { message: 'password_changed' }
    },
  },
}
