import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import { accountCors } from './account/cors.ts'
import { accountRoutes } from './account/index.ts'
import { answerError } from './answer-errors.ts'
import { answer } from './guard.ts'
import { interactionRoutes } from './interaction.ts'
import { knownRoutesOnly } from './known-routes.ts'
import { managementRoutes } from './management/index.ts'
import { emailSendRoutes, smsSendRoutes } from './message-sends.ts'
import { describeApi } from './openapi.ts'
import { requestFacts } from './request-facts.ts'
import { tenantRoutes } from './tenants.ts'
import { wellKnownRoutes } from './well-known.ts'

export type ApiRoutes = ReturnType<typeof createApi>

const BASE_PATH = '/api'
const unauthenticated = { tags: ['Service'], security: [] }

const statusCall = createRoute({
  method: 'get',
  path: '/status',
  ...unauthenticated,
  summary: 'Check that the service runs',
  description: 'Answers at every host of a tenant.',
  responses: { 204: { description: 'It runs' } },
})
const documentCall = createRoute({
  method: 'get',
  path: '/openapi.json',
  ...unauthenticated,
  summary: 'Get this OpenAPI document',
  description: 'All calls of this API with their inputs, answers and errors.',
  responses: { 200: answer('OpenAPI 3.1', z.looseObject({ openapi: z.string() })) },
})
const swaggerCall = createRoute({
  method: 'get',
  path: '/swagger.json',
  ...unauthenticated,
  summary: 'Redirect to this OpenAPI document',
  description: 'The former address of the document.',
  responses: { 302: { description: 'Redirect to /api/openapi.json' } },
})

/** Everything under /api. Complete in itself, because pages call it in-process (spec/pages#forms-without-script). */
export function createApi(dependencies: Dependencies) {
  const api = new OpenAPIHono<{ Variables: RequestFacts }>().basePath(BASE_PATH)
  api.onError(answerError)
  api.use(requestFacts(dependencies))
  // Before `knownRoutesOnly`, which would answer a preflight like any other OPTIONS.
  api.use('/me/*', accountCors)
  api.use(knownRoutesOnly(api, BASE_PATH))

  let document: ReturnType<typeof describeApi> | undefined
  return api
    .openapi(statusCall, (c) => c.body(null, 204))
    .openapi(documentCall, (c) => {
      document ??= describeApi(api, BASE_PATH)
      return c.json(document, 200)
    })
    .openapi(swaggerCall, (c) => c.redirect(`${BASE_PATH}/openapi.json`, 302))
    .route('/interaction', interactionRoutes(dependencies))
    .route('/.well-known', wellKnownRoutes(dependencies))
    .route('/me', accountRoutes(dependencies))
    .route('/services/send-email', emailSendRoutes(dependencies))
    .route('/services/send-sms', smsSendRoutes(dependencies))
    .route('/tenants', tenantRoutes(dependencies))
    .route('/', managementRoutes(dependencies))
}
