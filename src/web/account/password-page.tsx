import { NewPassword } from '../../../client/account/sign-in/new-password.tsx'
import { validateNewPassword } from '../../../client/journeys/new-password-problems.ts'
import { changeOwnPassword } from '../../application/passwords/own-password.ts'
import type { AccountPage } from './page.ts'
import { FieldProblem } from './problem.ts'

export const passwordPage: AccountPage = {
  field: 'password',
  needsFreshSignIn: true,
  async show({ readUser }) {
    const signedIn = await readUser()
    const { user } = signedIn
    const account = user.username ?? user.primaryEmail ?? user.primaryPhone
    return { title: 'input.password', signedIn, body: <NewPassword account={account} /> }
  },
  actions: {
    async change({ dependencies, request, ip, form, boot, beginChange }) {
      const problems = validateNewPassword(Object.fromEntries(form), await boot())
      for (const [field, problem] of Object.entries(problems)) throw new FieldProblem(field, problem)
      const change = beginChange('Account.Password.Update')
      const password = form.get('newPassword') ?? ''
      await changeOwnPassword(dependencies, { ...change, password, url: request.url, ip })
      return { message: 'password_changed' }
    },
  },
}
