import type { Dependencies } from '../../../application/dependencies.ts'
import { mountedRouter } from '../router.ts'
import { userAccessRoutes } from './user-access.ts'
import { userConsentRoutes } from './user-consents.ts'
import { userCustomDataRoutes } from './user-custom-data.ts'
import { userFactorRoutes } from './user-factors.ts'
import { userIdentityRoutes } from './user-identities.ts'
import { userPasskeyRoutes } from './user-passkeys.ts'
import { userRoleRoutes } from './user-roles.ts'
import { userSessionRoutes } from './user-sessions.ts'

/** The calls below one user. */
export const userDetailRoutes = (dependencies: Dependencies) =>
  mountedRouter()
    .route('/', userAccessRoutes(dependencies))
    .route('/consents', userConsentRoutes(dependencies))
    .route('/custom-data', userCustomDataRoutes(dependencies))
    .route('/factors', userFactorRoutes(dependencies))
    .route('/identities', userIdentityRoutes(dependencies))
    .route('/passkeys', userPasskeyRoutes(dependencies))
    .route('/sessions', userSessionRoutes(dependencies))
    .route('/roles', userRoleRoutes(dependencies))
