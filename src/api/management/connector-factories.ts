import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { ConnectorFactory } from '../../contract/connectors.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import { answer } from '../guard.ts'
import type { Guard } from './authentication.ts'
import { allFactories, describeFactory, findFactory } from './connector-answers.ts'
import { always, guarded, idParam, managementRouter } from './router.ts'

const tags = ['Connectors']
const Answered = ConnectorFactory.openapi('ConnectorFactory')

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List the kinds of connectors there are, each with the form of its configuration',
  responses: { 200: answer('The factories', z.array(Answered)), ...always },
})
const getCall = createRoute({
  method: 'get',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Get a kind of connector',
  request: { params: idParam },
  responses: { 200: answer('The factory', Answered), ...always },
})

export function connectorFactoryRoutes(dependencies: Dependencies, guard: Guard) {
  return managementRouter(dependencies, guard)
    .openapi(listCall, (c) => c.json(allFactories().map(describeFactory), 200))
    .openapi(getCall, (c) => {
      const { id } = c.req.valid('param')
      const factory = findFactory(id)
      // The one place where it is 400 (contract 7.2).
      return factory ? c.json(describeFactory(factory), 200) : refuseWith('entity.not_found', { id }, 400)
    })
}
