import { createRoute } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import type { Dependencies } from '../../application/dependencies.ts'
import { passwordColumns } from '../../application/password-columns.ts'
import { afterRevocation, logoutsOf } from '../../application/revocation.ts'
import { CurrentPassword, PasswordChange } from '../../contract/account.schema.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { refusesConsumption } from '../../domain/limits.ts'
import { revocationAfter } from '../../domain/revocation.ts'
import { refusesVerification, VERIFICATION_LIFETIME } from '../../domain/verification.ts'
import { afterAnswer } from '../../storage/background.ts'
import { refund } from '../../storage/counters.ts'
import { verifyNobody, verifyPassword } from '../../storage/password-hash.ts'
import { ownPasswordTry } from '../../storage/rate-limits.ts'
import { inOtherSessions, keepSession } from '../../storage/sessions.ts'
import { isUnrevoked, replacePasswordHash, type UserRow, updateUserIf } from '../../storage/users.ts'
import {
  forgetVerifications,
  isVerified,
  rememberVerification,
  verificationQuery,
} from '../../storage/verification-statuses.ts'
import { json, refusals } from '../guard.ts'
import type { AccountContext } from './authentication.ts'
import { accountRouter, alwaysWithBody, auditRow, note, signedIn } from './router.ts'

const verifyCall = createRoute({
  method: 'post',
  path: '/verify',
  ...signedIn,
  summary: 'Show my password: for ten minutes I may change it',
  request: { body: json(CurrentPassword) },
  responses: { 204: { description: 'Remembered' }, ...alwaysWithBody, ...refusals(422, 429) },
})
const declaration = {
  ...signedIn,
  summary: 'Set a new password, and sign me out everywhere but here',
  description:
    'Within ten minutes of showing the present password or a code that was sent to an address of the account.',
  request: { body: json(PasswordChange) },
  responses: { 204: { description: 'Changed' }, ...alwaysWithBody, ...refusals(422) },
}
const changeCall = createRoute({ method: 'post', path: '/', ...declaration })
const putCall = createRoute({ method: 'put', path: '/', ...declaration })

export function accountPasswordRoutes(dependencies: Dependencies) {
  const { db, now } = dependencies

  return accountRouter(dependencies, 'profile')
    .openapi(verifyCall, async (c) => {
      const { user, token } = c.var.signedIn
      const { tenantId } = c.var
      const { password } = c.req.valid('json')
      note(c, 'Account.Password.Verify')
      const { limits } = await dependencies.tenantSettings.get(tenantId)
      const at = now()
      // Charged before it is judged, so that many at the same time cannot all be the tenth. Only a wrong one stays.
      const [consumed] = await ownPasswordTry(db, tenantId, { userId: user.id, limits, now: at })
      orRefuse(refusesConsumption(consumed, limits.passwordTries, at))
      const { ok, rehash } = await verifyOwn(user, password)
      if (!ok) refuseWith('session.invalid_credentials')

      const owner = { tenantId, userId: user.id, grantId: token.grantId }
      await db.batch([auditRow(dependencies, c, sql`true`), ...rememberVerification(db, owner, now())])
      afterAnswer(c.executionCtx, c.var, async () => {
        if (consumed) await refund(db, tenantId, consumed, limits.passwordTries)
        if (rehash) await replacePasswordHash(db, tenantId, user, await passwordColumns(password))
      })
      return c.body(null, 204)
    })
    .openapi(changeCall, async (c) => {
      await change(c, c.req.valid('json').password)
      return c.body(null, 204)
    })
    .openapi(putCall, async (c) => {
      await change(c, c.req.valid('json').password)
      return c.body(null, 204)
    })

  async function change(c: AccountContext, password: string): Promise<void> {
    const { user, token } = c.var.signedIn
    const { tenantId } = c.var
    const { id: userId } = user
    const owner = { tenantId, userId, grantId: token.grantId }
    note(c, 'Account.Password.Update')
    const [verified] = await verificationQuery(db, owner)
    orRefuse(refusesVerification(verified?.createdAt, now()))
    if ((await verifyOwn(user, password)).ok) refuseWith('user.same_password')

    const changes = await passwordColumns(password)
    const revokedAt = revocationAfter(user, now())
    const revocation = { tenantId, userId, revokedAt }
    // Whoever was suspended or signed out everywhere a moment ago keeps nothing by this.
    const condition = sql`${isVerified(owner, now() - VERIFICATION_LIFETIME)} and ${isUnrevoked(tenantId, user)}`
    const own = { tenantId, userId, sessionId: token.sessionUid ?? '', grantId: token.grantId }
    const elsewhere = sql`${inOtherSessions(own.sessionId)} and ${condition}`
    const [, waiting, , , [changed]] = await db.batch([
      auditRow(dependencies, c, condition),
      logoutsOf(dependencies, revocation, { condition: elsewhere, url: c.req.url }),
      ...keepSession(db, own, { revokedAt, before: user.revokedAt, condition }),
      // Behind those that ask how things were before.
      updateUserIf(db, tenantId, condition, userId, { ...changes, revokedAt }),
      forgetVerifications(db, tenantId, userId),
    ])
    if (!changed) refuseWith('session.verification_session_not_found', undefined, 400)
    afterAnswer(c.executionCtx, c.var, () => afterRevocation(dependencies, revocation, waiting))
  }
}

/** The same work for an account without a password as for a wrong one. */
async function verifyOwn({ passwordEncrypted, passwordEncryptionMethod }: UserRow, password: string) {
  if (passwordEncrypted === null) return verifyNobody(password)
  return verifyPassword(
    { encoded: passwordEncrypted, method: passwordEncryptionMethod ?? 'Argon2i' },
    password,
  )
}
