import { OpenAPIHono } from '@hono/zod-openapi'
import type { AppVariables, Services } from '../../env.ts'
import { applicationRoutes } from './applications.ts'
import { authenticate } from './authentication.ts'
import { connectorFactoryRoutes } from './connector-factories.ts'
import { connectorRoutes } from './connectors.ts'
import { customPhraseRoutes } from './custom-phrases.ts'
import { dashboardRoutes } from './dashboard.ts'
import { hookRoutes } from './hooks.ts'
import { logRoutes } from './logs.ts'
import { resourceRoutes } from './resources.ts'
import { roleRoutes } from './roles.ts'
import { settingsRoutes } from './settings.ts'
import { signInExperienceRoutes } from './sign-in-experience.ts'
import { userAssetRoutes } from './user-assets.ts'
import { userExportRoutes } from './user-export.ts'
import { userImportRoutes } from './user-import.ts'
import { userRoutes } from './users.ts'
import { verificationCodeRoutes } from './verification-codes.ts'

/** Everything an operator can do (contract 8), behind one gate. */
export function managementRoutes(services: Services) {
  const guard = authenticate(services)
  return (
    new OpenAPIHono<{ Variables: AppVariables }>()
      .route('/applications', applicationRoutes(services, guard))
      .route('/configs', settingsRoutes(services, guard))
      .route('/connector-factories', connectorFactoryRoutes(services, guard))
      .route('/connectors', connectorRoutes(services, guard))
      .route('/custom-phrases', customPhraseRoutes(services, guard))
      .route('/dashboard', dashboardRoutes(services, guard))
      .route('/hooks', hookRoutes(services, guard))
      .route('/logs', logRoutes(services, guard))
      .route('/resources', resourceRoutes(services, guard))
      .route('/roles', roleRoutes(services, guard))
      .route('/sign-in-exp', signInExperienceRoutes(services, guard))
      .route('/user-assets', userAssetRoutes(services, guard))
      // Before the users themselves, one of whom they would be taken for.
      .route('/users/export', userExportRoutes(services, guard))
      .route('/users/import', userImportRoutes(services, guard))
      .route('/users', userRoutes(services, guard))
      .route('/verification-codes', verificationCodeRoutes(services, guard))
  )
}
