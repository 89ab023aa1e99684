import { sendGenericCode } from '../../../application/codes/send.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import {
  CodeVerification,
  VerificationCodeRequest,
} from '../../../contract/codes/verification-codes.schema.ts'
import { throwIfRefused } from '../../../contract/refused.ts'
import { verifyGenericCode } from '../../../storage/codes/generic-codes.ts'
import { jsonBody } from '../../guard.ts'
import { toMessageRequest } from '../../request-context.ts'
import { createManagementCallDeclarer, type ManagementGuard, managementRouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Verification codes')

const sendCall = declareCall({
  method: 'post',
  path: '/',
  operationId: 'sendVerificationCode',
  summary: 'Send a verification code',
  description:
    'Sends a code to an email address or a phone number through the connector of the tenant; it is valid ' +
    'for ten minutes. Codes sent to this address earlier become invalid. Errors: `connector.*` if ' +
    'there is no connector or its provider does not accept the message, 422 for a phone number of a ' +
    'country that the tenant does not list, 429 after too many codes to one address or from one ' +
    'application.',
  request: { body: jsonBody(VerificationCodeRequest) },
  responses: { 204: { description: 'The provider accepted the message' } },
  refusals: [422, 501],
})
const verifyCall = declareCall({
  method: 'post',
  path: '/verify',
  operationId: 'verifyVerificationCode',
  summary: 'Verify a code',
  description:
    'Compares a code with the one that was sent to this address, and consumes it if it is correct. A ' +
    'wrong, expired or unknown code is rejected with 400 `verification_code.*`; after too many wrong ' +
    'attempts the code becomes invalid (`verification_code.exceed_max_try`).',
  request: { body: jsonBody(CodeVerification) },
  responses: { 204: { description: 'The code was correct' } },
})

/**
 * Serves verification codes that belong to an address rather than to an interaction (spec/management#generic-codes).
 */
export function verificationCodeRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { now } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(sendCall, async (c) => {
      const sender = { principal: c.var.principal }
      const address = addressOf(c.req.valid('json'))
      await sendGenericCode(dependencies, toMessageRequest(c), { address, sender })
      return c.body(null, 204)
    })
    .openapi(verifyCall, async (c) => {
      const proof = c.req.valid('json')
      const attempt = { address: addressOf(proof), code: proof.verificationCode, now: now() }
      throwIfRefused(await verifyGenericCode(dependencies, c.var.tenantId, attempt))
      return c.body(null, 204)
    })
}

const addressOf = (recipient: { email: string } | { phone: string }) =>
  'email' in recipient
    ? ({ type: 'email', value: recipient.email } as const)
    : ({ type: 'phone', value: recipient.phone } as const)
