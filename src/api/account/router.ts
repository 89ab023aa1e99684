import type { MiddlewareHandler } from 'hono'
import type { AuditEntry } from '../../application/audit-entry.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { auditTrail } from '../audit-trail.ts'
import { boundedBody, jsonBody } from '../bodies.ts'
import { guardedRouter, refusals } from '../guard.ts'
import {
  type AccountContext,
  type AccountScope,
  type AccountVariables,
  authenticateAccount,
  needs,
} from './authentication.ts'

/** Routes of one part of an account: who calls, and with which scope, is known before a body is looked at. */
export function accountRouter(dependencies: Dependencies, scope: AccountScope) {
  const routes = guardedRouter<{ Variables: AccountVariables }>()
  routes.use(
    keptNowhere,
    auditTrail(dependencies),
    authenticateAccount(dependencies),
    needs(scope),
    boundedBody,
  )
  routes.on(['POST', 'PUT', 'PATCH'], '*', jsonBody)
  return routes
}

const keptNowhere: MiddlewareHandler = async (c, next) => {
  await next()
  c.header('Cache-Control', 'no-store')
}

/** What all declarations have in common. */
export const signedIn = { tags: ['Account'], security: [{ account: [] }] }
export const always = refusals(400, 401, 403, 500, 503)
export const alwaysWithBody = { ...always, ...refusals(413, 415) }

type Subject = 'Profile' | 'CustomData' | 'Password' | 'Identity' | 'Session' | 'VerificationCode'
type Deed = `Account.${Subject}.${'Create' | 'Update' | 'Delete' | 'Verify'}`

/** What is remembered of what people do with their account: who, through which application, what; never values. */
export function note(c: AccountContext, deed: Deed, more: Record<string, unknown> = {}): AuditEntry {
  const { user, token } = c.var.signedIn
  return c.var.audit.begin(deed, { userId: user.id, applicationId: token.clientId, ...more })
}
