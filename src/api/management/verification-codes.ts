import { createRoute } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { sendGenericCode } from '../../application/send-generic-code.ts'
import { Refused } from '../../contract/refused.ts'
import { CodeRequest, CodeVerification } from '../../contract/verification-codes.schema.ts'
import type { Address } from '../../domain/passcodes.ts'
import { verifyGenericCode } from '../../storage/passcodes.ts'
import { json, refusals } from '../guard.ts'
import { messageRequestOf } from '../request-context.ts'
import type { Guard } from './authentication.ts'
import { alwaysWithBody, guarded, managementRouter } from './router.ts'

const tags = ['Verification codes']

const sendCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  ...guarded,
  summary: 'Send a code to an address; the codes sent there before are void',
  request: { body: json(CodeRequest) },
  responses: { 204: { description: 'It is on its way' }, ...alwaysWithBody, ...refusals(501) },
})
const verifyCall = createRoute({
  method: 'post',
  path: '/verify',
  tags,
  ...guarded,
  summary: 'Is this the code that was sent? A right one is used up',
  request: { body: json(CodeVerification) },
  responses: { 204: { description: 'It is' }, ...alwaysWithBody },
})

/** Codes for an operator's own purposes (contract 3, Generic). */
export function verificationCodeRoutes(dependencies: Dependencies, guard: Guard) {
  const { db, now } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(sendCall, async (c) => {
      const address = addressOf(c.req.valid('json'))
      await sendGenericCode(dependencies, messageRequestOf(c), address)
      return c.body(null, 204)
    })
    .openapi(verifyCall, async (c) => {
      const given = c.req.valid('json')
      const address = addressOf(given)
      const refusal = await verifyGenericCode(db, c.var.tenantId, {
        address,
        code: given.verificationCode,
        now: now(),
      })
      if (refusal) throw new Refused(refusal)
      return c.body(null, 204)
    })
}

const addressOf = (given: { email: string } | { phone: string }): Address =>
  'email' in given ? { type: 'email', value: given.email } : { type: 'phone', value: given.phone }
