import { createRoute, z } from '@hono/zod-openapi'
import { factoryAnswer } from '../../application/connector-answers.ts'
import { allFactories, describeFactory, findFactory } from '../../application/connector-descriptions.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { ConnectorFactorySchema } from '../../contract/connectors.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import { jsonAnswer } from '../guard.ts'
import {
  idParam,
  type ManagementGuard,
  managementRefusals,
  managementRouter,
  managementSecurity,
} from './router.ts'

const tags = ['Connectors']
const Answered = ConnectorFactorySchema.openapi('ConnectorFactory')

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...managementSecurity,
  summary: 'List connector factories',
  description:
    'Answers every kind of connector that this version of the server can install: providers of social sign-in, of e-mail and of text messages, each with the form ' +
    'of its configuration. `callbackUrl` is the address to register at a social provider, with `{id}` where the id of the connector goes, else null.',
  responses: { 200: jsonAnswer('All factories', z.array(Answered)), ...managementRefusals },
})
const getCall = createRoute({
  method: 'get',
  path: '/{id}',
  tags,
  ...managementSecurity,
  summary: 'Get a connector factory',
  description:
    'Answers one kind of connector with the form of its configuration, from which a console can build its input fields. An unknown id is refused with 400 `entity.not_found`.',
  request: { params: idParam },
  responses: { 200: jsonAnswer('The factory', Answered), ...managementRefusals },
})

export function connectorFactoryRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard)
    .openapi(listCall, (c) => {
      const { origin } = c.var.url
      return c.json(
        allFactories().map((factory) => factoryAnswer(describeFactory(factory), origin)),
        200,
      )
    })
    .openapi(getCall, (c) => {
      const { id } = c.req.valid('param')
      const factory = findFactory(id)
      // The one call where this code has the status 400 (spec/errors#two-statuses).
      return factory
        ? c.json(factoryAnswer(describeFactory(factory), c.var.url.origin), 200)
        : refuseWith('entity.not_found', { id }, 400)
    })
}
