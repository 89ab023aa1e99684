import {
  listStatements,
  nameRows,
  type RowsByName,
  type Statement,
  type Statements,
  sendBatch,
} from './batches.ts'
import { anyOf, type Condition, isAlwaysTrue, not } from './conditions.ts'
import { enqueueNotice, type NoticeEvent } from './connectors/notices.ts'
import { type Database, mayRepeat, repeatOnce } from './database.ts'
import { enqueueHooks, type HookEvents } from './hooks/hook-events.ts'
import { enqueueLogouts, type LogoutEvents } from './hooks/outbox-events.ts'
import { insertLogIf, type NewLog } from './logs.ts'
import { type Guarded, guards, refuseFailedGuard } from './preconditions.ts'

/**
 * The audit entries of a change. They are required, so that a change without one compiles only if it gives a reason.
 */
export type RequiredAudit = NewLog | readonly [NewLog, ...NewLog[]] | NotAudited
type NotAudited = { notAudited: string }

export const notAudited = (reason: string): NotAudited => ({ notAudited: reason })

export type OutboxEvents = {
  logouts?: LogoutEvents | undefined
  /** Hook events that contain what the change removes, or whose condition holds only before the change. */
  hooksBefore?: readonly HookEvents[] | undefined
  hooks?: readonly HookEvents[] | undefined
  /** The condition of `hooks`, for a change whose own condition no longer holds afterwards. */
  hooksIf?: Condition | undefined
  notice?: NoticeEvent | readonly NoticeEvent[] | undefined
}

export type StorageChange<S extends Statements> = Guarded & {
  /** The tenant of the audit entries and outbox events. */
  tenantId: string
  /**
   * The condition of the audit entries and outbox events. The statements have the same condition or imply it by their
   * key.
   */
  condition?: Condition | undefined
  statements: S & { outboxIds?: never }
  audit: RequiredAudit
  outbox?: OutboxEvents | undefined
}

/** The rows of a change; `outboxIds` are the deliveries that now wait for `deliveries.send`. */
export type CommittedRows<S extends Statements> = RowsByName<S> & { outboxIds: string[] }

/**
 * Commits a change as one batch (ADR-0055, spec/storage#batches): all of it happens, or none.
 * The order is fixed: audit entries, notices, logout events, the hook events of `hooksBefore`, the statements in the
 * order of their names, and the other hook events. What precedes the statements reads the state before the change,
 * because after a deletion nothing is left to read. The hook events at the end contain the user and the application as
 * they are after the change, so its condition, or `hooksIf`, must still hold then. A statement that reads what another
 * one writes comes after it.
 */
export async function commitChange<const S extends Statements>(
  db: Database,
  change: StorageChange<S>,
): Promise<CommittedRows<S>> {
  const { statements, nameResults } = batchOf(db, change)
  const guardStatements = guards(db, change.preconditions)
  const results = await sendBatch(db, [...guardStatements, ...statements]).catch(refuseFailedGuard)
  return nameResults(results.slice(guardStatements.length))
}

/** Commits a change that is safe to repeat: it is sent once more if its response was lost. */
export async function commitRepeatable<const S extends Statements>(
  db: Database,
  change: Omit<StorageChange<S>, 'preconditions'>,
): Promise<CommittedRows<S>> {
  const { statements, nameResults } = batchOf(db, change)
  return nameResults(await repeatOnce(() => sendBatch(db, statements)))
}

type ClosingStatements = {
  /** Sent after all other statements. It returns a row if what the change depends on was still there. */
  last: Statement
  /** Sent only if the first response was lost. It returns a row if this request made the change. */
  isOurs: Statement | undefined
}

/**
 * Commits a change that ends what it depends on. Returns null if that was already gone, in which case nothing was
 * written. The preconditions apply only if the condition holds.
 */
export async function commitClosing<const S extends Statements>(
  db: Database,
  change: StorageChange<S>,
  { last, isOurs }: ClosingStatements,
): Promise<CommittedRows<S> | null> {
  const { condition = isAlwaysTrue, preconditions = [] } = change
  const { statements, nameResults } = batchOf(db, change)
  // A repeated change would fail its own preconditions, so they are only checked while its condition holds.
  const guardStatements = guards(
    db,
    preconditions.map((precondition) => ({
      ...precondition,
      condition: anyOf(not(condition), precondition.condition),
    })),
  )
  const all = [...guardStatements, ...statements, last]
  const allResults = await sendBatch(db, all)
    .catch((error: unknown) =>
      mayRepeat(error) ? sendBatch(db, isOurs ? [...all, isOurs] : all) : Promise.reject(error),
    )
    .catch(refuseFailedGuard)
  const results = allResults.slice(guardStatements.length)
  const isCommitted = results.slice(statements.length).some((rows) => Array.isArray(rows) && rows.length > 0)
  return isCommitted ? nameResults(results) : null
}

/** Returns the statements of a change in their order, and a function that assigns the results to their names. */
function batchOf<S extends Statements>(db: Database, change: StorageChange<S>) {
  const { tenantId, condition = isAlwaysTrue, statements, audit, outbox = {} } = change
  const { logouts, hooksBefore = [], hooks = [], hooksIf = condition, notice } = outbox
  const entries = [
    ...entriesOf(audit).map((entry) => insertLogIf(db, tenantId, condition, entry)),
    ...noticesOf(notice).map((event) => enqueueNotice(db, tenantId, condition, event)),
  ]
  const hooksOf = (events: readonly HookEvents[], when: Condition) =>
    events.map(({ now, ...occasion }) => enqueueHooks(db, tenantId, when, occasion, now))
  const before = [
    ...(logouts ? [enqueueLogouts(db, tenantId, condition, logouts)] : []),
    ...hooksOf(hooksBefore, condition),
  ]
  const after = hooksOf(hooks, hooksIf)
  const own = listStatements(statements)
  const start = entries.length + before.length
  const end = start + own.length

  return {
    statements: [...entries, ...before, ...own, ...after],
    nameResults(results: readonly unknown[]): CommittedRows<S> {
      const waiting = [...results.slice(entries.length, start), ...results.slice(end, end + after.length)]
      // Every outbox statement ends with `RETURNING id`.
      const outboxIds = (waiting.flat() as { id: string }[]).map(({ id }) => id)
      return { ...nameRows<S>(statements, results.slice(start, end)), outboxIds }
    },
  }
}

function entriesOf(audit: RequiredAudit): readonly NewLog[] {
  if ('notAudited' in audit) return []
  return 'key' in audit ? [audit] : audit
}

function noticesOf(notice: OutboxEvents['notice']): readonly NoticeEvent[] {
  if (!notice) return []
  return 'type' in notice ? [notice] : notice
}
