import type { z } from 'zod'
import { requireEditableFields } from '../../application/account/account-fields.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { changeOwnPassword, verifyOwnPassword } from '../../application/passwords/own-password.ts'
import { CurrentPassword, PasswordChange } from '../../contract/account/account.schema.ts'
import { jsonBody } from '../guard.ts'
import type { AccountContext } from './authentication.ts'
import {
  accountRouter,
  beginAccountAudit,
  callerOf,
  declareAccountCall,
  KEPT_FROM_OPERATORS,
  NEEDS_STEP_UP,
} from './router.ts'

const verifyCall = declareAccountCall({
  method: 'post',
  path: '/verify',
  summary: 'Verify my password',
  description:
    'Compares a password with that of the signed-in user, who may change it in the following ten minutes, with this token and others of its grant. Needs the scope `profile`. A wrong password is ' +
    'refused with 422 `session.invalid_credentials`, too many attempts with 429, and with 422 `session.password_locked` once the account has too many failures in a row. ' +
    KEPT_FROM_OPERATORS,
  request: { body: jsonBody(CurrentPassword) },
  answers: { 204: { description: 'The password was right' } },
  refusals: [422],
})
const changing = {
  request: { body: jsonBody(PasswordChange) },
  answers: { 204: { description: 'Changed' } },
  refusals: [422],
} as const
const CHANGE_EFFECTS = `${NEEDS_STEP_UP} All other sessions of the user end, and their applications receive a logout token. The user is told by a message. The present password is refused with 422 \`user.same_password\`, one that attackers know with 422 \`password.compromised\`, too many with 429.`
const changeCall = declareAccountCall({
  method: 'post',
  path: '/',
  ...changing,
  summary: 'Change my password',
  description: `Replaces the password of the signed-in user, or gives the account its first one. ${CHANGE_EFFECTS}`,
})
const putCall = declareAccountCall({
  method: 'put',
  path: '/',
  ...changing,
  summary: 'Change my password (PUT)',
  description: `The same as \`POST /api/me/password\`, for clients that replace resources with PUT. ${CHANGE_EFFECTS}`,
})

export function accountPasswordRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'profile')
    .openapi(verifyCall, async (c) => {
      const audit = beginAccountAudit(c, 'Account.Password.Verify')
      const { password } = c.req.valid('json')
      await verifyOwnPassword(dependencies, { ...requestOf(c), password, audit })
      return c.body(null, 204)
    })
    .openapi(changeCall, async (c) => {
      await change(c, c.req.valid('json'))
      return c.body(null, 204)
    })
    .openapi(putCall, async (c) => {
      await change(c, c.req.valid('json'))
      return c.body(null, 204)
    })

  async function change(c: AccountContext, { password }: z.infer<typeof PasswordChange>): Promise<void> {
    await requireEditableFields(dependencies, c.var.tenantId, ['password'])
    const audit = beginAccountAudit(c, 'Account.Password.Update')
    await changeOwnPassword(dependencies, { ...requestOf(c), password, audit })
  }
}

const requestOf = (c: AccountContext) => ({ ...callerOf(c), url: c.req.url, ip: c.var.ip })
