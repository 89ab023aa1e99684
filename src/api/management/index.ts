import { OpenAPIHono } from '@hono/zod-openapi'
import type { AppVariables, Services } from '../../env.ts'
import { applicationRoutes } from './applications.ts'
import { authenticate } from './authentication.ts'
import { signInExperienceRoutes } from './sign-in-experience.ts'
import { userRoutes } from './users.ts'

/** Everything an operator can do (contract 8), behind one gate. */
export function managementRoutes(services: Services) {
  const gate = authenticate(services)
  return new OpenAPIHono<{ Variables: AppVariables }>()
    .route('/applications', applicationRoutes(services, gate))
    .route('/sign-in-exp', signInExperienceRoutes(services, gate))
    .route('/users', userRoutes(services, gate))
}
