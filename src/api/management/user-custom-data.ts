import { createRoute, z } from '@hono/zod-openapi'
import { userOf } from '../../application/change-user.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { mergeCustomData } from '../../application/merge-custom-data.ts'
import { CustomData } from '../../contract/users.schema.ts'
import { answer, guardedRouter, json, refusals } from '../guard.ts'
import type { ManagementVariables } from './authentication.ts'
import { beginAudit } from './change.ts'
import { always, alwaysWithBody, guarded, idParam } from './router.ts'

const tags = ['Users']

const getCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: "Get an application's own data about a user",
  request: { params: idParam },
  responses: { 200: answer('The data', CustomData), ...always, ...refusals(404) },
})
const patchCall = createRoute({
  method: 'patch',
  path: '/',
  tags,
  ...guarded,
  summary: 'Merge into it, key by key at the first level',
  request: { params: idParam, body: json(z.object({ customData: CustomData })) },
  responses: { 200: answer('The data', CustomData), ...alwaysWithBody, ...refusals(404) },
})

/** Mounted in the routes of users, behind their gate. */
export function userCustomDataRoutes(dependencies: Dependencies) {
  return guardedRouter<{ Variables: ManagementVariables }>()
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json((await userOf(dependencies, c.var.tenantId, id)).customData, 200)
    })
    .openapi(patchCall, async (c) => {
      const { id: userId } = c.req.valid('param')
      const merged = await mergeCustomData(dependencies, {
        tenantId: c.var.tenantId,
        userId,
        patch: c.req.valid('json').customData,
        audit: (customData) => beginAudit(c, 'Management.User.Update', { userId }, { customData }).success(),
      })
      return c.json(merged, 200)
    })
}
