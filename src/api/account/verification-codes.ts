import { sendGenericCode } from '../../application/codes/send.ts'
import { requireOwnAddress, verifyOwnCode } from '../../application/codes/verify.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { requireCredentialAccess } from '../../application/sessions/step-up.ts'
import { CodeVerification, VerificationCodeRequest } from '../../contract/codes/verification-codes.schema.ts'
import { jsonBody } from '../guard.ts'
import { toMessageRequest } from '../request-context.ts'
import { accountRouter, beginAccountAudit, declareAccountCall, OPERATOR_RESTRICTION } from './router.ts'

const sendCall = declareAccountCall({
  method: 'post',
  path: '/',
  operationId: 'sendMyVerificationCode',
  summary: 'Send a verification code to my address',
  description:
    'Sends a code to the primary email address or phone number of the signed-in user; codes sent there ' +
    'earlier become invalid. Requires the `profile` scope. Another address is rejected with 400 ' +
    '`verification_code.*_mismatch`, a phone number of a country that the tenant does not list with 422, ' +
    'too many codes with 429, and a failure of the provider with `connector.*`. ' +
    OPERATOR_RESTRICTION,
  request: { body: jsonBody(VerificationCodeRequest) },
  responses: { 204: { description: 'The provider accepted the message' } },
  refusals: [422, 501],
})
const verifyCall = declareAccountCall({
  method: 'post',
  path: '/verify',
  operationId: 'verifyMyVerificationCode',
  summary: 'Verify a code that was sent to my address',
  description:
    "Verifies and consumes the code that was sent to the user's own address. In the following ten " +
    'minutes the signed-in user may change the password, with this token and others of its grant. ' +
    'Requires the `profile` scope. A wrong or expired code is rejected with 400 `verification_code.*`, ' +
    'and too many wrong codes for this address with 429. ' +
    OPERATOR_RESTRICTION,
  request: { body: jsonBody(CodeVerification) },
  responses: { 204: { description: 'The code was correct' } },
})

/** Sends and verifies codes for the user's own addresses (spec/management#account-verification). */
export function accountVerificationRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'profile')
    .openapi(sendCall, async (c) => {
      const { user } = c.var.signedIn
      const address = requireOwnAddress(user, c.req.valid('json'))
      beginAccountAudit(c, 'Account.VerificationCode.Create', { [address.type]: address.value })
      requireCredentialAccess(c.var.signedIn)
      await sendGenericCode(dependencies, toMessageRequest(c), {
        address,
        sender: { ip: c.var.ip, proven: [{ by: 'id', value: user.id }] },
      })
      return c.body(null, 204)
    })
    .openapi(verifyCall, async (c) => {
      const { tenantId, signedIn } = c.var
      const proof = c.req.valid('json')
      const address = requireOwnAddress(signedIn.user, proof)
      const audit = beginAccountAudit(c, 'Account.VerificationCode.Verify')
      const code = proof.verificationCode
      await verifyOwnCode(dependencies, { tenantId, signedIn, address, code, audit })
      return c.body(null, 204)
    })
}
