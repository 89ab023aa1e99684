import { createRoute } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { passwordColumns } from '../../application/password-columns.ts'
import { afterRevocation, logoutsOf } from '../../application/revocation.ts'
import { CurrentPassword, PasswordChange } from '../../contract/account.schema.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { refusesConsumption } from '../../domain/limits.ts'
import { revocationAfter } from '../../domain/revocation.ts'
import { refusesVerification, VERIFICATION_LIFETIME } from '../../domain/verification.ts'
import { commit } from '../../storage/commit.ts'
import { allOf } from '../../storage/conditions.ts'
import { refund } from '../../storage/counters.ts'
import { verifyNobody, verifyPassword } from '../../storage/password-hash.ts'
import { ownPasswordTry } from '../../storage/rate-limits.ts'
import { inOtherSessions, sessionSparing } from '../../storage/sessions.ts'
import { isUnrevoked, replacePasswordHash, type UserRow, updateUserIf } from '../../storage/users.ts'
import {
  forgetVerifications,
  isVerified,
  newVerification,
  verificationQuery,
} from '../../storage/verification-statuses.ts'
import { json, refusals } from '../guard.ts'
import { backgroundOf } from '../request-context.ts'
import type { AccountContext } from './authentication.ts'
import { accountRouter, alwaysWithBody, note, signedIn } from './router.ts'

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
      const audit = note(c, 'Account.Password.Verify')
      const { limits } = await dependencies.tenantSettings.get(tenantId)
      const at = now()
      // Consumed before it is judged: attempts in parallel cannot all be the last one allowed. Only a wrong one stays.
      const [consumed] = await ownPasswordTry(db, tenantId, { userId: user.id, limits, now: at })
      orRefuse(refusesConsumption(consumed, limits.passwordTries, at))
      const { ok, rehash } = await verifyOwn(user, password)
      if (!ok) refuseWith('session.invalid_credentials')

      const owner = { tenantId, userId: user.id, grantId: token.grantId }
      await commit(db, {
        tenantId,
        statements: newVerification(db, owner, now()),
        audit: audit.success(),
      })
      backgroundOf(c)(async () => {
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
    const audit = note(c, 'Account.Password.Update')
    const [verified] = await verificationQuery(db, owner)
    orRefuse(refusesVerification(verified?.createdAt, now()))
    if ((await verifyOwn(user, password)).ok) refuseWith('user.same_password')

    const changes = await passwordColumns(password)
    const revokedAt = revocationAfter(user, now())
    const revocation = { tenantId, userId, revokedAt }
    // A user who was suspended or signed out everywhere in the meantime keeps no session by this change.
    const condition = allOf(isVerified(owner, now() - VERIFICATION_LIFETIME), isUnrevoked(tenantId, user))
    const own = { tenantId, userId, sessionId: token.sessionUid ?? '', grantId: token.grantId }
    const {
      user: [changed],
      outboxIds,
    } = await commit(db, {
      tenantId,
      condition,
      statements: {
        ...sessionSparing(db, own, { revokedAt, before: user.revokedAt, condition }),
        // After the statements that read the previous revocation.
        user: updateUserIf(db, tenantId, condition, userId, { ...changes, revokedAt }),
        verifications: forgetVerifications(db, tenantId, userId),
      },
      audit: audit.success(),
      outbox: { logouts: logoutsOf(revocation, c.req.url, inOtherSessions(own.sessionId)) },
    })
    if (!changed) refuseWith('session.verification_session_not_found', undefined, 400)
    backgroundOf(c)(() => afterRevocation(dependencies, revocation, outboxIds))
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
