import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { except } from 'hono/combine'
import type { Dependencies } from '../application/dependencies.ts'
import type { PrepareAuthorization } from '../application/interactions/authorization.ts'
import type { RequestFacts } from '../application/request.ts'
import { lazy } from '../contract/lazy.ts'
import { VERSION_HEADER } from '../contract/product.ts'
import { version } from '../contract/version.ts'
import { accountCors } from './account/cors.ts'
import { accountRoutes } from './account/index.ts'
import { respondToError } from './answer-errors.ts'
import { limitCalls } from './calls-limited.ts'
import { consoleCors } from './console-cors.ts'
import { jsonResponse } from './guard.ts'
import { interactionRoutes } from './interactions/interaction.ts'
import { rejectUnknownRoutes } from './known-routes.ts'
import { emailSendRoutes, smsSendRoutes } from './management/connectors/message-sends.ts'
import { managementRoutes } from './management/index.ts'
import { tenantRoutes } from './management/tenants/tenants.ts'
import { collectRequestFacts } from './request-facts.ts'
import { wellKnownRoutes } from './well-known.ts'

export type ApiRoutes = ReturnType<typeof createApi>

const BASE_PATH = '/api'
const unauthenticated = { tags: ['Service'], security: [] }

const statusCall = createRoute({
  method: 'get',
  path: '/status',
  ...unauthenticated,
  operationId: 'getStatus',
  summary: 'Check that the service is running',
  description:
    'Responds with 204 on every host of a tenant without reading settings or users, for load balancers ' +
    'and monitoring. The header names the version that runs. Responds with 404 `entity.not_found` on a host ' +
    'without a tenant.',
  responses: {
    204: {
      description: 'The service is running',
      headers: {
        [VERSION_HEADER]: {
          description: 'The version of Vestibule, as in its change log',
          schema: { type: 'string', example: '1.2.3' },
        },
      },
    },
  },
})
const documentCall = createRoute({
  method: 'get',
  path: '/openapi.json',
  ...unauthenticated,
  operationId: 'getOpenApiDocument',
  summary: 'Get this OpenAPI document',
  description:
    'Returns every operation of this API with its inputs, responses, errors and examples, generated from ' +
    'the declarations that also validate the requests. `/api/docs` shows it as a page.',
  responses: {
    200: jsonResponse('OpenAPI 3.1', z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApiDocument' })),
  },
})
const swaggerCall = createRoute({
  method: 'get',
  path: '/swagger.json',
  ...unauthenticated,
  operationId: 'redirectToOpenApiDocument',
  summary: 'Redirect to this OpenAPI document',
  description:
    'Redirects to `/api/openapi.json`. This is the former URL of the document, kept for existing clients.',
  responses: { 302: { description: 'Redirect to /api/openapi.json' } },
})

/**
 * Creates all routes under /api. They also work without the surrounding app, because our pages call them in-process
 * (spec/pages#forms-without-script).
 */
export function createApi(dependencies: Dependencies, prepareAuthorization: PrepareAuthorization) {
  const api = new OpenAPIHono<{ Variables: RequestFacts }>().basePath(BASE_PATH)
  api.onError(respondToError)
  api.use(collectRequestFacts(dependencies))
  // CORS comes before `rejectUnknownRoutes`, which would otherwise handle preflights like any other OPTIONS request.
  api.use('/me/*', accountCors, limitCalls(dependencies, 'account '))
  api.use(except(['/api/me/*', '/api/interaction/*'], consoleCors(dependencies)))
  api.use(rejectUnknownRoutes(api, BASE_PATH))

  // These texts and examples are needed only for the OpenAPI document.
  const document = lazy(async () => (await import('./openapi/openapi.ts')).describeApi(api, BASE_PATH))
  return api
    .openapi(statusCall, (c) => c.body(null, 204, { [VERSION_HEADER]: version }))
    .openapi(documentCall, async (c) => c.json(await document(), 200))
    .openapi(swaggerCall, (c) => c.redirect(`${BASE_PATH}/openapi.json`, 302))
    .route('/interaction', interactionRoutes(dependencies, prepareAuthorization))
    .route('/.well-known', wellKnownRoutes(dependencies))
    .route('/me', accountRoutes(dependencies))
    .route('/services/send-email', emailSendRoutes(dependencies))
    .route('/services/send-sms', smsSendRoutes(dependencies))
    .route('/tenants', tenantRoutes(dependencies))
    .route('/', managementRoutes(dependencies))
}
