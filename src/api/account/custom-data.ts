import { mergeCustomData } from '../../application/account/custom-data.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { CustomData, CustomDataPatch } from '../../contract/users/users.schema.ts'
import { jsonBody, jsonResponse } from '../guard.ts'
import { createBackgroundRunner } from '../request-context.ts'
import { accountRouter, beginAccountAudit, declareAccountCall } from './router.ts'

const getCall = declareAccountCall({
  method: 'get',
  path: '/',
  operationId: 'getMyCustomData',
  summary: 'Get my custom data',
  description:
    "Returns the JSON object that the tenant's applications store with the signed-in user. The server " +
    'does not interpret it. Requires the `custom_data` scope.',
  responses: { 200: jsonResponse('The custom data', CustomData) },
})
const patchCall = declareAccountCall({
  method: 'patch',
  path: '/',
  operationId: 'updateMyCustomData',
  summary: 'Merge into my custom data',
  description:
    'Merges the given keys at the top level: each replaces the key of the same name, and the others ' +
    'stay. Requires the `custom_data` scope. An object of more than 64 KiB is rejected with 413 ' +
    '`guard.invalid_input`. A field that the tenant has defined accepts only values that match its ' +
    'definition (422 `guard.invalid_input`) and can be changed only if users may edit it (403 ' +
    '`user.field_not_editable`); null removes it.',
  request: { body: jsonBody(CustomDataPatch) },
  responses: { 200: jsonResponse('The merged custom data', CustomData) },
  refusals: [404, 422],
})

export function accountDataRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'custom_data')
    .openapi(getCall, (c) => c.json(c.var.signedIn.user.customData, 200))
    .openapi(patchCall, async (c) => {
      const merged = await mergeCustomData(dependencies, {
        tenantId: c.var.tenantId,
        userId: c.var.signedIn.user.id,
        writer: 'user',
        patch: c.req.valid('json').customData,
        audit: () => beginAccountAudit(c, 'Account.CustomData.Update').success(),
        applicationId: c.var.signedIn.token.clientId,
        background: createBackgroundRunner(c),
      })
      return c.json(merged, 200)
    })
}
