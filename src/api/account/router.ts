import type { SQL } from 'drizzle-orm'
import type { MiddlewareHandler } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import { insertLogIf } from '../../storage/logs.ts'
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
export function note(c: AccountContext, deed: Deed, more: Record<string, unknown> = {}): void {
  const { user, token } = c.var.signedIn
  c.var.audit.append(deed, { userId: user.id, applicationId: token.clientId, ...more })
}

/** The row of what was noted, for the batch of the change and under its condition (decision 19). */
export function auditRow({ db }: Dependencies, c: AccountContext, condition: SQL) {
  const [entry] = c.var.audit.take()
  if (!entry) throw new Error('A change was not noted')
  return insertLogIf(db, c.var.tenantId, condition, entry)
}
