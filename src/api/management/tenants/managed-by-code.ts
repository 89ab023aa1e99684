import type { Dependencies } from '../../../application/dependencies.ts'
import { mergeConfigEntry, removeConfigEntry } from '../../../application/tenants/merge-config.ts'
import {
  ManagedByCode,
  ManagedByCodeBody,
  readManagedByCode,
} from '../../../contract/tenants/managed-by-code.schema.ts'
import { readConfig } from '../../../storage/tenants/configs.ts'
import { jsonAnswer, jsonBody } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { managementCalls, mountedRouter } from '../router.ts'

const declareCall = managementCalls('Settings')

const mark = { 200: jsonAnswer('What was applied last', ManagedByCode.meta({ id: 'ManagedByCode' })) }

const getCall = declareCall({
  method: 'get',
  path: '/',
  summary: 'Get what settings as code manage',
  description:
    'Answers which sections of the settings the last `npm run config -- apply` managed, the fingerprint of their state right after it, and when that was. A tenant that is not managed by ' +
    'code has no sections; fingerprint and time are null.',
  answers: mark,
})
const putCall = declareCall({
  method: 'put',
  path: '/',
  summary: 'Record what settings as code manage',
  description:
    'Records that these sections are managed by code and the fingerprint of their state, with the time of the call, in place of what was recorded before. It changes no setting: the ' +
    'fingerprint is compared by consoles alone.',
  request: { body: jsonBody(ManagedByCodeBody) },
  answers: mark,
})
const deleteCall = declareCall({
  method: 'delete',
  path: '/',
  summary: 'Record that settings are not managed by code',
  description:
    'Deletes the record of what was applied last. The next apply writes it again. 404 `entity.not_found` when there is none.',
  answers: { 204: { description: 'Deleted' } },
  refusals: [404],
})

const key = 'managedByCode' // spec/storage#system-configuration

/** Mounted below the settings, behind the guard of their router (spec/management#managed-by-code). */
export function managedByCodeRoutes(dependencies: Dependencies) {
  const { db, now } = dependencies

  return mountedRouter()
    .openapi(getCall, async (c) => c.json(readManagedByCode(await readConfig(db, c.var.tenantId, key)), 200))
    .openapi(putCall, async (c) => {
      const body = c.req.valid('json')
      const patch = { ...body, appliedAt: now() }
      const audit = beginManagementAudit(c, 'Management.Config.Update', { configKey: key }, body)
      const stored = await mergeConfigEntry(dependencies, { tenantId: c.var.tenantId, key, patch, audit })
      return c.json(readManagedByCode(stored), 200)
    })
    .openapi(deleteCall, async (c) => {
      const audit = beginManagementAudit(c, 'Management.Config.Delete', { configKey: key })
      await removeConfigEntry(dependencies, { tenantId: c.var.tenantId, key, audit })
      return c.body(null, 204)
    })
}
