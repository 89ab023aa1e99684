import type { Dependencies } from '../../application/dependencies.ts'
import {
  addOwnTotp,
  beginOwnTotp,
  removeOwnFactors,
  renewOwnBackupCodes,
} from '../../application/factors/manage.ts'
import { readFactors } from '../../application/factors/reset.ts'
import {
  BackupCodesSchema,
  FactorsSchema,
  TotpProof,
  TotpSetupSchema,
} from '../../contract/factors/factors.schema.ts'
import { jsonAnswer, jsonBody } from '../guard.ts'
import { accountRouter, beginAccountAudit, callerOf, declareAccountCall, NEEDS_STEP_UP } from './router.ts'

const TOLD = 'Every address of the user is told by a message.'

const listCall = declareAccountCall({
  method: 'get',
  path: '/',
  summary: 'List my second factors',
  description:
    'Answers whether the signed-in user has an authenticator app, since when and when it was used, how many backup codes are left and whether these are few, and how many passkeys and security keys there are; never secrets or codes. Needs the scope `profile`.',
  answers: { 200: jsonAnswer('The second factors', FactorsSchema.meta({ id: 'Factors' })) },
})
const beginCall = declareAccountCall({
  method: 'post',
  path: '/totp',
  summary: 'Begin to set up my authenticator app',
  description: `Answers a new secret, as text and as the address that a QR code says, and an \`enrolment\` to give back within ten minutes. Nothing is written yet. ${NEEDS_STEP_UP} Refused with 422 \`user.sign_in_method_not_enabled\` where nobody is asked for one: the policy of the tenant is \`off\` and no role or application has another, or the factors of the tenant are without \`totp\`.`,
  answers: { 200: jsonAnswer('The secret', TotpSetupSchema) },
  refusals: [422],
})
const proveCall = declareAccountCall({
  method: 'put',
  path: '/totp',
  summary: 'Set up my authenticator app',
  description: `Takes a code of the app, which replaces the one before, and answers ten backup codes, which are shown this once. ${TOLD} ${NEEDS_STEP_UP} A wrong code is refused with 422 \`session.invalid_second_factor\`, an enrolment that is not of this user or too old with 404 \`session.verification_session_not_found\`.`,
  request: { body: jsonBody(TotpProof) },
  answers: { 200: jsonAnswer('The backup codes', BackupCodesSchema) },
  refusals: [404, 422],
})
const renewCall = declareAccountCall({
  method: 'post',
  path: '/backup-codes',
  summary: 'Replace my backup codes',
  description: `Answers ten new backup codes, which are shown this once; the earlier ones count no more. ${TOLD} ${NEEDS_STEP_UP} Without an authenticator app, a passkey or a security key the answer is 404 \`entity.not_found\`.`,
  answers: { 200: jsonAnswer('The backup codes', BackupCodesSchema) },
  refusals: [404],
})
const deleteCall = declareAccountCall({
  method: 'delete',
  path: '/',
  summary: 'Remove my second factors',
  description: `Removes the authenticator app and the backup codes; sessions go on. ${TOLD} ${NEEDS_STEP_UP} Without either the answer is 404 \`entity.not_found\`.`,
  answers: { 204: { description: 'Removed' } },
  refusals: [404],
})

export function accountFactorRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'profile', 'factors')
    .openapi(listCall, async (c) => {
      const { tenantId, signedIn } = c.var
      const factors = await readFactors(dependencies, { tenantId, userId: signedIn.user.id })
      return c.json(factors, 200)
    })
    .openapi(beginCall, async (c) => c.json(await beginOwnTotp(dependencies, callerOf(c)), 200))
    .openapi(proveCall, async (c) => {
      const audit = beginAccountAudit(c, 'Account.Factor.Create')
      const backupCodes = await addOwnTotp(dependencies, { ...callerOf(c), ...c.req.valid('json'), audit })
      return c.json({ backupCodes }, 200)
    })
    .openapi(renewCall, async (c) => {
      const audit = beginAccountAudit(c, 'Account.Factor.Update')
      return c.json({ backupCodes: await renewOwnBackupCodes(dependencies, { ...callerOf(c), audit }) }, 200)
    })
    .openapi(deleteCall, async (c) => {
      const audit = beginAccountAudit(c, 'Account.Factor.Delete')
      await removeOwnFactors(dependencies, { ...callerOf(c), audit })
      return c.body(null, 204)
    })
}
