import { z } from 'zod'
import {
  changeConnector,
  findConnectorById,
  installConnector,
  removeConnector,
} from '../../../application/connectors/change.ts'
import { checkConnector, testConnector } from '../../../application/connectors/check.ts'
import {
  connectorResponse,
  describeConnector,
  describeDemos,
} from '../../../application/connectors/describe.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  ConnectorCheck,
  ConnectorCheckResult,
  ConnectorCreation,
  ConnectorPatch,
  ConnectorSchema,
  ConnectorTest,
} from '../../../contract/connectors/connectors.schema.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { listConnectors } from '../../../storage/connectors/connectors.ts'
import { randomId } from '../../../storage/ids.ts'
import { jsonAnswer, jsonBody, optionalJsonBody } from '../../guard.ts'
import { messageRequestOf } from '../../request-context.ts'
import { declareResource } from '../access/resource-declaration.ts'
import {
  idParam,
  type ManagementContext,
  type ManagementGuard,
  managementCalls,
  managementRouter,
  needsRecentSignIn,
} from '../router.ts'
import { signInTestRoutes } from './sign-in-tests.ts'

const declareCall = managementCalls('Connectors')

const Answered = ConnectorSchema.meta({ id: 'Connector' })
const connector = declareResource({
  tag: 'Connectors',
  name: 'connector',
  entity: Answered,
  subject: 'Connector',
})

const listCall = declareCall({
  method: 'get',
  path: '/',
  summary: 'List installed connectors',
  description:
    'Answers the connectors of the tenant, oldest first, and behind them the demo connectors of the settings (`isDemo: true`). Secrets of a configuration are answered ' +
    'as `********`. `callbackUrl` is the address at this host that the operator registers at a social provider, else null. `target` limits the list to one social provider.',
  request: { query: z.object({ target: storableText(128).optional() }) },
  answers: { 200: jsonAnswer('All connectors', z.array(Answered)) },
})
const createCall = connector.create({
  summary: 'Install a connector',
  description:
    'Installs a connector of the factory `connectorId`; its configuration is checked now if one is given. A connector that sends messages replaces the others of its type. ' +
    'Refused: an unknown factory or a second connector of the same target (422 `connector.*`), a configuration that does not fit (400 `connector.invalid_config`) or has an unknown key (400 `guard.invalid_input`), a logo that the policy of the pages blocks (422 `guard.invalid_input`). ' +
    needsRecentSignIn(),
  body: ConnectorCreation,
})
const getCall = connector.read({
  summary: 'Get an installed connector',
  description:
    'Answers one connector with its configuration; secrets are answered as `********`. An unknown id is refused with 404 `entity.not_found`, a demo connector with 400 `connector.not_found`.',
})
const patchCall = connector.update({
  summary: 'Change an installed connector',
  description:
    'Replaces the configuration, the metadata or `syncProfile`, each as a whole. A secret given as `********` keeps its stored value, unless it would be sent to another server ' +
    '(400 `guard.invalid_input`). The target of a connector cannot be changed (400 `connector.can_not_modify_target`). ' +
    needsRecentSignIn(),
  body: ConnectorPatch,
  refusals: [422],
})
const deleteCall = connector.delete({
  summary: 'Remove a connector',
  description:
    'Removes a connector. A social target that no other connector has is removed from the sign-in experience; identities of users stay linked. An unknown id is refused with ' +
    '404 `entity.not_found`.',
})
const testCall = declareCall({
  method: 'post',
  path: '/{factoryId}/test',
  summary: 'Test the configuration of a message connector',
  description:
    'Sends the code 000000 to `email` or `phone` with a configuration that need not be stored. A secret given as `********` takes the value of the installed connector. ' +
    'Failures of the provider are answered as `connector.*`; 422 a phone number of a country that the tenant does not list; 501 when the factory cannot send this kind of message.',
  request: { params: z.object({ factoryId: storableText(128) }), body: jsonBody(ConnectorTest) },
  answers: { 204: { description: 'The provider accepted the message' } },
  refusals: [422, 501],
})

const checkCall = declareCall({
  method: 'post',
  path: '/{id}/check',
  summary: 'Check the credentials of a connector',
  description:
    'Asks the provider whether it knows the credentials: a message connector by a message without a recipient or by the login alone, a social one by a code of nobody. Nothing is sent and nobody is signed in. ' +
    'With `config` another configuration is checked; a secret given as `********` takes the stored value. `unclear`: the provider answers something else. `unsupported`: it offers no way. Configurations that do not fit are refused as in a change.',
  request: { params: idParam, body: optionalJsonBody(ConnectorCheck) },
  answers: { 200: jsonAnswer('What the provider says', ConnectorCheckResult) },
  refusals: [404, 413, 415],
})

const CONNECTOR_ID_LENGTH = 12 // spec/storage#ids

export function connectorRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const find = async (c: ManagementContext, id: string) =>
    connectorResponse(await findConnectorById(dependencies, c.var.tenantId, id), c.var.url.origin)

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const { target } = c.req.valid('query')
      const [rows, demos] = await Promise.all([
        listConnectors(dependencies, c.var.tenantId),
        describeDemos(dependencies, c.var.tenantId),
      ])
      const described = [...rows.flatMap((row) => describeConnector(row) ?? []), ...demos]
      const connectors = described.filter((one) => target === undefined || one.target === target)
      return c.json(
        connectors.map((one) => connectorResponse(one, c.var.url.origin)),
        200,
      )
    })
    .openapi(createCall, async (c) => {
      const body = c.req.valid('json')
      await requireOperatorStepUp(dependencies, c.var)
      const { tenantId, url } = c.var
      const id = body.id ?? randomId(CONNECTOR_ID_LENGTH)
      const audit = connector.audit(c, 'Create', { connectorId: id, factoryId: body.connectorId }, body)
      const installation = { tenantId, id, origin: url.origin, request: body, audit }
      const installed = await installConnector(dependencies, installation)
      return c.json(connectorResponse(installed, url.origin), 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await connector.tagged(c, await find(c, id)), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const patch = c.req.valid('json')
      await requireOperatorStepUp(dependencies, c.var)
      const preconditions = await connector.preconditionsOf(dependencies, c, id, find)
      const beginAudit = (factoryId: string) =>
        connector.audit(c, 'Update', { connectorId: id, factoryId }, patch)
      const { tenantId, url } = c.var
      const change = { tenantId, id, origin: url.origin, patch, preconditions, beginAudit }
      const changed = connectorResponse(await changeConnector(dependencies, change), url.origin)
      return c.json(await connector.tagged(c, changed), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const preconditions = await connector.preconditionsOf(dependencies, c, id, find)
      const audit = connector.audit(c, 'Delete', { connectorId: id })
      await removeConnector(dependencies, { tenantId: c.var.tenantId, id, audit, preconditions })
      return c.body(null, 204)
    })
    .openapi(testCall, async (c) => {
      const { factoryId } = c.req.valid('param')
      await testConnector(dependencies, messageRequestOf(c), { factoryId, request: c.req.valid('json') })
      return c.body(null, 204)
    })
    .openapi(checkCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId, url } = c.var
      const check = { tenantId, id, origin: url.origin, request: c.req.valid('json') }
      return c.json(await checkConnector(dependencies, check), 200)
    })
    .route('/', signInTestRoutes(dependencies))
}
