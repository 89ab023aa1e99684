import { OpenAPIHono } from '@hono/zod-openapi'
import type { AppVariables, Services } from '../env.ts'
import { answerError } from './answer-errors.ts'
import { interactionRoutes } from './interaction.ts'
import { requestFacts } from './request-facts.ts'

export type ApiRoutes = ReturnType<typeof createApi>

export function createApi(services: Services) {
  const api = new OpenAPIHono<{ Variables: AppVariables }>().basePath('/api')
  api.use(requestFacts)
  api.onError(answerError)
  return api.get('/status', (c) => c.body(null, 204)).route('/interaction', interactionRoutes(services))
}
