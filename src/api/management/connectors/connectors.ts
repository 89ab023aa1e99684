import { z } from 'zod'
import {
  changeConnector,
  findConnectorById,
  installConnector,
  removeConnector,
} from '../../../application/connectors/change.ts'
import { checkConnector, testConnector } from '../../../application/connectors/check.ts'
import {
  describeConnector,
  describeDemos,
  toConnectorResponse,
} from '../../../application/connectors/describe.ts'
import { previewMessage } from '../../../application/connectors/preview.ts'
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
import {
  MessagePreview,
  MessagePreviewRequest,
} from '../../../contract/connectors/message-previews.schema.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { listConnectors } from '../../../storage/connectors/connectors.ts'
import { jsonBody, jsonResponse, optionalJsonBody } from '../../guard.ts'
import { toOwnMessageRequest } from '../../request-context.ts'
import { declareResource } from '../access/resource-declaration.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  idParam,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
} from '../router.ts'
import { signInTestRoutes } from './sign-in-tests.ts'

const declareCall = createManagementCallDeclarer('Connectors')

const ConnectorResponse = ConnectorSchema.meta({ id: 'Connector' })
const connector = declareResource({
  tag: 'Connectors',
  name: 'connector',
  entity: ConnectorResponse,
  subject: 'Connector',
})

const listCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'listConnectors',
  summary: 'List installed connectors',
  description:
    'Returns the connectors of the tenant, oldest first, followed by the demo connectors from the ' +
    'settings (`isDemo: true`). Secrets in a configuration are returned as `********`. `callbackUrl` is ' +
    'the URL on this host that the operator registers with a social provider; it is null for other ' +
    'connectors. `target` limits the list to one social provider.',
  request: { query: z.object({ target: storableText(128).optional() }) },
  responses: { 200: jsonResponse('All connectors', z.array(ConnectorResponse)) },
})
const createCall = connector.create({
  operationId: 'createConnector',
  summary: 'Install a connector',
  description:
    'Installs a connector of the factory `connectorId`, and validates its configuration if one is given. ' +
    'A connector that sends messages replaces the others of its type. Without an `id`, a connector with a ' +
    'target of its own gets an id like its target, and any other connector a random one. Errors: 422 ' +
    '`connector.*` for an unknown factory or a second connector of the same target, 400 ' +
    '`connector.invalid_config` for an invalid configuration, 400 `guard.invalid_input` for an unknown ' +
    'key in it or an id that another connector has, 422 ' +
    '`guard.invalid_input` for a logo that the content security policy of the pages blocks. ' +
    describeRecentSignIn(),
  body: ConnectorCreation,
})
const getCall = connector.read({
  operationId: 'getConnector',
  summary: 'Get an installed connector',
  description:
    'Returns one connector with its configuration; secrets are returned as `********`. Responds with 404 ' +
    '`entity.not_found` if the id is unknown, and with 400 `connector.not_found` for a demo connector.',
})
const patchCall = connector.update({
  operationId: 'updateConnector',
  summary: 'Change an installed connector',
  description:
    'Replaces the configuration, the metadata or `syncProfile`, each as a whole. A secret given as ' +
    '`********` keeps its stored value, unless it would be sent to another server (400 ' +
    '`guard.invalid_input`). The target of a connector cannot be changed (400 ' +
    '`connector.can_not_modify_target`). ' +
    describeRecentSignIn(),
  body: ConnectorPatch,
  refusals: [422],
})
const deleteCall = connector.delete({
  operationId: 'deleteConnector',
  summary: 'Remove a connector',
  description:
    'Removes a connector. A social target that no other connector has is removed from the sign-in ' +
    'experience; identities of users stay linked. Responds with 404 `entity.not_found` if the id is ' +
    'unknown.',
})
const testCall = declareCall({
  method: 'post',
  path: '/{factoryId}/test',
  operationId: 'testMessageConnector',
  summary: 'Test the configuration of a message connector',
  description:
    'Sends the code 000000 to `email` or `phone` with a configuration that need not be stored. A secret ' +
    'given as `********` takes the value of the installed connector. `usageType` and `language` send ' +
    'another type of message, with the template for it in the configuration and example values. Errors: `connector.*` if the ' +
    'provider fails, 422 for a phone number of a country that the tenant does not list, 501 if the ' +
    'factory cannot send this kind of message.',
  request: { params: z.object({ factoryId: storableText(128) }), body: jsonBody(ConnectorTest) },
  responses: { 204: { description: 'The provider accepted the message' } },
  refusals: [422, 501],
})

const previewCall = declareCall({
  method: 'post',
  path: '/{factoryId}/message-preview',
  operationId: 'previewMessage',
  summary: 'Preview a message',
  description:
    'Renders a message of a type and language with example values: the given template, or without one the ' +
    'built-in message. `builtIn` is the built-in message as a template, with placeholders. An HTML template ' +
    'is returned as it would be sent, so show it without scripts. Nothing is sent or stored. Responds with ' +
    '400 `connector.not_found` or `connector.unexpected_type` if the factory is unknown or sends no messages.',
  request: { params: z.object({ factoryId: storableText(128) }), body: jsonBody(MessagePreviewRequest) },
  responses: { 200: jsonResponse('The message', MessagePreview) },
})

const checkCall = declareCall({
  method: 'post',
  path: '/{id}/check',
  operationId: 'checkConnectorCredentials',
  summary: 'Check the credentials of a connector',
  description:
    'Asks the provider whether it accepts the credentials: a message connector sends a message without a ' +
    'recipient or only logs in, and a social connector redeems a made-up code. Nothing is sent and ' +
    'nobody is signed in. With `config`, another configuration is checked; a secret given as `********` ' +
    'takes the stored value. `unclear` means that the provider gave another response, `unsupported` that ' +
    'it offers no way to check. An invalid configuration is rejected as in a change.',
  request: { params: idParam, body: optionalJsonBody(ConnectorCheck) },
  responses: { 200: jsonResponse('The outcome of the check', ConnectorCheckResult) },
  refusals: [404, 413, 415],
})

export function connectorRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const find = async (c: ManagementContext, id: string) =>
    toConnectorResponse(await findConnectorById(dependencies, c.var.tenantId, id), c.var.url.origin)

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
        connectors.map((one) => toConnectorResponse(one, c.var.url.origin)),
        200,
      )
    })
    .openapi(createCall, async (c) => {
      const body = c.req.valid('json')
      await requireOperatorStepUp(dependencies, c.var)
      const { tenantId, url } = c.var
      const beginAudit = (connectorId: string) =>
        connector.audit(c, 'Create', { connectorId, factoryId: body.connectorId }, body)
      const installation = { tenantId, origin: url.origin, request: body, beginAudit }
      const installed = await installConnector(dependencies, installation)
      return c.json(toConnectorResponse(installed, url.origin), 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await connector.tagged(c, await find(c, id)), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const patch = c.req.valid('json')
      await requireOperatorStepUp(dependencies, c.var)
      const preconditions = await connector.readPreconditions(dependencies, c, id, find)
      const beginAudit = (factoryId: string) =>
        connector.audit(c, 'Update', { connectorId: id, factoryId }, patch)
      const { tenantId, url } = c.var
      const change = { tenantId, id, origin: url.origin, patch, preconditions, beginAudit }
      const changed = toConnectorResponse(await changeConnector(dependencies, change), url.origin)
      return c.json(await connector.tagged(c, changed), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const preconditions = await connector.readPreconditions(dependencies, c, id, find)
      const audit = connector.audit(c, 'Delete', { connectorId: id })
      await removeConnector(dependencies, { tenantId: c.var.tenantId, id, audit, preconditions })
      return c.body(null, 204)
    })
    .openapi(testCall, async (c) => {
      const { factoryId } = c.req.valid('param')
      await testConnector(dependencies, toOwnMessageRequest(c), { factoryId, request: c.req.valid('json') })
      return c.body(null, 204)
    })
    .openapi(previewCall, async (c) => {
      const { factoryId } = c.req.valid('param')
      const preview = { factoryId, request: c.req.valid('json') }
      return c.json(await previewMessage(dependencies, toOwnMessageRequest(c), preview), 200)
    })
    .openapi(checkCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId, url } = c.var
      const check = { tenantId, id, origin: url.origin, request: c.req.valid('json') }
      return c.json(await checkConnector(dependencies, check), 200)
    })
    .route('/', signInTestRoutes(dependencies))
}
