import { z } from 'zod'
import { allFactories, factoryResponse, findFactory } from '../../../application/connectors/describe.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { ConnectorFactorySchema } from '../../../contract/connectors/connectors.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { jsonAnswer } from '../../guard.ts'
import { idParam, type ManagementGuard, managementCalls, managementRouter } from '../router.ts'

const declareCall = managementCalls('Connectors')

const Answered = ConnectorFactorySchema.meta({ id: 'ConnectorFactory' })

const listCall = declareCall({
  method: 'get',
  path: '/',
  summary: 'List connector factories',
  description:
    'Answers every kind of connector that this version of the server can install: providers of social sign-in, of e-mail and of text messages, each with the form ' +
    'of its configuration. `readme` is a guide to set it up, in Markdown, with `{{callbackUrl}}` where that address belongs. `callbackUrl` is the address to register at a social provider, with `{id}` where the id of the connector goes, else null.',
  answers: { 200: jsonAnswer('All factories', z.array(Answered)) },
})
const getCall = declareCall({
  method: 'get',
  path: '/{id}',
  summary: 'Get a connector factory',
  description:
    'Answers one kind of connector with the form of its configuration, from which a console can build its input fields. An unknown id is refused with 400 `entity.not_found`.',
  request: { params: idParam },
  answers: { 200: jsonAnswer('The factory', Answered) },
})

export function connectorFactoryRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const { origin } = c.var.url
      const answers = allFactories().map((factory) => factoryResponse(factory, origin))
      return c.json(await Promise.all(answers), 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      // The one call where this code has the status 400 (spec/errors#two-statuses).
      const factory = findFactory(id) ?? refuseWith('entity.not_found', { id }, 400)
      return c.json(await factoryResponse(factory, c.var.url.origin), 200)
    })
}
