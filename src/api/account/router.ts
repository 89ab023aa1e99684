import type { MiddlewareHandler } from 'hono'
import type { AuditEntry } from '../../application/audit-entry.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { auditTrail } from '../audit-trail.ts'
import { boundedBody, jsonBody } from '../bodies.ts'
import { declaredRefusals, guardedRouter } from '../guard.ts'
import { singleQueryValues } from '../single-query-values.ts'
import {
  type AccountContext,
  type AccountScope,
  type AccountVariables,
  authenticateAccount,
  requireScope,
} from './authentication.ts'

/** The routes of one part of the account. The caller and the scope are checked before a body is read. */
export function accountRouter(dependencies: Dependencies, scope: AccountScope) {
  const routes = guardedRouter<{ Variables: AccountVariables }>()
  routes.use(
    noStore,
    auditTrail<AccountVariables>(dependencies, {
      endpoint: 'account',
      applicationOf: (c) => c.var.signedIn?.token.clientId,
    }),
    authenticateAccount(dependencies),
    requireScope(scope),
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

/** For every declaration of the account API. */
export const accountCall = { tags: ['Account'], security: [{ account: [] }] }
export const accountRefusals = declaredRefusals(400, 401, 403, 500, 503)
export const accountRefusalsWithBody = { ...accountRefusals, ...declaredRefusals(413, 415) }

type AuditSubject =
  | 'Consent'
  | 'Profile'
  | 'CustomData'
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
): AuditEntry {
  const { user, token } = c.var.signedIn
  return c.var.audit.begin(key, { userId: user.id, applicationId: token.clientId, ...more })
}
