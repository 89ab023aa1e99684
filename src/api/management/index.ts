import { OpenAPIHono } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { administratorInvitationRoutes } from './access/administrator-invitations.ts'
import { invitationRoutes } from './access/invitations.ts'
import { ownPermissionRoutes } from './access/own-permissions.ts'
import { resourceRoutes } from './access/resources.ts'
import { roleRoutes } from './access/roles.ts'
import { applicationRoutes } from './applications/applications.ts'
import { registrationTokenRoutes } from './applications/registration-tokens.ts'
import { createManagementGuard } from './authority.ts'
import { connectorFactoryRoutes } from './connectors/connector-factories.ts'
import { connectorRoutes } from './connectors/connectors.ts'
import { messageRoutes } from './connectors/messages.ts'
import { customPhraseRoutes } from './experience/custom-phrases.ts'
import { signInExperienceRoutes } from './experience/sign-in-experience.ts'
import { userAssetRoutes } from './experience/user-assets.ts'
import { hookRoutes } from './hooks/hooks.ts'
import { organizationRoutes } from './organisations/organizations.ts'
import { organizationRoleRoutes } from './organisations/roles.ts'
import { organizationScopeRoutes } from './organisations/scopes.ts'
import { dashboardRoutes } from './tenants/dashboard.ts'
import { failedRequestRoutes } from './tenants/failed-requests.ts'
import { logRoutes } from './tenants/logs.ts'
import { settingsRoutes } from './tenants/settings.ts'
import { userBulkRoutes } from './users/user-bulk.ts'
import { userExportRoutes } from './users/user-export.ts'
import { userImportRoutes } from './users/user-import.ts'
import { userRoutes } from './users/users.ts'
import { verificationCodeRoutes } from './users/verification-codes.ts'

/** Serves the management API (spec/management#management-api). All routers share one guard. */
export function managementRoutes(dependencies: Dependencies) {
  const guard = createManagementGuard(dependencies)
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
      .route('/invitations', invitationRoutes(dependencies, guard))
      .route('/logs', logRoutes(dependencies, guard))
      .route('/messages', messageRoutes(dependencies, guard))
      .route('/my-permissions', ownPermissionRoutes(dependencies, guard))
      .route('/organization-roles', organizationRoleRoutes(dependencies, guard))
      .route('/organization-scopes', organizationScopeRoutes(dependencies, guard))
      .route('/organizations', organizationRoutes(dependencies, guard))
      .route('/registration-tokens', registrationTokenRoutes(dependencies, guard))
      .route('/resources', resourceRoutes(dependencies, guard))
      .route('/roles', roleRoutes(dependencies, guard))
      .route('/sign-in-exp', signInExperienceRoutes(dependencies, guard))
      .route('/user-assets', userAssetRoutes(dependencies, guard))
      // Bulk changes, export and import are mounted before `/users`, because `/users/{id}` would also match their
      // paths.
      .route('/users/bulk', userBulkRoutes(dependencies, guard))
      .route('/users/export', userExportRoutes(dependencies, guard))
      .route('/users/import', userImportRoutes(dependencies, guard))
      .route('/users', userRoutes(dependencies, guard))
      .route('/verification-codes', verificationCodeRoutes(dependencies, guard))
  )
}
