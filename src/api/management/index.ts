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
  const gate = authenticate(services)
  return (
    new OpenAPIHono<{ Variables: AppVariables }>()
      .route('/applications', applicationRoutes(services, gate))
      .route('/configs', settingsRoutes(services, gate))
      .route('/connector-factories', connectorFactoryRoutes(services, gate))
      .route('/connectors', connectorRoutes(services, gate))
      .route('/custom-phrases', customPhraseRoutes(services, gate))
      .route('/dashboard', dashboardRoutes(services, gate))
      .route('/hooks', hookRoutes(services, gate))
      .route('/logs', logRoutes(services, gate))
      .route('/resources', resourceRoutes(services, gate))
      .route('/roles', roleRoutes(services, gate))
      .route('/sign-in-exp', signInExperienceRoutes(services, gate))
      .route('/user-assets', userAssetRoutes(services, gate))
      // Before the users themselves, one of whom they would be taken for.
      .route('/users/export', userExportRoutes(services, gate))
      .route('/users/import', userImportRoutes(services, gate))
      .route('/users', userRoutes(services, gate))
      .route('/verification-codes', verificationCodeRoutes(services, gate))
  )
}
