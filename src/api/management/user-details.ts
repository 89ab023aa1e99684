import type { Dependencies } from '../../application/dependencies.ts'
import { mountedRouter } from './router.ts'
import { userAccessRoutes } from './user-access.ts'
import { userConsentRoutes } from './user-consents.ts'
import { userCustomDataRoutes } from './user-custom-data.ts'
import { userIdentityRoutes } from './user-identities.ts'
import { userRoleRoutes } from './user-roles.ts'
import { userSessionRoutes } from './user-sessions.ts'

/** The calls below one user. */
export const userDetailRoutes = (dependencies: Dependencies) =>
  mountedRouter()
    .route('/', userAccessRoutes(dependencies))
    .route('/consents', userConsentRoutes(dependencies))
    .route('/custom-data', userCustomDataRoutes(dependencies))
    .route('/identities', userIdentityRoutes(dependencies))
    .route('/sessions', userSessionRoutes(dependencies))
    .route('/roles', userRoleRoutes(dependencies))
