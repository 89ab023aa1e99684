import { OpenAPIHono } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { accountConsentRoutes } from './consents.ts'
import { accountDataRoutes } from './custom-data.ts'
import { accountFactorRoutes } from './factors.ts'
import { accountIdentityRoutes } from './identities.ts'
import { accountOrganizationRoutes } from './organizations.ts'
import { accountPasskeyRoutes } from './passkeys.ts'
import { accountPasswordRoutes } from './password.ts'
import { accountProfileRoutes } from './profile.ts'
import { accountSessionRoutes } from './sessions.ts'
import { accountTrustedBrowserRoutes } from './trusted-browsers.ts'
import { accountVerificationRoutes } from './verification-codes.ts'

/**
 * Serves the account API, through which applications let users manage their own account (spec/management#account-api).
 */
export function accountRoutes(dependencies: Dependencies) {
  return (
    new OpenAPIHono<{ Variables: RequestFacts }>()
      .route('/consents', accountConsentRoutes(dependencies))
      .route('/custom-data', accountDataRoutes(dependencies))
      .route('/factors', accountFactorRoutes(dependencies))
      .route('/identities', accountIdentityRoutes(dependencies))
      .route('/organizations', accountOrganizationRoutes(dependencies))
      .route('/passkeys', accountPasskeyRoutes(dependencies))
      .route('/password', accountPasswordRoutes(dependencies))
      .route('/sessions', accountSessionRoutes(dependencies))
      .route('/trusted-browsers', accountTrustedBrowserRoutes(dependencies))
      .route('/verification-codes', accountVerificationRoutes(dependencies))
      // The profile routes come last, because their authentication middleware matches every path under `/me`.
      .route('/', accountProfileRoutes(dependencies))
  )
}
