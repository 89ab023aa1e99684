import { orRefuse, refuseWith } from '../contract/refused.ts'
import { refusesAttempts } from '../domain/limits.ts'
import { revocationAfter } from '../domain/revocation.ts'
import { refusesVerification, VERIFICATION_LIFETIME } from '../domain/verification.ts'
import { readTogether } from '../storage/batches.ts'
import { commitChange } from '../storage/commit.ts'
import { allOf } from '../storage/conditions.ts'
import { type AttemptToCount, clearFailuresInARow, consumeAttempts } from '../storage/rate-limits.ts'
import { inOtherSessions, sessionSparing } from '../storage/sessions.ts'
import { updateUserIf } from '../storage/user-changes.ts'
import { isUnrevoked } from '../storage/users.ts'
import {
  deleteVerifications,
  isVerified,
  newVerification,
  verificationQuery,
} from '../storage/verification-statuses.ts'
import type { SignedInUser } from './access-token.ts'
import { comparePassword, passwordColumns, strengthenHash } from './account-password.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Dependencies } from './dependencies.ts'
import { refundAttempts } from './refund-attempts.ts'
import { afterRevocation, logoutsOf } from './revocation.ts'

type PasswordDependencies = Pick<Dependencies, 'db' | 'now' | 'settings' | 'deliveries' | 'tenantSettings'>

type PasswordRequest = {
  tenantId: string
  signedIn: SignedInUser
  password: string
  audit: AuditEntry
  background(task: () => Promise<unknown>): void
}

/** With the present password the user may change it for ten minutes (spec/management#account-verification). */
export async function verifyOwnPassword(
  dependencies: PasswordDependencies,
  { tenantId, signedIn: { user, token }, password, audit, background }: PasswordRequest,
): Promise<void> {
  const { db, now } = dependencies
  const { limits } = await dependencies.tenantSettings.get(tenantId)
  const at = now()
  // Consumed before it is checked: attempts in parallel cannot all be the last one allowed. Only a wrong one stays.
  const given = { limits, environment: dependencies.settings.environment, now: at }
  const { consumed } = await readTogether(db, {
    consumed: consumeAttempts(db, tenantId, ownPasswordTries(user.id), given),
  })
  orRefuse(refusesAttempts(consumed, at))
  const { ok, rehash } = await comparePassword(user, password)
  if (!ok) refuseWith('session.invalid_credentials')

  const owner = { tenantId, userId: user.id, grantId: token.grantId }
  const condition = isUnrevoked(tenantId, user)
  await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: newVerification(db, owner, { now: at, condition }),
  })
  background(async () => {
    await refundAttempts(dependencies, tenantId, { consumed, outcome: 'accepted', userId: user.id })
    if (rehash) await strengthenHash(db, tenantId, user, password)
  })
}

/** The failures in a row are those of the sign-in (spec/accounts#failures-in-a-row). */
const ownPasswordTries = (id: string): AttemptToCount[] => [
  { limit: 'ownPasswordTries', id },
  { limit: 'passwordTriesInARow', id },
]

/** Ends the user's other sessions; the one of this call stays. */
export async function changeOwnPassword(
  dependencies: PasswordDependencies,
  request: PasswordRequest & { url: string },
): Promise<void> {
  const { db, now } = dependencies
  const { tenantId, password, audit, url, background } = request
  const { user, token } = request.signedIn
  const userId = user.id
  const owner = { tenantId, userId, grantId: token.grantId }
  const [verified] = await verificationQuery(db, owner)
  orRefuse(refusesVerification(verified?.createdAt, now()))
  if ((await comparePassword(user, password)).ok) refuseWith('user.same_password')

  const columns = await passwordColumns(password)
  const revokedAt = revocationAfter(user, now())
  const revocation = { tenantId, userId, revokedAt }
  // A user who was suspended or signed out everywhere in the meantime keeps no session by this change.
  const condition = allOf(isVerified(owner, now() - VERIFICATION_LIFETIME), isUnrevoked(tenantId, user))
  const own = { tenantId, userId, sessionId: token.sessionUid ?? '', grantId: token.grantId }
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    outbox: { logouts: logoutsOf(revocation, url, inOtherSessions(own.sessionId)) },
    statements: {
      ...sessionSparing(db, own, { revokedAt, before: user.revokedAt, condition }),
      // After the statements that read the previous revocation.
      changed: updateUserIf(db, tenantId, condition, userId, { ...columns, revokedAt }),
      verifications: deleteVerifications(db, tenantId, userId),
      failures: clearFailuresInARow(db, tenantId, userId),
    },
  })
  if (changed.length === 0) refuseWith('session.verification_session_not_found', undefined, 400)
  background(() => afterRevocation(dependencies, revocation, outboxIds))
}
