import { z } from 'zod'
import { mergeCustomData } from '../../../application/account/custom-data.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { findUserById } from '../../../application/users/change.ts'
import { CustomData } from '../../../contract/users/users.schema.ts'
import { jsonAnswer, jsonBody } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { idParam, managementCalls, mountedRouter } from '../router.ts'

const declareCall = managementCalls('Users')

const getCall = declareCall({
  method: 'get',
  path: '/',
  summary: 'Get the custom data of a user',
  description:
    'Answers the JSON object that applications store with a user; the server gives it no meaning. An unknown user is refused with 404 `entity.not_found`.',
  request: { params: idParam },
  answers: { 200: jsonAnswer('The custom data', CustomData) },
  refusals: [404],
})
const patchCall = declareCall({
  method: 'patch',
  path: '/',
  summary: 'Merge into the custom data of a user',
  description:
    'Merges the given keys at the first level: each replaces the key of the same name, the others stay. More than 64 KiB in all is refused with 413 `guard.invalid_input`. Merges at the ' +
    'same time all stay. A field that the tenant has defined takes what it is defined for (422 `guard.invalid_input`); null removes it.',
  request: { params: idParam, body: jsonBody(z.strictObject({ customData: CustomData })) },
  answers: { 200: jsonAnswer('The merged custom data', CustomData) },
  refusals: [404, 422],
})

/** Mounted below a user, behind the guard of its router. */
export function userCustomDataRoutes(dependencies: Dependencies) {
  return mountedRouter()
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json((await findUserById(dependencies, c.var.tenantId, id)).customData, 200)
    })
    .openapi(patchCall, async (c) => {
      const { id: userId } = c.req.valid('param')
      const body = c.req.valid('json')
      const merged = await mergeCustomData(dependencies, {
        tenantId: c.var.tenantId,
        userId,
        writer: 'operator',
        patch: body.customData,
        audit: () => beginManagementAudit(c, 'Management.User.Update', { userId }, body).success(),
      })
      return c.json(merged, 200)
    })
}
