import { z } from 'zod'
import { mergeCustomData } from '../../application/account/custom-data.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { CustomData } from '../../contract/users/users.schema.ts'
import { jsonAnswer, jsonBody } from '../guard.ts'
import { accountRouter, beginAccountAudit, declareAccountCall } from './router.ts'

const getCall = declareAccountCall({
  method: 'get',
  path: '/',
  summary: 'Get my custom data',
  description:
    'Answers the JSON object that the applications of the tenant store with the signed-in user. Needs the scope `custom_data`; the server gives the object no meaning.',
  answers: { 200: jsonAnswer('The custom data', CustomData) },
})
const patchCall = declareAccountCall({
  method: 'patch',
  path: '/',
  summary: 'Merge into my custom data',
  description:
    'Merges the given keys at the first level: each replaces the key of the same name, the others stay. Needs the scope `custom_data`. More than 64 KiB in all is refused with 413 ' +
    '`guard.invalid_input`. A field that the tenant has defined takes what it is defined for (422 `guard.invalid_input`) and is changed where its users may change it (403 `user.field_not_editable`); null removes it.',
  request: { body: jsonBody(z.strictObject({ customData: CustomData })) },
  answers: { 200: jsonAnswer('The merged custom data', CustomData) },
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
      })
      return c.json(merged, 200)
    })
}
