import { and, eq, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { LogActor } from '../contract/logs.schema.ts'
import { ACCOUNT_DELETED, getActor, INTERACTION_STEPS, ownActions } from '../domain/audit-actor.ts'
import { readTogether } from './batches.ts'
import type { Database } from './database.ts'
import { firstLogId, TIMED_ID_MARK } from './log-ids.ts'
import { entryAt, entryWithId, MAX_STEP_AGE, rowIdOf, type StoredLog } from './log-steps.ts'
import { type LogPayload, logs } from './tables.ts'
import { cappedTotal, MAX_LIST_COUNT, type PageRange, pageOffset } from './totals.ts'

/**
 * The list of audit entries. A row may contain several entries (spec/storage#log-steps), so a query
 *
 * 1. selects the rows that can contain matching entries from one or more sources, each of which an index lists in order
 *    of time, newest first,
 * 2. unfolds these rows into their entries, and
 * 3. selects and sorts the entries.
 *
 * An entry is never newer than its row, and at most `MAX_STEP_AGE` older. A page is read in two steps. The first reads
 * as many matching rows of each source as entries are needed, and finds the time of the last of that many entries. All
 * newer entries are in rows that are newer than this time, so the second step reads these rows, sorts their entries and
 * cuts out the page.
 */

type ListedLog = StoredLog & { tenantId: string; actor: LogActor | null }

/**
 * The filters of the list. Unset fields match everything. `by` is the id of the actor, `of` that of the user or
 * application that the entry is about. `from` and `to` are times, both inclusive.
 */
type LogFilter = { [field in FilterName]?: string | undefined } & TimeRange
type TimeRange = { from?: number | undefined; to?: number | undefined }
type FilterName = 'interactionId' | 'userId' | 'by' | 'of' | 'applicationId' | 'organizationId' | 'key'

/** Lists audit entries, newest first (spec/management#logs). */
export async function listLogs(
  db: Database,
  tenantId: string,
  { from, to, page, pageSize, ...filter }: PageRange & LogFilter,
): Promise<{ logs: ListedLog[]; total: number; isCapped: boolean }> {
  const offset = pageOffset({ page, pageSize })
  const last = offset + pageSize
  const entries = (range: TimeRange, newest?: number) => matchingEntries(tenantId, filter, range, newest)
  const { oldest, totals } = await readTogether(db, {
    oldest: db.all<{ at: number }>(
      sql`${entries({ from, to }, last)} order by at desc limit 1 offset ${last - 1}`,
    ),
    totals: db.all<{ count: number }>(
      sql`select count(*) as count from (${entries({ from, to })} limit ${MAX_LIST_COUNT + 1}) as some`,
    ),
  })
  const since = oldest[0]?.at ?? from
  const { rows } = await readTogether(db, {
    rows: db.all<EntryRow>(
      sql`${entries({ from: since, to })} order by at desc, id desc, position desc limit ${pageSize} offset ${offset}`,
    ),
  })
  const listed = rows.map(({ position, payload, id, key, createdAt }) =>
    withActor(
      tenantId,
      entryAt({ id, key, createdAt, payload: JSON.parse(payload) as LogPayload }, position),
    ),
  )
  return { logs: listed, ...cappedTotal(totals[0]?.count ?? 0) }
}

type EntryRow = { id: string; key: string; payload: string; createdAt: number; position: number; at: number }

/** The entries of a row, with their position. A row that lists no steps has one entry. */
const unfolded = sql`json_each(coalesce(json_extract(${logs.payload}, '$.steps'), '[{}]')) as step`
const at = sql`coalesce(step.value ->> 'createdAt', ${logs.createdAt})`
const key = sql`coalesce(step.value ->> 'key', ${logs.key})`
const result = sql`coalesce(step.value ->> 'result', json_extract(${logs.payload}, '$.result'))`

/**
 * Selects the entries that match, in no order. If `newest` is set, selects only those in that many of the newest matching
 * rows of each source.
 */
function matchingEntries(tenantId: string, filter: Filter, range: TimeRange, newest?: number): SQL {
  const [first, ...others] = filterNames.filter((name) => filter[name] !== undefined)
  const isInRange = [
    range.from === undefined ? undefined : sql`${at} >= ${range.from}`,
    range.to === undefined ? undefined : sql`${at} <= ${range.to}`,
  ]
  const isOtherMatch = others.map((name) =>
    either(
      sourcesOf[name](filter[name] ?? '', sql`+`).map(({ rows, entries }) => sql`${and(rows, entries)}`),
    ),
  )
  const sources = first === undefined ? wholeLog : sourcesOf[first](filter[first] ?? '', sql``)
  const selected = sources.map(({ rows, entries, combinations, order = 'created_at' }) => {
    const isMatch = and(entries, ...isOtherMatch, ...isInRange)
    const isCombination = combinations && sql`${logs.keys} = combination.keys`
    const isRow = and(eq(logs.tenantId, tenantId), rows, isCombination, ...timesOfRows[order](range))
    const hasMatch = isMatch && sql`exists (select 1 from ${unfolded} where ${isMatch})`
    const newestRows = sql`select rowid from ${logs} where ${and(isRow, hasMatch)}
      order by ${sql.raw(order)} desc, id desc limit ${newest}`
    const isRead = newest === undefined ? isRow : sql`${logs}.rowid in (${newestRows})`
    const each = combinations
      ? sql`(${combinations(tenantId)}) as combination cross join ${logs}`
      : sql`${logs}`
    return sql`select ${logs.id} as id, ${logs.key} as key, ${logs.payload} as payload, ${logs.createdAt} as createdAt,
      step.key as position, ${at} as at from ${each} cross join ${unfolded} where ${and(isRead, isMatch)}`
  })
  return sql`select * from (${sql.join(selected, sql` union all `)}) as some`
}

type Filter = { [field in FilterName]?: string | undefined }

/** Rows that can contain matching entries. */
type Source = {
  /** The condition for the row, which an index serves. */
  rows?: SQL
  /** The condition for its entries, if not all of them match. */
  entries?: SQL
  /** Selects the combinations of keys that the rows may have, if the index lists each combination separately. */
  combinations?: (tenantId: string) => SQL
  /** The column by which the index lists the rows. */
  order?: 'created_at' | 'id'
}

/** The times of the rows that can contain entries from a range. */
const timesOfRows = {
  created_at: ({ from, to }: TimeRange) => [
    from === undefined ? undefined : gte(logs.createdAt, from),
    to === undefined ? undefined : lte(logs.createdAt, to + MAX_STEP_AGE),
  ],
  id: ({ from = 0, to }: TimeRange) => [
    gte(logs.id, firstLogId(from)),
    to === undefined ? undefined : lt(logs.id, firstLogId(to + MAX_STEP_AGE + 1)),
  ],
}

/** The rows with timed ids, which the primary key lists, and all others (spec/storage#log-ids). */
const wholeLog: readonly Source[] = [{ order: 'id' }, { rows: sql`${logs.id} < '${sql.raw(TIMED_ID_MARK)}'` }]

/** The filters, most selective first. The first one that is set determines which indexes are searched. */
const filterNames = ['interactionId', 'userId', 'by', 'of', 'organizationId', 'applicationId', 'key'] as const

/**
 * The sources of each filter, of which an entry belongs to at most one. With a plus sign, SQLite does not search an
 * index; it would otherwise choose the one that was created last.
 */
const sourcesOf: Record<FilterName, (value: string, plus: SQL) => Source[]> = {
  interactionId: (value, plus) => [{ rows: sql`${plus}${logs.interactionId} = ${value}` }],
  userId: (value, plus) => [{ rows: sql`${plus}${logs.userId} = ${value}` }],
  applicationId: (value, plus) => [{ rows: sql`${plus}${logs.applicationId} = ${value}` }],
  organizationId: (value, plus) => [{ rows: sql`${plus}${logs.organizationId} = ${value}` }],
  key: (value) => [
    { entries: sql`${key} = ${value}`, combinations: (tenantId) => combinationsWith(tenantId, value) },
  ],
  // Only rows about somebody or something else name their actor (ADR-0178). The others are found by their user or
  // application, as `getActor` reads them.
  by: (id, plus) => [
    { rows: sql`${plus}${logs.actorId} = ${id}` },
    {
      rows: sql`${plus}${logs.userId} = ${id} and +${logs.actorId} is null`,
      entries: sql`${isKeyOf(ownActions.user)} and ${key} <> ${ACCOUNT_DELETED}
        and (${result} = 'Success' or not ${isKeyOf([INTERACTION_STEPS])})`,
    },
    {
      rows: sql`${plus}${logs.applicationId} = ${id} and +${logs.actorId} is null`,
      entries: isKeyOf(ownActions.application),
    },
  ],
  // Operators may choose the same id for a user and an application.
  of: (id, plus) => [
    { rows: sql`${plus}${logs.userId} = ${id}` },
    { rows: sql`${plus}${logs.applicationId} = ${id} and +${logs.userId} is not ${id}` },
  ],
}

/**
 * Selects the combinations of keys that contain a key. There are few, so the recursive query finds each by a search of
 * the index instead of reading all rows.
 */
const combinationsWith = (tenantId: string, value: string): SQL => {
  const next = (condition: SQL) =>
    sql`(select keys from ${logs} where tenant_id = ${tenantId} and ${condition} order by keys limit 1)`
  return sql`with recursive reached(keys) as (select ${next(sql`true`)}
    union all select ${next(sql`keys > reached.keys`)} from reached where reached.keys is not null)
    select keys from reached where instr(' ' || keys || ' ', ${` ${value} `}) > 0`
}

const either = (conditions: readonly SQL[]): SQL => sql`(${sql.join([...conditions], sql` or `)})`

const isKeyOf = (beginnings: readonly string[]): SQL =>
  either(beginnings.map((beginning) => sql`(${key} >= ${beginning} and ${key} < ${`${beginning}~`})`))

/** Returns the audit entry with this id, or null if there is none. */
export async function getLog(db: Database, tenantId: string, id: string): Promise<ListedLog | null> {
  const [row] = await db
    .select({ id: logs.id, key: logs.key, payload: logs.payload, createdAt: logs.createdAt })
    .from(logs)
    .where(and(eq(logs.tenantId, tenantId), eq(logs.id, rowIdOf(id))))
  const entry = row && entryWithId(row, id)
  return entry ? withActor(tenantId, entry) : null
}

const withActor = (tenantId: string, entry: StoredLog): ListedLog => ({
  tenantId,
  ...entry,
  actor: getActor(entry),
})
