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

/** Required, so that a change without an audit entry does not compile unless it gives the reason. */
export type RequiredAudit = NewLog | readonly [NewLog, ...NewLog[]] | NotAudited
type NotAudited = { notAudited: string }

export const notAudited = (reason: string): NotAudited => ({ notAudited: reason })

export type OutboxEvents = {
  logouts?: LogoutEvents | undefined
  /** They quote what the change removes, or hold only before it. */
  hooksBefore?: readonly HookEvents[] | undefined
  hooks?: readonly HookEvents[] | undefined
  /** Of `hooks`, in place of the condition of the change: where that does not hold after it. */
  hooksIf?: Condition | undefined
  notice?: NoticeEvent | readonly NoticeEvent[] | undefined
}

export type StorageChange<S extends Statements> = Guarded & {
  /** Whose audit entries and outbox events these are. */
  tenantId: string
  /** Of the audit entries and the outbox events. The statements carry the same condition, or imply it by their key. */
  condition?: Condition | undefined
  statements: S & { outboxIds?: never }
  audit: RequiredAudit
  outbox?: OutboxEvents | undefined
}

/** `outboxIds`: the deliveries that now wait, for `deliveries.send`. */
export type CommittedRows<S extends Statements> = RowsByName<S> & { outboxIds: string[] }

/**
 * Commits a change as one batch (ADR-0055, spec/storage#batches): all of it happens or none of it.
 *
 * The order is fixed: audit entries, notice, logout events, the hook events that go before, the statements as they are named,
 * hook events. What goes before reads the state before the change (after a deletion there is nothing left to ask for);
 * the other hook events quote the user and the application as they are after it, so the condition must still hold then, or `hooksIf`. A statement that
 * reads what another one writes is named behind it.
 */
export async function commitChange<const S extends Statements>(
  db: Database,
  change: StorageChange<S>,
): Promise<CommittedRows<S>> {
  const { statements, named } = batchOf(db, change)
  const first = guards(db, change.preconditions)
  const results = await sendBatch(db, [...first, ...statements]).catch(refuseFailedGuard)
  return named(results.slice(first.length))
}

/** A change that does nothing twice: sent once more when its answer was lost on the way. */
export async function commitRepeatable<const S extends Statements>(
  db: Database,
  change: Omit<StorageChange<S>, 'preconditions'>,
): Promise<CommittedRows<S>> {
  const { statements, named } = batchOf(db, change)
  return named(await repeatOnce(() => sendBatch(db, statements)))
}

type ClosingStatements = {
  /** Sent behind everything else. It answers a row if what the change depends on was still there. */
  last: Statement
  /** Asked only when the first answer was lost. It answers a row if the change was made by this request. */
  isOurs: Statement | undefined
}

/**
 * The same for a change that ends what it depends on; null when that was gone, and then nothing was written. Its preconditions
 * count only where its condition holds.
 */
export async function commitClosing<const S extends Statements>(
  db: Database,
  change: StorageChange<S>,
  { last, isOurs }: ClosingStatements,
): Promise<CommittedRows<S> | null> {
  const { condition = isAlwaysTrue, preconditions = [] } = change
  const { statements, named } = batchOf(db, change)
  // A change that is sent once more does not meet what it has written itself: its condition holds no longer.
  const first = guards(
    db,
    preconditions.map((needed) => ({ ...needed, condition: anyOf(not(condition), needed.condition) })),
  )
  const all = [...first, ...statements, last]
  const answers = await sendBatch(db, all)
    .catch((error: unknown) =>
      mayRepeat(error) ? sendBatch(db, isOurs ? [...all, isOurs] : all) : Promise.reject(error),
    )
    .catch(refuseFailedGuard)
  const results = answers.slice(first.length)
  const answered = results.slice(statements.length).some((rows) => Array.isArray(rows) && rows.length > 0)
  return answered ? named(results) : null
}

/** The statements of a change in their order, and what names their answers again. */
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
    named(results: readonly unknown[]): CommittedRows<S> {
      const waiting = [...results.slice(entries.length, start), ...results.slice(end, end + after.length)]
      // Every outbox statement says RETURNING id.
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
