import { refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { MINUTE } from '../../contract/time.ts'
import { nextRevocationTime } from '../../domain/sessions/revocation.ts'
import { refuseOldProof } from '../../domain/sessions/verification.ts'
import type { Statement } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { ALWAYS_TRUE, allOf, type Condition } from '../../storage/conditions.ts'
import type { LogoutEvents } from '../../storage/hooks/outbox-events.ts'
import { sweepRevokedRows } from '../../storage/sessions/oidc-revocation.ts'
import {
  exemptFromRevocation,
  matchesOtherSessions,
  matchesSession,
  type SessionKey,
  sessionDeletionStatements,
  sessionExists,
} from '../../storage/sessions/sessions.ts'
import { type UserChanges, updateUserIf } from '../../storage/users/user-changes.ts'
import { isUnrevoked } from '../../storage/users/users.ts'
import { accountNotifications, type OwnCall } from '../account/own-call.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import type { NotificationFactory } from '../hooks/events.ts'
import { otherSessionsEndedNotification, sessionEndedNotification } from '../hooks/own-change-events.ts'
import { dispatchHooks, type MessageDispatch } from '../hooks/user-events.ts'
import type { SignedInUser } from './access-token.ts'

type SessionEnd = Pick<OwnCall, 'background'> & {
  url: string
  audit: AuditEntry
  /** Set if the session is ended by its user instead of an operator. */
  own?: OwnCall
}

/** Ends one session, including its grants and tokens. */
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
    condition: sessionExists(key),
    statements: sessionDeletionStatements(db, key),
    audit: entry,
    outbox: {
      ...notifications.outbox(sessionEndedNotification(key.sessionId), entry),
      logouts: logoutEvents(revocation, url, matchesSession(key.sessionId)),
    },
  })
  if (session.length === 0) refuseWith('entity.not_found')
  if (own) notifications.send(outboxIds)
  else background(() => deliveries.send(key.tenantId, outboxIds))
}

type EndOthers = OwnCall & { tenantId: string; signedIn: SignedInUser; url: string; audit: AuditEntry }

/**
 * A change that also ends the user's other sessions. Its notifications replace those about the ended sessions, and its
 * last statements may make `isProven` false.
 */
type Change = {
  isProven: Condition
  columns: UserChanges
  last: readonly Statement[]
  notificationsOf: NotificationFactory
}

/**
 * Ends all sessions of a user except the current one, including the grants and tokens that applications obtained in
 * them. If the user has just been suspended or signed out everywhere, the current session ends, too.
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
  const condition = allOf(change?.isProven ?? ALWAYS_TRUE, isUnrevoked(tenantId, user))
  const own = { tenantId, userId: user.id, sessionId: token.sessionUid ?? '', grantId: token.grantId }
  const entry = audit.success()
  const notifications = accountNotifications(dependencies, tenantId, call)
  const events = change?.notificationsOf ?? otherSessionsEndedNotification({ ...own, now: now() })
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: entry,
    outbox: {
      ...notifications.outbox(events, entry),
      logouts: logoutEvents(revocation, url, matchesOtherSessions(own.sessionId)),
    },
    statements: {
      ...exemptFromRevocation(db, own, { revokedAt, before: user.revokedAt, condition }),
      // This statement must follow those that read the previous revocation.
      changed: updateUserIf(db, tenantId, condition, user.id, { ...change?.columns, revokedAt }),
      last: change?.last ?? [],
    },
  })
  if (changed.length === 0) throwIfRefused(refuseOldProof())
  notifications.send(outboxIds)
  finishRevocation(dependencies, { ...revocation, outboxIds: [], background: call.background })
}

/**
 * Throws if the other sessions were last ended too recently. Ending them invalidates unfinished sign-ins and password
 * resets, so a thief with a session could otherwise prevent the owner from ever completing one. The owner can still end
 * single sessions or change the password.
 */
function refuseSoonAgain({ revokedAt }: Pick<SignedInUser['user'], 'revokedAt'>, now: number): void {
  if (revokedAt === null || now >= revokedAt + END_OTHERS_INTERVAL) return
  const retryAfter = Math.ceil((revokedAt + END_OTHERS_INTERVAL - now) / 1000)
  refuseWith('request.too_many_requests', { retryAfter })
}

/**
 * The lifetime of a code. After the sessions have been ended, the owner can request and use a code before anyone can
 * end them again.
 */
const END_OTHERS_INTERVAL = 10 * MINUTE

type Revocation = {
  tenantId: string
  userId: string
  /** The time of the revocation in epoch milliseconds. */
  revokedAt: number
}

/**
 * Returns the events that send a logout token to the applications in the user's sessions, after a suspension, a
 * password reset or a deletion (spec/provider#back-channel-logout). If `sessions` is set, only sessions that meet this
 * condition are included.
 */
export const logoutEvents = (
  { userId, revokedAt }: Omit<Revocation, 'tenantId'>,
  url: string,
  sessions?: Condition,
): LogoutEvents => ({
  userId,
  now: revokedAt,
  // The issuer to use for sessions that were stored without one.
  issuer: `${new URL(url).origin}/oidc`,
  ...(sessions && { sessions }),
})

type Revoked = Revocation &
  MessageDispatch & {
    outboxIds: readonly string[]
    /** True if the change wrote a notice to the user. */
    hasNotice?: boolean
  }

/**
 * Deletes revoked rows and sends the notifications, both after the response. Revoked rows are rejected even before they
 * are deleted.
 */
export function finishRevocation(
  { db, deliveries }: Pick<Dependencies, 'db' | 'deliveries'>,
  { tenantId, userId, revokedAt, outboxIds, hasNotice = false, ...dispatch }: Revoked,
): void {
  const { background } = dispatch
  if (hasNotice) background(() => deliveries.sendNotices({ tenantId, userId }))
  background(() => sweepRevokedRows(db, tenantId, userId, revokedAt))
  dispatchHooks({ deliveries }, { tenantId, outboxIds }, dispatch)
}
