import type { Dependencies } from '../../application/dependencies.ts'
import {
  addOwnTotp,
  beginOwnTotpEnrolment,
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
import { jsonBody, jsonResponse } from '../guard.ts'
import {
  accountCallContext,
  accountRouter,
  beginAccountAudit,
  declareAccountCall,
  STEP_UP_REQUIREMENT,
} from './router.ts'

const NOTIFICATION = 'A message notifies every address of the user.'

const listCall = declareAccountCall({
  method: 'get',
  path: '/',
  operationId: 'getMyFactors',
  summary: 'List my second factors',
  description:
    'Returns whether the signed-in user has an authenticator app, when it was added and last used, how ' +
    'many backup codes are left and whether that is few, and how many passkeys and security keys there ' +
    'are. Secrets and codes are never returned. Requires the `profile` scope.',
  responses: { 200: jsonResponse('The second factors', FactorsSchema.meta({ id: 'Factors' })) },
})
const beginCall = declareAccountCall({
  method: 'post',
  path: '/totp',
  operationId: 'beginMyTotp',
  summary: 'Begin to set up my authenticator app',
  description:
    'Returns a new secret, both as text and as the URI that a QR code encodes, and an `enrolment` to ' +
    `send back within ten minutes. Nothing is stored yet. ${STEP_UP_REQUIREMENT} Responds with 422 ` +
    '`user.sign_in_method_not_enabled` if no authenticator app would ever be requested: because the ' +
    'policy of the tenant is `off` and no role or application has another one, or because the factors of ' +
    'the tenant do not include `totp`.',
  responses: { 200: jsonResponse('The secret', TotpSetupSchema) },
  refusals: [422],
})
const proveCall = declareAccountCall({
  method: 'put',
  path: '/totp',
  operationId: 'verifyMyTotp',
  summary: 'Set up my authenticator app',
  description:
    'Verifies a code from the app, which replaces the previous app, and returns ten backup codes, which ' +
    `are shown only once. ${NOTIFICATION} ${STEP_UP_REQUIREMENT} A wrong code is rejected with 422 ` +
    '`session.invalid_second_factor`, and an enrolment that has expired or belongs to another user with ' +
    '404 `session.verification_session_not_found`.',
  request: { body: jsonBody(TotpProof) },
  responses: { 200: jsonResponse('The backup codes', BackupCodesSchema) },
  refusals: [404, 422],
})
const renewCall = declareAccountCall({
  method: 'post',
  path: '/backup-codes',
  operationId: 'replaceMyBackupCodes',
  summary: 'Replace my backup codes',
  description:
    'Returns ten new backup codes, which are shown only once; the previous codes become invalid. ' +
    `${NOTIFICATION} ${STEP_UP_REQUIREMENT} Responds with 404 \`entity.not_found\` if the user has no ` +
    'authenticator app, passkey or security key.',
  responses: { 200: jsonResponse('The backup codes', BackupCodesSchema) },
  refusals: [404],
})
const deleteCall = declareAccountCall({
  method: 'delete',
  path: '/',
  operationId: 'removeMyFactors',
  summary: 'Remove my second factors',
  description:
    `Removes the authenticator app and the backup codes; sessions continue. ${NOTIFICATION} ` +
    `${STEP_UP_REQUIREMENT} Responds with 404 \`entity.not_found\` if there are neither.`,
  responses: { 204: { description: 'Removed' } },
  refusals: [404],
})

export function accountFactorRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'profile', 'factors')
    .openapi(listCall, async (c) => {
      const { tenantId, signedIn } = c.var
      const factors = await readFactors(dependencies, { tenantId, userId: signedIn.user.id })
      return c.json(factors, 200)
    })
    .openapi(beginCall, async (c) =>
      c.json(await beginOwnTotpEnrolment(dependencies, accountCallContext(c)), 200),
    )
    .openapi(proveCall, async (c) => {
      const audit = beginAccountAudit(c, 'Account.Factor.Create')
      const backupCodes = await addOwnTotp(dependencies, {
        ...accountCallContext(c),
        ...c.req.valid('json'),
        audit,
      })
      return c.json({ backupCodes }, 200)
    })
    .openapi(renewCall, async (c) => {
      const audit = beginAccountAudit(c, 'Account.Factor.Update')
      return c.json(
        { backupCodes: await renewOwnBackupCodes(dependencies, { ...accountCallContext(c), audit }) },
        200,
      )
    })
    .openapi(deleteCall, async (c) => {
      const audit = beginAccountAudit(c, 'Account.Factor.Delete')
      await removeOwnFactors(dependencies, { ...accountCallContext(c), audit })
      return c.body(null, 204)
    })
}
