import { mergeCustomData } from '../../../application/account/custom-data.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { findUserById } from '../../../application/users/change.ts'
import { CustomData, CustomDataPatch } from '../../../contract/users/users.schema.ts'
import { describeChanges, mergePatch } from '../../../domain/audit-changes.ts'
import { jsonBody, jsonResponse } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { createManagementCallDeclarer, idParam, managementSubrouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Users')

const getCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'getUserCustomData',
  summary: 'Get the custom data of a user',
  description:
    'Returns the JSON object that applications store with a user. The server does not interpret it. ' +
    'Responds with 404 `entity.not_found` if the user is unknown.',
  request: { params: idParam },
  responses: { 200: jsonResponse('The custom data', CustomData) },
  refusals: [404],
})
const patchCall = declareCall({
  method: 'patch',
  path: '/',
  operationId: 'updateUserCustomData',
  summary: 'Merge into the custom data of a user',
  description:
    'Merges the given keys at the top level: each replaces the key of the same name, and the others ' +
    'stay. Concurrent merges are all kept. An object of more than 64 KiB is rejected with 413 ' +
    '`guard.invalid_input`. A field that the tenant has defined accepts only values that match its ' +
    'definition (422 `guard.invalid_input`); null removes it.',
  request: { params: idParam, body: jsonBody(CustomDataPatch) },
  responses: { 200: jsonResponse('The merged custom data', CustomData) },
  refusals: [404, 422],
})

/** Creates the routes for a user's custom data. The parent router authorizes the calls. */
export function userCustomDataRoutes(dependencies: Dependencies) {
  return managementSubrouter()
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json((await findUserById(dependencies, c.var.tenantId, id)).customData, 200)
    })
    .openapi(patchCall, async (c) => {
      const { id: userId } = c.req.valid('param')
      const body = c.req.valid('json')
      const stored = await findUserById(dependencies, c.var.tenantId, userId)
      const merged = await mergeCustomData(dependencies, {
        tenantId: c.var.tenantId,
        userId,
        writer: 'operator',
        patch: body.customData,
        audit: () => {
          const before = { customData: stored.customData }
          const after = { customData: mergePatch(stored.customData, body.customData) }
          const entry = beginManagementAudit(c, 'Management.User.Update', { userId }, body)
          return entry.success(describeChanges(before, after))
        },
      })
      return c.json(merged, 200)
    })
}
