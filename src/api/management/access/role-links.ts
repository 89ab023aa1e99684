import type { Dependencies } from '../../../application/dependencies.ts'
import { mountedRouter } from '../router.ts'
import { roleApplicationRoutes } from './role-applications.ts'
import { roleScopeRoutes } from './role-scopes.ts'
import { roleUserRoutes } from './role-users.ts'

/** What is linked with one role. */
export const roleLinkRoutes = (dependencies: Dependencies) =>
  mountedRouter()
    .route('/users', roleUserRoutes(dependencies))
    .route('/applications', roleApplicationRoutes(dependencies))
    .route('/scopes', roleScopeRoutes(dependencies))
