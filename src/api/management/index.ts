import { OpenAPIHono } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request-facts.ts'
import { administratorInvitationRoutes } from './administrator-invitations.ts'
import { applicationRoutes } from './applications.ts'
import { managementGuard } from './authority.ts'
import { connectorFactoryRoutes } from './connector-factories.ts'
import { connectorRoutes } from './connectors.ts'
import { customPhraseRoutes } from './custom-phrases.ts'
import { dashboardRoutes } from './dashboard.ts'
import { failedRequestRoutes } from './failed-requests.ts'
import { hookRoutes } from './hooks.ts'
import { logRoutes } from './logs.ts'
import { messageRoutes } from './messages.ts'
import { ownPermissionRoutes } from './own-permissions.ts'
import { registrationTokenRoutes } from './registration-tokens.ts'
import { resourceRoutes } from './resources.ts'
import { roleRoutes } from './roles.ts'
import { settingsRoutes } from './settings.ts'
import { signInExperienceRoutes } from './sign-in-experience.ts'
import { userAssetRoutes } from './user-assets.ts'
import { userExportRoutes } from './user-export.ts'
import { userImportRoutes } from './user-import.ts'
import { userRoutes } from './users.ts'
import { verificationCodeRoutes } from './verification-codes.ts'

/** The management API (spec/management#management-api): every router has the same guard. */
export function managementRoutes(dependencies: Dependencies) {
  const guard = managementGuard(dependencies)
  return (
    new OpenAPIHono<{ Variables: RequestFacts }>()
      .route('/administrator-invitations', administratorInvitationRoutes(dependencies, guard))
      .route('/applications', applicationRoutes(dependencies, guard))
      .route('/configs', settingsRoutes(dependencies, guard))
      .route('/connector-factories', connectorFactoryRoutes(dependencies, guard))
      .route('/connectors', connectorRoutes(dependencies, guard))
      .route('/custom-phrases', customPhraseRoutes(dependencies, guard))
      .route('/dashboard', dashboardRoutes(dependencies, guard))
      .route('/failed-requests', failedRequestRoutes(dependencies, guard))
      .route('/hooks', hookRoutes(dependencies, guard))
      .route('/logs', logRoutes(dependencies, guard))
      .route('/messages', messageRoutes(dependencies, guard))
      .route('/my-permissions', ownPermissionRoutes(dependencies, guard))
      .route('/registration-tokens', registrationTokenRoutes(dependencies, guard))
      .route('/resources', resourceRoutes(dependencies, guard))
      .route('/roles', roleRoutes(dependencies, guard))
      .route('/sign-in-exp', signInExperienceRoutes(dependencies, guard))
      .route('/user-assets', userAssetRoutes(dependencies, guard))
      // Before `/users`, whose `/{id}` would match them.
      .route('/users/export', userExportRoutes(dependencies, guard))
      .route('/users/import', userImportRoutes(dependencies, guard))
      .route('/users', userRoutes(dependencies, guard))
      .route('/verification-codes', verificationCodeRoutes(dependencies, guard))
  )
}
