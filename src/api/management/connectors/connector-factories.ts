import { z } from 'zod'
import { checkNewConnector } from '../../../application/connectors/check.ts'
import {
  allFactories,
  findFactory,
  guideLanguages,
  toFactoryResponse,
} from '../../../application/connectors/describe.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import {
  ConnectorCheckResult,
  ConnectorFactorySchema,
  NewConnectorCheck,
} from '../../../contract/connectors/connectors.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { chooseLanguage, parseAcceptLanguage } from '../../../domain/experience/language.ts'
import { jsonBody, jsonResponse } from '../../guard.ts'
import {
  createManagementCallDeclarer,
  idParam,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
} from '../router.ts'

const declareCall = createManagementCallDeclarer('Connectors')

const FactoryResponse = ConnectorFactorySchema.meta({ id: 'ConnectorFactory' })

const listCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'listConnectorFactories',
  summary: 'List connector factories',
  description:
    'Returns every kind of connector that this version of the server can install: for social sign-in, ' +
    'email and text messages, each with the form of its configuration. `readme` is a setup guide in ' +
    'Markdown, with `{{callbackUrl}}` as a placeholder for that URL. It and the texts of the form are in ' +
    'English, or in German for `Accept-Language: de`. `callbackUrl` is the URL to ' +
    'register with a social provider, with `{id}` in place of the id of the connector; it is null for ' +
    'other connectors.',
  responses: { 200: jsonResponse('All factories', z.array(FactoryResponse)) },
})
const getCall = declareCall({
  method: 'get',
  path: '/{id}',
  operationId: 'getConnectorFactory',
  summary: 'Get a connector factory',
  description:
    'Returns one kind of connector with the form of its configuration, from which a console can build ' +
    'its input fields. Responds with 400 `entity.not_found` if the id is unknown.',
  request: { params: idParam },
  responses: { 200: jsonResponse('The factory', FactoryResponse) },
})

const checkCall = declareCall({
  method: 'post',
  path: '/{id}/check',
  operationId: 'checkNewConnectorCredentials',
  summary: 'Check the credentials of a new connector',
  description:
    'Asks the provider whether it accepts the credentials in a configuration that no connector has yet, in the ' +
    'same way as for an installed connector. Nothing is stored or sent. An invalid configuration is rejected as ' +
    'in an installation. Responds with 400 `connector.not_found` if the id is unknown.',
  request: { params: idParam, body: jsonBody(NewConnectorCheck) },
  responses: { 200: jsonResponse('The outcome of the check', ConnectorCheckResult) },
})

export function connectorFactoryRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const factories = allFactories().map((factory) => toFactoryResponse(factory, readerOf(c)))
      return c.json(await Promise.all(factories), 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      // Only this call returns this error code with the status 400 (spec/errors#two-statuses).
      const factory = findFactory(id) ?? refuseWith('entity.not_found', { id }, 400)
      return c.json(await toFactoryResponse(factory, readerOf(c)), 200)
    })
    .openapi(checkCall, async (c) => {
      const { id: factoryId } = c.req.valid('param')
      const { tenantId, url } = c.var
      const check = { tenantId, factoryId, origin: url.origin, ...c.req.valid('json') }
      return c.json(await checkNewConnector(dependencies, check), 200)
    })
}

const readerOf = (c: ManagementContext) => ({
  origin: c.var.url.origin,
  language: chooseLanguage({
    requested: parseAcceptLanguage(c.req.header('accept-language')),
    available: guideLanguages,
    fallback: 'en',
  }),
})
