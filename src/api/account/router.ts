import type { MiddlewareHandler } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import type { AccountField } from '../../contract/account/account-fields.ts'
import { auditTrail } from '../audit-trail.ts'
import { boundedBody, jsonBody } from '../bodies.ts'
import { callsOf, guardedRouter } from '../guard.ts'
import { backgroundOf, messageRequestOf } from '../request-context.ts'
import { singleQueryValues } from '../single-query-values.ts'
import {
  type AccountContext,
  type AccountScope,
  type AccountVariables,
  authenticateAccount,
  requireScope,
} from './authentication.ts'
import { accountLimited, claimsProof, requireEditable } from './changes.ts'

/** The routes of one part of the account. The caller, the scope and the field that its changes are of are checked before a body is read. */
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
    accountLimited(dependencies, field),
    ...(field ? [requireEditable(dependencies, field)] : []),
    claimsProof(dependencies, scope),
    singleQueryValues,
    boundedBody,
  )
  routes.on(['POST', 'PUT', 'PATCH'], '*', jsonBody)
  return routes
}

const noStore: MiddlewareHandler = async (c, next) => {
  await next()
  c.header('Cache-Control', 'no-store')
}

export const declareAccountCall = callsOf(
  { tags: ['Account'], security: [{ account: [] }] },
  { always: [400, 401, 403, 429, 500, 503], withBody: [413, 415] },
)

/** For descriptions of calls that an operator's application must not make. */
export const KEPT_FROM_OPERATORS =
  'For an operator the call is refused with 403 `user.account_centre_required`, except through a built-in application.'

/** For descriptions of calls that change how the user signs in. */
export const needsStepUp = (scope: AccountScope): string =>
  `Needs the scope \`${scope}\`, and in the ten minutes before a verified password, a verified code of an own address or a sign-in that was asked for; of a user who has a second factor, a sign-in with it (401 \`auth.insufficient_user_authentication\` with the challenge of RFC 9470). ${KEPT_FROM_OPERATORS}`
export const NEEDS_STEP_UP = needsStepUp('profile')

/** Of a call that tells the user by a message what it changed. */
export const callerOf = (c: AccountContext) => ({
  tenantId: c.var.tenantId,
  signedIn: c.var.signedIn,
  message: messageRequestOf(c),
  background: backgroundOf(c),
})

type AuditSubject =
  | 'Consent'
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

/** Begins the audit entry of a call: the user, the application, and `more`; never values. */
export function beginAccountAudit(
  c: AccountContext,
  key: `Account.${AuditSubject}.${AuditAction}`,
  more: Record<string, unknown> = {},
) {
  const { user, token } = c.var.signedIn
  return c.var.audit.begin(key, { userId: user.id, applicationId: token.clientId, ...more })
}
