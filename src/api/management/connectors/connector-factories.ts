import { z } from 'zod'
import {
  allFactories,
  findFactory,
  guideLanguages,
  toFactoryResponse,
} from '../../../application/connectors/describe.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { ConnectorFactorySchema } from '../../../contract/connectors/connectors.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { chooseLanguage, parseAcceptLanguage } from '../../../domain/experience/language.ts'
import { jsonResponse } from '../../guard.ts'
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
}

const readerOf = (c: ManagementContext) => ({
  origin: c.var.url.origin,
  language: chooseLanguage({
    requested: parseAcceptLanguage(c.req.header('accept-language')),
    available: guideLanguages,
    fallback: 'en',
  }),
})
