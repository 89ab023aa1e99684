import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { KeyRotation, SigningKey } from '../../../contract/tenants/signing-keys.schema.ts'
import { describeSigningKeys, rotateSigningKeys } from '../../../storage/tenants/signing-keys.ts'
import { jsonResponse, optionalJsonBody } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { createManagementCallDeclarer, describeRecentSignIn, managementSubrouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Signing keys')

const keysResponse = {
  200: jsonResponse('All keys, newest first', z.array(SigningKey.meta({ id: 'SigningKey' }))),
}

const listCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'listSigningKeys',
  summary: 'List signing keys',
  description:
    'Returns the keys of the JWK Set, newest first: keys that are announced, keys that sign now, and ' +
    'retired keys whose tokens may still be valid. Private keys are never returned.',
  responses: keysResponse,
})
const rotateCall = declareCall({
  method: 'post',
  path: '/rotate',
  operationId: 'rotateSigningKeys',
  summary: 'Rotate the signing keys',
  description:
    'Creates new keys, which are published immediately and begin to sign after ten minutes, when clients ' +
    'have fetched the JWK Set. With `immediately`, they sign at once. With `withdraw`, the current keys ' +
    'are also removed from the JWK Set, so that every token they signed becomes invalid, including the ' +
    'token of this call. Of two concurrent rotations, one is rejected with 409 ' +
    '`request.changed_meanwhile`. ' +
    describeRecentSignIn(),
  request: { body: optionalJsonBody(KeyRotation) },
  responses: keysResponse,
  refusals: [409, 413, 415],
})

/**
 * Creates the routes for signing keys, under the settings (spec/provider#signing-keys). The parent router authorizes
 * the calls.
 */
export function signingKeyRoutes(dependencies: Dependencies) {
  const { signingKeys } = dependencies

  return managementSubrouter()
    .openapi(listCall, async (c) => c.json(await describeSigningKeys(dependencies, c.var.tenantId), 200))
    .openapi(rotateCall, async (c) => {
      const { withdraw, immediately: isUrgent } = c.req.valid('json')
      const immediately = isUrgent || withdraw
      await requireOperatorStepUp(dependencies, c.var)
      const { tenantId } = c.var
      const audit = beginManagementAudit(c, 'Management.SigningKeys.Update', { immediately, withdraw })
      const outcome = await rotateSigningKeys(dependencies, tenantId, {
        immediately,
        withdraw,
        audit: audit.success(),
      })
      signingKeys.forget(tenantId)
      if (outcome === 'changedMeanwhile') refuseWith('request.changed_meanwhile')
      return c.json(await describeSigningKeys(dependencies, tenantId), 200)
    })
}
