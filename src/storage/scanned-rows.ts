import { type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { type RowSpan, sweptRanges } from '../domain/swept-ranges.ts'
import { readTogether } from './batches.ts'
import type { Database } from './database.ts'
import { counters, oidcModelInstances, trustedBrowsers } from './tables.ts'

/**
 * The tables whose expired rows are found by scanning, a portion in each run, because an index of the times would cost a
 * written row for every insert (ADR-0190).
 */
const scannedTables = { oidcModelInstances, counters, trustedBrowsers }

/**
 * Reads the row numbers that this minute's sweep examines, and returns a subquery for the row numbers of expired rows
 * among them, at most `limit`.
 */
export async function readScannedRows(db: Database, now: number, limit: number) {
  const spans = await readTogether(db, {
    oidcModelInstances: spanQuery(db, oidcModelInstances),
    counters: spanQuery(db, counters),
    trustedBrowsers: spanQuery(db, trustedBrowsers),
  })
  return (name: keyof typeof scannedTables, condition: SQL): SQL => {
    const table = scannedTables[name]
    const ranges = spans[name].flatMap(({ first, last }) =>
      first === null || last === null ? [] : sweptRanges({ first, last }, now),
    )
    return scannedRows(table, ranges, sql`${condition} limit ${limit}`)
  }
}

/** CROSS JOIN makes SQLite start with the ranges. */
const scannedRows = (table: SQLiteTable, ranges: readonly RowSpan[], condition: SQL) =>
  sql`(select ${table}.rowid from json_each(${JSON.stringify(ranges)}) cross join ${table}
    where ${table}.rowid between json_each.value ->> '$.first' and json_each.value ->> '$.last' and ${condition})`

/** Each of the two subqueries reads one row, whereas a query for both at once would read the whole table. */
const spanQuery = (db: Database, table: SQLiteTable) =>
  db.all<{ first: number | null; last: number | null }>(
    sql`select (select min(rowid) from ${table}) as first, (select max(rowid) from ${table}) as last`,
  )
