import type { z } from 'zod'
import { requireEditableFields } from '../../application/account/account-fields.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { changeOwnPassword, verifyOwnPassword } from '../../application/passwords/own-password.ts'
import { CurrentPassword, PasswordChange } from '../../contract/account/account.schema.ts'
import { jsonBody } from '../guard.ts'
import type { AccountContext } from './authentication.ts'
import {
  accountCallContext,
  accountRouter,
  beginAccountAudit,
  declareAccountCall,
  OPERATOR_RESTRICTION,
  STEP_UP_REQUIREMENT,
} from './router.ts'

const verifyCall = declareAccountCall({
  method: 'post',
  path: '/verify',
  operationId: 'verifyMyPassword',
  summary: 'Verify my password',
  description:
    'Compares a password with that of the signed-in user, who may then change it within ten minutes, ' +
    'with this token and others of its grant. Requires the `profile` scope. Responds with 422 ' +
    '`session.invalid_credentials` if the password is wrong, with 429 after too many attempts, and with ' +
    '422 `session.password_locked` once the account has too many failures in a row. ' +
    OPERATOR_RESTRICTION,
  request: { body: jsonBody(CurrentPassword) },
  responses: { 204: { description: 'The password was correct' } },
  refusals: [422],
})
const passwordChange = {
  request: { body: jsonBody(PasswordChange) },
  responses: { 204: { description: 'Changed' } },
  refusals: [422],
} as const
const CHANGE_EFFECTS =
  `${STEP_UP_REQUIREMENT} All other sessions of the user end, and their applications receive a logout token. ` +
  'The user is notified by a message. The current password is rejected with 422 `user.same_password`, a ' +
  'password known to attackers with 422 `password.compromised`, and too many passwords with 429.'
const changeCall = declareAccountCall({
  method: 'post',
  path: '/',
  ...passwordChange,
  operationId: 'changeMyPassword',
  summary: 'Change my password',
  description: `Replaces the password of the signed-in user, or gives the account its first one. ${CHANGE_EFFECTS}`,
})
const putCall = declareAccountCall({
  method: 'put',
  path: '/',
  ...passwordChange,
  operationId: 'replaceMyPassword',
  summary: 'Change my password (PUT)',
  description: `Does the same as \`POST /api/me/password\`, for clients that replace resources with PUT. ${CHANGE_EFFECTS}`,
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

const requestOf = (c: AccountContext) => ({ ...accountCallContext(c), url: c.req.url, ip: c.var.ip })
