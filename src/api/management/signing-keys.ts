import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { refuseWith } from '../../contract/refused.ts'
import { Rotation, SigningKey } from '../../contract/signing-keys.schema.ts'
import { describeSigningKeys, rotateSigningKeys } from '../../storage/signing-keys.ts'
import { answer, guardedRouter, json, refusals } from '../guard.ts'
import type { ManagementVariables } from './authentication.ts'
import { note } from './change.ts'
import { always, alwaysWithBody, guarded } from './router.ts'

const tags = ['Signing keys']
const keys = { 200: answer('The keys, the newest first', z.array(SigningKey.openapi('SigningKey'))) }

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List the keys that sign tokens, will sign them, or have signed some that may still live',
  responses: { ...keys, ...always },
})
const rotateCall = createRoute({
  method: 'post',
  path: '/rotate',
  tags,
  ...guarded,
  summary: 'Make new keys; tokens already signed stay valid, unless the present keys are withdrawn',
  description:
    'New keys are published at once and sign ten minutes later, when every client has had time to fetch them. With `immediately` ' +
    'they sign from now on, for when the present ones may be known to others. With `withdraw` the present ones are no longer ' +
    'published either: whatever they signed is worth nothing from now on, the token of this call among it. Of two who rotate at the same time one hears ' +
    '`request.changed_meanwhile`.',
  request: { body: json(Rotation) },
  responses: { ...keys, ...alwaysWithBody, ...refusals(409) },
})

/** Decision 26. Mounted in the routes of /configs, behind their gate. */
export function signingKeyRoutes(dependencies: Dependencies) {
  const { signingKeys } = dependencies

  return guardedRouter<{ Variables: ManagementVariables }>()
    .openapi(listCall, async (c) => c.json(await describeSigningKeys(dependencies, c.var.tenantId), 200))
    .openapi(rotateCall, async (c) => {
      const { withdraw, immediately: isUrgent } = c.req.valid('json')
      const immediately = isUrgent || withdraw
      const { tenantId } = c.var
      const audit = note(c, 'Management.SigningKeys.Update', { immediately, withdraw })
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
