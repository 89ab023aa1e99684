import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { MINUTE } from '../../contract/time.ts'
import { nextRevocationTime } from '../../domain/sessions/revocation.ts'
import { refuseOldProof } from '../../domain/sessions/verification.ts'
import type { Statement } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf, type Condition, isAlwaysTrue } from '../../storage/conditions.ts'
import type { LogoutEvents } from '../../storage/hooks/outbox-events.ts'
import { sweepRevoked } from '../../storage/sessions/oidc-revocation.ts'
import {
  exemptFromRevocation,
  inOtherSessions,
  inSession,
  isSession,
  type SessionKey,
  sessionDeletion,
} from '../../storage/sessions/sessions.ts'
import { type UserChanges, updateUserIf } from '../../storage/users/user-changes.ts'
import { isUnrevoked } from '../../storage/users/users.ts'
import { accountNotifications, type OwnCall } from '../account/own-call.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { type NotificationFactory, otherSessionsEnded, sessionEnded } from '../hooks/events.ts'
import type { SignedInUser } from './access-token.ts'

type SessionEnd = Pick<OwnCall, 'background'> & {
  url: string
  audit: AuditEntry
  /** By the user of the session. */
  own?: OwnCall
}

/** Ends one session with its grants and tokens. */
export async function revokeSession(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  key: SessionKey,
  { url, audit, own, background }: SessionEnd,
): Promise<void> {
  const { db, now, deliveries } = dependencies
  const notifications = accountNotifications(dependencies, key.tenantId, own)
  const entry = audit.success()
  const revocation = { userId: key.userId, revokedAt: now() }
  const { session, outboxIds } = await commitChange(db, {
    tenantId: key.tenantId,
    condition: isSession(key),
    statements: sessionDeletion(db, key),
    audit: entry,
    outbox: {
      ...notifications.outbox(sessionEnded(key.sessionId), entry),
      logouts: logoutsOf(revocation, url, inSession(key.sessionId)),
    },
  })
  if (session.length === 0) refuseWith('entity.not_found')
  if (own) notifications.send(outboxIds)
  else background(() => deliveries.send(key.tenantId, outboxIds))
}

type EndOthers = OwnCall & { tenantId: string; signedIn: SignedInUser; url: string; audit: AuditEntry }

/** A change that ends the sessions, under a condition that its last statements may end, with notifications of its own. */
type Change = {
  isProven: Condition
  columns: UserChanges
  last: readonly Statement[]
  notificationsOf: NotificationFactory
}

/**
 * Ends all sessions of a user but the one of this call, with the grants and tokens of applications in them. A user who was
 * suspended or signed out everywhere in the meantime keeps no session by it.
 */
export async function endOtherSessions(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, url, audit, ...call }: EndOthers,
  change?: Change,
): Promise<void> {
  const { db, now } = dependencies
  const { user, token } = call.signedIn
  if (!change) refuseSoonAgain(user, now())
  const revocation = { tenantId, userId: user.id, revokedAt: nextRevocationTime(user, now()) }
  const { revokedAt } = revocation
  const condition = allOf(change?.isProven ?? isAlwaysTrue, isUnrevoked(tenantId, user))
  const own = { tenantId, userId: user.id, sessionId: token.sessionUid ?? '', grantId: token.grantId }
  const entry = audit.success()
  const notifications = accountNotifications(dependencies, tenantId, call)
  const events = change?.notificationsOf ?? otherSessionsEnded({ ...own, now: now() })
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: entry,
    outbox: {
      ...notifications.outbox(events, entry),
      logouts: logoutsOf(revocation, url, inOtherSessions(own.sessionId)),
    },
    statements: {
      ...exemptFromRevocation(db, own, { revokedAt, before: user.revokedAt, condition }),
      // After the statements that read the previous revocation.
      changed: updateUserIf(db, tenantId, condition, user.id, { ...change?.columns, revokedAt }),
      last: change?.last ?? [],
    },
  })
  if (changed.length === 0) orRefuse(refuseOldProof())
  notifications.send(outboxIds)
  afterRevocation(dependencies, { ...revocation, outboxIds: [], background: call.background })
}

/**
 * Each end voids what is being proved: by ending again and again, a thief with a session would keep the owner from ever finishing
 * a sign-in or a reset. The owner can still end sessions one by one, or change the password.
 */
function refuseSoonAgain({ revokedAt }: Pick<SignedInUser['user'], 'revokedAt'>, now: number): void {
  if (revokedAt === null || now >= revokedAt + OTHERS_ENDED_ONCE_IN) return
  const retryAfter = Math.ceil((revokedAt + OTHERS_ENDED_ONCE_IN - now) / 1000)
  refuseWith('request.too_many_requests', { retryAfter })
}

/** As long as a code lasts: a code that is sent after one end can be shown before the next. */
const OTHERS_ENDED_ONCE_IN = 10 * MINUTE

type Revocation = {
  tenantId: string
  userId: string
  /** Epoch milliseconds. */
  revokedAt: number
}

/**
 * For the outbox of a suspension, a reset or a deletion: the applications of the user's sessions receive a logout token
 * (spec/provider#back-channel-logout). `sessions` narrows them down.
 */
export const logoutsOf = (
  { userId, revokedAt }: Omit<Revocation, 'tenantId'>,
  url: string,
  sessions?: Condition,
): LogoutEvents => ({
  userId,
  now: revokedAt,
  // For sessions whose row does not name the issuer yet.
  issuer: `${new URL(url).origin}/oidc`,
  ...(sessions && { sessions }),
})

type Revoked = Revocation & {
  outboxIds: readonly string[]
  /** Whether the change wrote a notice to the user. */
  hasNotice?: boolean
  background(task: () => Promise<unknown>): void
}

/** After the answer: revoked rows are refused already, they only remain to be deleted. */
export function afterRevocation(
  { db, deliveries }: Pick<Dependencies, 'db' | 'deliveries'>,
  { tenantId, userId, revokedAt, outboxIds, hasNotice = false, background }: Revoked,
): void {
  if (hasNotice) background(() => deliveries.sendNotices({ tenantId, userId }))
  background(async () => {
    await sweepRevoked(db, tenantId, userId, revokedAt)
    await deliveries.send(tenantId, outboxIds)
  })
}
