import type { MiddlewareHandler } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import type { AccountField } from '../../contract/account/account-fields.ts'
import { auditTrail } from '../audit-trail.ts'
import { acceptJsonBody, limitApiBodySize } from '../bodies.ts'
import { createCallDeclarer, guardedRouter } from '../guard.ts'
import { createBackgroundRunner, toOwnMessageRequest } from '../request-context.ts'
import { refuseRepeatedQueryValues } from '../single-query-values.ts'
import {
  type AccountContext,
  type AccountScope,
  type AccountVariables,
  authenticateAccount,
  requireScope,
} from './authentication.ts'
import { claimDpopProofForChange, limitAccountCalls, requireEditable } from './changes.ts'

/**
 * Creates the router for one part of the account API. Before it reads a body, it checks the caller, the scope and, if
 * `field` is set, whether users may edit that field.
 */
export function accountRouter(dependencies: Dependencies, scope: AccountScope, field?: AccountField) {
  const routes = guardedRouter<{ Variables: AccountVariables }>()
  routes.use(
    noStore,
    auditTrail<AccountVariables>(dependencies, {
      endpoint: 'account',
      applicationOf: (c) => c.var.signedIn?.token.clientId,
    }),
    authenticateAccount(dependencies, scope),
    requireScope(scope),
    limitAccountCalls(dependencies, field),
    ...(field ? [requireEditable(dependencies, field)] : []),
    claimDpopProofForChange(dependencies, scope),
    refuseRepeatedQueryValues,
    limitApiBodySize,
  )
  routes.on(['POST', 'PUT', 'PATCH'], '*', acceptJsonBody)
  return routes
}

const noStore: MiddlewareHandler = async (c, next) => {
  await next()
  c.header('Cache-Control', 'no-store')
}

export const declareAccountCall = createCallDeclarer(
  { tags: ['Account'], security: [{ account: [] }] },
  { always: [400, 401, 403, 429, 500, 503], withBody: [413, 415] },
)

/** The OpenAPI note on calls that operators cannot make through ordinary applications. */
export const OPERATOR_RESTRICTION =
  'For operators, the call is rejected with 403 `user.account_centre_required`, except through a built-in application.'

/** The OpenAPI note on what a call requires if it changes how the user signs in. */
export const describeStepUp = (scope: AccountScope): string =>
  `Requires the \`${scope}\` scope and, within the last ten minutes, a verified password, a verified ` +
  "code sent to one of the user's own addresses, or a sign-in that the application requested " +
  'explicitly; a user with a second factor must have signed in with it (401 ' +
  `\`auth.insufficient_user_authentication\` with the challenge of RFC 9470). ${OPERATOR_RESTRICTION}`
export const STEP_UP_REQUIREMENT = describeStepUp('profile')

/** Returns the context of a call, with everything needed to notify the user of changes. */
export const accountCallContext = (c: AccountContext) => ({
  tenantId: c.var.tenantId,
  signedIn: c.var.signedIn,
  message: toOwnMessageRequest(c, c.var.signedIn.user.profile.zoneinfo),
  background: createBackgroundRunner(c),
})

type AuditSubject =
  | 'Consent'
  | 'Organization'
  | 'OrganizationMember'
  | 'Profile'
  | 'CustomData'
  | 'Factor'
  | 'Passkey'
  | 'Password'
  | 'Identity'
  | 'Session'
  | 'TrustedBrowser'
  | 'VerificationCode'
type AuditAction = 'Create' | 'Update' | 'Delete' | 'Verify'

/**
 * Begins a call's audit entry. The entry contains the user, the application and `details`, but never the new values.
 */
export function beginAccountAudit(
  c: AccountContext,
  key: `Account.${AuditSubject}.${AuditAction}`,
  details: Record<string, unknown> = {},
) {
  const { user, token } = c.var.signedIn
  return c.var.audit.begin(key, { userId: user.id, applicationId: token.clientId, ...details })
}
