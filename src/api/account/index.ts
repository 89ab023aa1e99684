import { OpenAPIHono } from '@hono/zod-openapi'
import type { AppVariables, Services } from '../../env.ts'
import { accountDataRoutes } from './custom-data.ts'
import { accountIdentityRoutes } from './identities.ts'
import { accountPasswordRoutes } from './password.ts'
import { accountProfileRoutes } from './profile.ts'
import { accountSessionRoutes } from './sessions.ts'
import { accountVerificationRoutes } from './verification-codes.ts'

/** What people do with their own account, from the pages of an application (decision record 0017). */
export function accountRoutes(services: Services) {
  return (
    new OpenAPIHono<{ Variables: AppVariables }>()
      .route('/custom-data', accountDataRoutes(services))
      .route('/identities', accountIdentityRoutes(services))
      .route('/password', accountPasswordRoutes(services))
      .route('/sessions', accountSessionRoutes(services))
      .route('/verification-codes', accountVerificationRoutes(services))
      // Last: its gate stands before everything below.
      .route('/', accountProfileRoutes(services))
  )
}
