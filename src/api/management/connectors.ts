import { createRoute, z } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import type { Dependencies } from '../../application/dependencies.ts'
import { messageLanguage } from '../../application/message-language.ts'
import { sendThrough } from '../../application/send-message.ts'
import {
  Connector,
  ConnectorCreation,
  ConnectorPatch,
  ConnectorTest,
} from '../../contract/connectors.schema.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { text } from '../../contract/text.schema.ts'
import { changeProblem, creationProblem } from '../../domain/connector-rules.ts'
import { withStoredSecrets } from '../../domain/connector-secrets.ts'
import {
  CONNECTOR_ID_TAKEN,
  connectorsQuery,
  deleteConnector,
  deleteOthersOfType,
  getConnector,
  insertConnector,
  isConnector,
  listConnectors,
  openOrEmpty,
  patchConnector,
  type Connector as Row,
  sealConfig,
} from '../../storage/connectors.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import { forgetTargetOf } from '../../storage/experience.ts'
import { randomId } from '../../storage/ids.ts'
import { answer, invalidInput, json, refusals } from '../guard.ts'
import type { Guard } from './authentication.ts'
import { auditRow, note } from './change.ts'
import {
  asInstalled,
  describeConnector,
  describeFactory,
  findFactory,
  refuseBadConfig,
} from './connector-answers.ts'
import { wholeConfig } from './connector-config.ts'
import { describeDemos, refusesDemo } from './connector-demos.ts'
import { always, alwaysWithBody, guarded, idParam, managementRouter } from './router.ts'

const tags = ['Connectors']
const Answered = Connector.openapi('Connector')
const one = { 200: answer('The connector', Answered) }

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List the installed connectors',
  request: { query: z.object({ target: text(128).optional() }) },
  responses: { 200: answer('The connectors', z.array(Answered)), ...always },
})
const createCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  ...guarded,
  summary: 'Install a connector; one for messages takes the place of the others of its type',
  request: { body: json(ConnectorCreation) },
  responses: { ...one, ...alwaysWithBody, ...refusals(422) },
})
const getCall = createRoute({
  method: 'get',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Get an installed connector',
  request: { params: idParam },
  responses: { ...one, ...always, ...refusals(404) },
})
const patchCall = createRoute({
  method: 'patch',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Change a connector; what is given is replaced as a whole',
  request: { params: idParam, body: json(ConnectorPatch) },
  responses: { ...one, ...alwaysWithBody, ...refusals(404, 422) },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Remove a connector',
  request: { params: idParam },
  responses: { 204: { description: 'Removed' }, ...always, ...refusals(404) },
})
const testCall = createRoute({
  method: 'post',
  path: '/{factoryId}/test',
  tags,
  ...guarded,
  summary: 'Send the code 000000 with a configuration that is not stored yet',
  request: { params: z.object({ factoryId: text(128) }), body: json(ConnectorTest) },
  responses: { 204: { description: 'The provider has taken it' }, ...alwaysWithBody, ...refusals(501) },
})

const CONNECTOR_ID_LENGTH = 12 // contract 6
const TEST_CODE = '000000' // contract 3

export function connectorRoutes(dependencies: Dependencies, guard: Guard) {
  const { db, now, seals } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const { target } = c.req.valid('query')
      const [rows, demos] = await Promise.all([
        listConnectors(dependencies, c.var.tenantId),
        describeDemos(dependencies, c.var.tenantId),
      ])
      const connectors = [...rows.flatMap((row) => describeConnector(row) ?? []), ...demos]
      const isAsked = (connector: { target: string }) => target === undefined || connector.target === target
      return c.json(connectors.filter(isAsked), 200)
    })
    .openapi(createCall, async (c) => {
      const given = c.req.valid('json')
      const { connectorId, metadata = {}, syncProfile = false } = given
      const { tenantId } = c.var
      const id = given.id ?? randomId(CONNECTOR_ID_LENGTH)
      note(c, 'Management.Connector.Create', { connectorId: id, factoryId: connectorId }, given)
      const factory = findFactory(connectorId)
      if (!factory) refuseWith('connector.not_found_with_connector_id', { connectorId })
      const installed = (await connectorsQuery(db, tenantId)).flatMap(asInstalled)
      orRefuse(creationProblem(describeFactory(factory), given, installed))
      // There is nothing stored yet that a stand-in could mean.
      const config = given.config && withStoredSecrets(given.config, {}, factory.formItems)
      if (config !== undefined) refuseBadConfig(dependencies, factory, config)

      const row = {
        id,
        connectorId,
        syncProfile,
        metadata,
        config: await sealConfig(dependencies, tenantId, id, config ?? {}),
        createdAt: now(),
      }
      const [, [created]] = await db
        .batch([
          auditRow(dependencies, c, sql`true`),
          insertConnector(db, tenantId, row),
          ...('type' in factory ? [deleteOthersOfType(db, tenantId, { id, type: factory.type })] : []),
        ])
        .catch(asIdTaken)
      forget(tenantId)
      return c.json(await answered(created), 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      const found = await getConnector(dependencies, c.var.tenantId, id, openOrEmpty)
      if (!found) orRefuse(await refusesDemo(dependencies, c.var.tenantId, id))
      return c.json((found && describeConnector(found)) ?? refuseWith('entity.not_found'), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const patch = c.req.valid('json')
      const { tenantId } = c.var
      const stored = await getConnector(dependencies, tenantId, id, openOrEmpty)
      if (!stored) orRefuse(await refusesDemo(dependencies, tenantId, id))
      const [installed] = stored ? asInstalled(stored) : []
      const factory = stored && findFactory(stored.connectorId)
      if (!installed || !factory) refuseWith('entity.not_found')
      if (Object.keys(patch).length === 0)
        return c.json(describeConnector(stored) ?? refuseWith('entity.not_found'), 200)

      note(c, 'Management.Connector.Update', { connectorId: id, factoryId: installed.factory.id }, patch)
      orRefuse(changeProblem(installed, patch))
      const { config: given, ...rest } = patch
      // Whatever else is said of it anew, people stay filed under its target.
      const { target } = installed.metadata
      const changes = { ...rest, ...(rest.metadata && target && { metadata: { ...rest.metadata, target } }) }
      const config = given && wholeConfig(given, stored.config, factory)
      if (config !== undefined) refuseBadConfig(dependencies, factory, config)
      const sealed = config && { config: await sealConfig(dependencies, tenantId, id, config) }
      const [, [changed]] = await db.batch([
        auditRow(dependencies, c, isConnector(tenantId, id)),
        patchConnector(db, tenantId, id, { ...changes, ...sealed }),
      ])
      forget(tenantId)
      return c.json(await answered(changed), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      note(c, 'Management.Connector.Delete', { connectorId: id })
      // The connector last: before, the others ask what it was.
      const [, , deleted] = await db.batch([
        auditRow(dependencies, c, isConnector(tenantId, id)),
        // Nobody is shown a button that leads nowhere (contract 8.2).
        forgetTargetOf(db, tenantId, id),
        deleteConnector(db, tenantId, id),
      ])
      forget(tenantId)
      return deleted.length > 0 ? c.body(null, 204) : refuseWith('entity.not_found')
    })
    .openapi(testCall, async (c) => {
      const { factoryId } = c.req.valid('param')
      const { config: given, phone, email } = c.req.valid('json')
      const { tenantId, requestId } = c.var
      const factory = findFactory(factoryId)
      if (!factory) refuseWith('connector.not_found', { factoryId })
      if (!('type' in factory)) refuseWith('connector.unexpected_type')
      const stored = (await listConnectors(dependencies, tenantId)).find(
        (row) => row.connectorId === factoryId,
      )
      const config = wholeConfig(given, stored?.config ?? {}, factory)
      // A phone number wins, as both may be given.
      const [channel, to] =
        phone === undefined ? (['email', email ?? ''] as const) : (['sms', phone] as const)
      await sendThrough(
        dependencies,
        tenantId,
        { id: factoryId, factoryId, config },
        {
          channel,
          to,
          type: 'Generic',
          code: TEST_CODE,
          language: await messageLanguage(dependencies, tenantId, c.req.header('accept-language')),
          host: new URL(c.req.url).host,
          requestId,
        },
      )
      return c.body(null, 204)
    })

  function forget(tenantId: string): void {
    dependencies.experience.forget(tenantId)
    dependencies.social.forget(tenantId)
  }

  /** A row after it was written: gone meanwhile is not found. */
  async function answered(row: Row | undefined): Promise<z.infer<typeof Connector>> {
    const described = row && describeConnector(await openOrEmpty(seals, row))
    return described ?? refuseWith('entity.not_found')
  }
}

function asIdTaken(error: unknown): never {
  if (isUniqueViolation(error) !== CONNECTOR_ID_TAKEN) throw error
  throw invalidInput({ issues: [{ path: ['id'], message: 'belongs to another connector' }] })
}
