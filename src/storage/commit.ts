import {
  listStatements,
  nameRows,
  type RowsByName,
  type Statement,
  type Statements,
  sendBatch,
} from './batches.ts'
import { ALWAYS_TRUE, anyOf, type Condition, not } from './conditions.ts'
import { enqueueNotice, type NoticeEvent } from './connectors/notices.ts'
import { type Database, isRetryableError, retryOnce } from './database.ts'
import { enqueueHooks, type HookEvents } from './hooks/hook-events.ts'
import { enqueueOrganizationHooks, type OrganizationEvents } from './hooks/organization-events.ts'
import { enqueueLogouts, type LogoutEvents } from './hooks/outbox-events.ts'
import { insertLogIf, type NewLog } from './logs.ts'
import { type Guarded, preconditionStatements, refuseFailedGuard } from './preconditions.ts'

/**
 * The audit entries of a change. A change without an audit entry has to state a reason, or else it does not compile.
 */
export type RequiredAudit = NewLog | readonly [NewLog, ...NewLog[]] | NotAudited
type NotAudited = { notAudited: string }

export const notAudited = (reason: string): NotAudited => ({ notAudited: reason })

type AnyHookEvents = HookEvents | OrganizationEvents

export type OutboxEvents = {
  logouts?: LogoutEvents | undefined
  /** Hook events that describe entities that the change removes, or whose condition holds only before the change. */
  hooksBefore?: readonly AnyHookEvents[] | undefined
  hooks?: readonly AnyHookEvents[] | undefined
  /** The condition of `hooks`, if the change's own condition no longer holds afterwards. */
  hooksIf?: Condition | undefined
  notice?: NoticeEvent | readonly NoticeEvent[] | undefined
}

export type StorageChange<S extends Statements> = Guarded & {
  /** The tenant of the audit entries and outbox events. */
  tenantId: string
  /**
   * The condition of the audit entries and outbox events. Each statement must include the same condition, or imply it
   * by the key of its rows.
   */
  condition?: Condition | undefined
  statements: S & { outboxIds?: never }
  audit: RequiredAudit
  outbox?: OutboxEvents | undefined
}

/** The rows that a change returned. `outboxIds` are the ids of the deliveries to pass to `deliveries.send`. */
export type CommittedRows<S extends Statements> = RowsByName<S> & { outboxIds: string[] }

/**
 * Commits a change as one batch (ADR-0055, spec/storage#batches), which succeeds or fails as a whole. The order is
 * fixed: audit entries, notices, logout events, the hook events of `hooksBefore`, the statements in the order of their
 * names, and the hook events of `hooks`. Everything before the statements reads the state before the change, because
 * rows that are deleted cannot be read afterwards. The events of `hooks` contain the user and the application as they
 * are after the change, so the change's condition, or `hooksIf`, must still hold then. A statement that depends on
 * another statement's writes must follow it.
 */
export async function commitChange<const S extends Statements>(
  db: Database,
  change: StorageChange<S>,
): Promise<CommittedRows<S>> {
  const { statements, nameResults } = batchOf(db, change)
  const guardStatements = preconditionStatements(db, change.preconditions)
  const results = await sendBatch(db, [...guardStatements, ...statements]).catch(refuseFailedGuard)
  return nameResults(results.slice(guardStatements.length))
}

/** Commits a change that is safe to repeat. The batch is sent once more if its response was lost. */
export async function commitRepeatable<const S extends Statements>(
  db: Database,
  change: Omit<StorageChange<S>, 'preconditions'>,
): Promise<CommittedRows<S>> {
  const { statements, nameResults } = batchOf(db, change)
  return nameResults(await retryOnce(() => sendBatch(db, statements)))
}

type ClosingStatements = {
  /** Statements that follow the change and its hook events, which therefore describe the state before them. */
  writes?: readonly Statement[]
  /** The statement that is sent after all other statements. It returns a row if the change took effect. */
  last: Statement
  /**
   * The statement that is sent only if the first response was lost. It returns a row if this request has already made
   * the change.
   */
  isOurs: Statement | undefined
}

/**
 * Commits a change and closes the interaction on which it depends. Returns null if the interaction was already closed,
 * in which case nothing was written. The preconditions apply only if the condition holds.
 */
export async function commitAndCloseInteraction<const S extends Statements>(
  db: Database,
  change: StorageChange<S>,
  { writes = [], last, isOurs }: ClosingStatements,
): Promise<CommittedRows<S> | null> {
  const { condition = ALWAYS_TRUE, preconditions = [] } = change
  const { statements, nameResults } = batchOf(db, change)
  // A repeated batch would fail preconditions because of its own changes, so they apply only while the condition still
  // holds.
  const guardStatements = preconditionStatements(
    db,
    preconditions.map((precondition) => ({
      ...precondition,
      condition: anyOf(not(condition), precondition.condition),
    })),
  )
  const all = [...guardStatements, ...statements, ...writes, last]
  const allResults = await sendBatch(db, all)
    .catch((error: unknown) =>
      isRetryableError(error) ? sendBatch(db, isOurs ? [...all, isOurs] : all) : Promise.reject(error),
    )
    .catch(refuseFailedGuard)
  const results = allResults.slice(guardStatements.length)
  const isCommitted = results
    .slice(statements.length + writes.length)
    .some((rows) => Array.isArray(rows) && rows.length > 0)
  return isCommitted ? nameResults(results) : null
}

/** Returns the statements of a change in order, and a function that maps their results to names. */
function batchOf<S extends Statements>(db: Database, change: StorageChange<S>) {
  const { tenantId, condition = ALWAYS_TRUE, statements, audit, outbox = {} } = change
  const { logouts, hooksBefore = [], hooks = [], hooksIf = condition, notice } = outbox
  const entries = [
    ...entriesOf(audit).map((entry) => insertLogIf(db, tenantId, condition, entry)),
    ...noticesOf(notice).map((event) => enqueueNotice(db, tenantId, condition, event)),
  ]
  const hooksOf = (events: readonly AnyHookEvents[], when: Condition) =>
    events.map((event) =>
      'organizationId' in event
        ? enqueueOrganizationHooks(db, tenantId, when, event)
        : enqueueHooks(db, tenantId, when, event, event.now),
    )
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
