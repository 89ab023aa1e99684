import type { Dependencies } from '../../../application/dependencies.ts'
import { mergeConfigEntry, removeConfigEntry } from '../../../application/tenants/merge-config.ts'
import {
  ManagedByCode,
  ManagedByCodeBody,
  readManagedByCode,
} from '../../../contract/tenants/managed-by-code.schema.ts'
import { readConfig } from '../../../storage/tenants/configs.ts'
import { jsonBody, jsonResponse } from '../../guard.ts'
import { beginManagementAudit } from '../change.ts'
import { createManagementCallDeclarer, managementSubrouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Settings')

const recordResponse = {
  200: jsonResponse('What was applied last', ManagedByCode.meta({ id: 'ManagedByCode' })),
}

const getCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'getManagedByCode',
  summary: 'Get what is managed as code',
  description:
    'Returns which sections of the settings the last `npm run config -- apply` managed, the fingerprint ' +
    'of their state right after it, and when it ran. If the tenant is not managed as code, there are no ' +
    'sections, and fingerprint and time are null.',
  responses: recordResponse,
})
const putCall = declareCall({
  method: 'put',
  path: '/',
  operationId: 'replaceManagedByCode',
  summary: 'Record what is managed as code',
  description:
    'Records that these sections are managed as code, the fingerprint of their state and the time of the ' +
    'call, and replaces the previous record. It changes no setting: only consoles compare the ' +
    'fingerprint.',
  request: { body: jsonBody(ManagedByCodeBody) },
  responses: recordResponse,
})
const deleteCall = declareCall({
  method: 'delete',
  path: '/',
  operationId: 'deleteManagedByCode',
  summary: 'Record that nothing is managed as code',
  description:
    'Deletes the record of what was applied last; the next apply writes it again. Responds with 404 ' +
    '`entity.not_found` if there is none.',
  responses: { 204: { description: 'Deleted' } },
  refusals: [404],
})

const key = 'managedByCode' // spec/storage#system-configuration

/**
 * Creates the routes for objects managed by code, under the settings (spec/management#managed-by-code). The parent
 * router authorizes the calls.
 */
export function managedByCodeRoutes(dependencies: Dependencies) {
  const { db, now } = dependencies

  return managementSubrouter()
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
