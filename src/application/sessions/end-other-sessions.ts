import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { revocationAfter } from '../../domain/sessions/revocation.ts'
import { refuseOldProof } from '../../domain/sessions/verification.ts'
import type { Statement } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { allOf, type Condition, isAlwaysTrue } from '../../storage/conditions.ts'
import { inOtherSessions, sessionSparing } from '../../storage/sessions/sessions.ts'
import { type UserChanges, updateUserIf } from '../../storage/users/user-changes.ts'
import { isUnrevoked } from '../../storage/users/users.ts'
import { type OwnCall, type Telling, tellOwn } from '../account/own-call.ts'
import type { AuditEntry } from '../audit-entry.ts'
import type { Dependencies } from '../dependencies.ts'
import { otherSessionsEnded } from '../hooks/access-events.ts'
import type { SignedInUser } from './access-token.ts'
import { afterRevocation, logoutsOf } from './revocation.ts'

type Ending = OwnCall & { tenantId: string; signedIn: SignedInUser; url: string; audit: AuditEntry }

/** What changes with it, on a condition that the last statements may end, and what is told of that instead. */
type Change = {
  isProven: Condition
  columns: UserChanges
  last: readonly Statement[]
  told?: Telling
}
const nothing: Change = { isProven: isAlwaysTrue, columns: {}, last: [] }

/**
 * Ends all sessions of a user but the one of this call, with the grants and tokens of applications in them. A user who was
 * suspended or signed out everywhere in the meantime keeps no session by it.
 */
export async function endOtherSessions(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, url, audit, ...call }: Ending,
  change: Change = nothing,
): Promise<void> {
  const { isProven, columns, last, told: tell } = change
  const { db, now } = dependencies
  const { user, token } = call.signedIn
  if (change === nothing) refuseSoonAgain(user, now())
  const revocation = { tenantId, userId: user.id, revokedAt: revocationAfter(user, now()) }
  const { revokedAt } = revocation
  const condition = allOf(isProven, isUnrevoked(tenantId, user))
  const own = { tenantId, userId: user.id, sessionId: token.sessionUid ?? '', grantId: token.grantId }
  const entry = audit.success()
  const told = tellOwn(dependencies, tenantId, call)
  const events = tell ?? otherSessionsEnded({ ...own, now: now() })
  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    audit: entry,
    outbox: {
      ...told.outbox(events, entry),
      logouts: logoutsOf(revocation, url, inOtherSessions(own.sessionId)),
    },
    statements: {
      ...sessionSparing(db, own, { revokedAt, before: user.revokedAt, condition }),
      // After the statements that read the previous revocation.
      changed: updateUserIf(db, tenantId, condition, user.id, { ...columns, revokedAt }),
      last,
    },
  })
  if (changed.length === 0) orRefuse(refuseOldProof())
  told.send(outboxIds)
  call.background(() => afterRevocation(dependencies, revocation, []))
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
const OTHERS_ENDED_ONCE_IN = 10 * 60 * 1000 // ms
