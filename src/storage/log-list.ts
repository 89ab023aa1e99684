import { and, desc, eq, getTableColumns, gte, lte, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/sqlite-core'
import type { LogActor } from '../contract/logs.schema.ts'
import { ACCOUNT_DELETED, getActor, INTERACTION_STEPS, ownActions } from '../domain/audit-actor.ts'
import { readTogether } from './batches.ts'
import type { Database } from './database.ts'
import { logs } from './tables.ts'
import { cappedCountQuery, cappedTotal, type PageRange, pageOffset, totalQuery } from './totals.ts'

// Four columns are not selected, because they only repeat payload values for the indexes.
const {
  userId: _userId,
  applicationId: _applicationId,
  interactionId: _interactionId,
  actorId: _actorId,
  ...columns
} = getTableColumns(logs)

type LogRow = Pick<typeof logs.$inferSelect, keyof typeof columns> & { actor: LogActor | null }

/**
 * The filters of the list. Unset fields match everything. `by` is the id of the actor, `of` that of the user or
 * application that the row is about. `from` and `to` are times, both inclusive.
 */
type LogFilter = { [field in FilterName]?: string | undefined } & {
  from?: number | undefined
  to?: number | undefined
}
type FilterName = 'interactionId' | 'userId' | 'by' | 'of' | 'applicationId' | 'key'

/** Lists log rows, newest first (spec/management#logs). */
export async function listLogs(
  db: Database,
  tenantId: string,
  { from, to, page, pageSize, ...filter }: PageRange & LogFilter,
): Promise<{ logs: LogRow[]; total: number; isCapped: boolean }> {
  const range = and(
    eq(logs.tenantId, tenantId),
    from === undefined ? undefined : gte(logs.createdAt, from),
    to === undefined ? undefined : lte(logs.createdAt, to),
  )
  const isWhole = [from, to, ...Object.values(filter)].every((value) => value === undefined)
  const { rows, totals } = await readTogether(db, {
    rows: matchingRows(db, range, filter)
      .orderBy(desc(logs.createdAt), desc(logs.id))
      .limit(pageSize)
      .offset(pageOffset({ page, pageSize })),
    totals: isWhole
      ? totalQuery(db, tenantId, 'logs')
      : cappedCountQuery(db, matchingRows(db, range, filter)),
  })
  const total = totals[0]?.count ?? 0
  return { logs: rows.map(withActor), ...(isWhole ? { total, isCapped: false } : cappedTotal(total)) }
}

/**
 * Searches one index for each alternative of the most selective filter, and merges the rows, which the indexes return
 * in order.
 */
function matchingRows(db: Database, range: SQL | undefined, filter: LogFilter) {
  const [first, ...others] = filterNames.filter((name) => filter[name] !== undefined)
  const isMatch = others.map((name) => either(alternatives[name](filter[name] ?? '', sql`+`)))
  const indexed = first === undefined ? [undefined] : alternatives[first](filter[first] ?? '', sql``)
  const [one, two, ...rest] = indexed.map((condition) =>
    db
      .select(columns)
      .from(logs)
      .where(and(range, condition, ...isMatch))
      .$dynamic(),
  )
  if (!one) throw new Error('A filter has at least one alternative.')
  return two ? unionAll(one, two, ...rest).$dynamic() : one
}

const either = (conditions: readonly SQL[]): SQL => sql`(${sql.join([...conditions], sql` or `)})`

/** The filters, most selective first. */
const filterNames = ['interactionId', 'userId', 'by', 'of', 'applicationId', 'key'] as const

/**
 * The conditions of each filter, of which a row matches at most one. With a plus sign, SQLite does not search an index;
 * it would otherwise choose the one that was created last.
 */
const alternatives: Record<FilterName, (value: string, plus: SQL) => SQL[]> = {
  interactionId: (value, plus) => [sql`${plus}${logs.interactionId} = ${value}`],
  userId: (value, plus) => [sql`${plus}${logs.userId} = ${value}`],
  applicationId: (value, plus) => [sql`${plus}${logs.applicationId} = ${value}`],
  key: (value, plus) => [sql`${plus}${logs.key} = ${value}`],
  // Only rows about somebody or something else name their actor (ADR-0178). The others are found by their user or
  // application, as `getActor` reads them.
  by: (id, plus) => [
    sql`${plus}${logs.actorId} = ${id}`,
    sql`${plus}${logs.userId} = ${id} and +${logs.actorId} is null and ${isKeyOf(ownActions.user)}
      and +${logs.key} <> ${ACCOUNT_DELETED}
      and (json_extract(${logs.payload}, '$.result') = 'Success' or not ${isKeyOf([INTERACTION_STEPS])})`,
    sql`${plus}${logs.applicationId} = ${id} and +${logs.actorId} is null and ${isKeyOf(ownActions.application)}`,
  ],
  // Operators may choose the same id for a user and an application.
  of: (id, plus) => [
    sql`${plus}${logs.userId} = ${id}`,
    sql`${plus}${logs.applicationId} = ${id} and +${logs.userId} is not ${id}`,
  ],
}

const isKeyOf = (beginnings: readonly string[]): SQL =>
  either(
    beginnings.map((beginning) => sql`(+${logs.key} >= ${beginning} and +${logs.key} < ${`${beginning}~`})`),
  )

export async function getLog(db: Database, tenantId: string, id: string): Promise<LogRow | null> {
  const [row] = await db
    .select(columns)
    .from(logs)
    .where(and(eq(logs.tenantId, tenantId), eq(logs.id, id)))
  return row ? withActor(row) : null
}

const withActor = (row: Omit<LogRow, 'actor'>): LogRow => ({ ...row, actor: getActor(row) })
