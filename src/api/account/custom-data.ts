import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { mergeCustomData } from '../../application/merge-custom-data.ts'
import { CustomData } from '../../contract/users.schema.ts'
import { answer, json, refusals } from '../guard.ts'
import { accountRouter, always, alwaysWithBody, note, signedIn } from './router.ts'

const one = { 200: answer('The data', CustomData) }

const getCall = createRoute({
  method: 'get',
  path: '/',
  ...signedIn,
  summary: 'Get what applications keep about me; needs the scope `custom_data`',
  responses: { ...one, ...always },
})
const patchCall = createRoute({
  method: 'patch',
  path: '/',
  ...signedIn,
  summary: 'Merge into it, key by key at the first level',
  request: { body: json(z.object({ customData: CustomData })) },
  responses: { ...one, ...alwaysWithBody, ...refusals(404) },
})

export function accountDataRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'custom_data')
    .openapi(getCall, (c) => c.json(c.var.signedIn.user.customData, 200))
    .openapi(patchCall, async (c) => {
      const merged = await mergeCustomData(dependencies, {
        tenantId: c.var.tenantId,
        userId: c.var.signedIn.user.id,
        patch: c.req.valid('json').customData,
        audit: () => note(c, 'Account.CustomData.Update').success(),
      })
      return c.json(merged, 200)
    })
}
