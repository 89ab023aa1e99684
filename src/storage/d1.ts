import type { D1Database } from '@cloudflare/workers-types'
import { drizzle } from 'drizzle-orm/d1'
import { type Database, withBatch } from './database.ts'
import { withDeadline } from './deadline.ts'

export function openD1(database: D1Database): Database {
  const binding = withDeadline('D1', database)
  return withBatch(drizzle(binding), async (queries) => {
    const results = await binding.batch(
      queries.map(({ sql, params }) => database.prepare(sql).bind(...params)),
    )
    results.forEach(({ results: rows }, index) => {
      refuseLostColumns(rows[0], queries[index]?.columns)
    })
    return results
  })
}

/**
 * Throws if a result has lost a column. D1 returns the rows of a batch as objects, so if two columns have the same
 * name, the first one is lost and the values of the following ones shift by one.
 */
function refuseLostColumns(row: unknown, columns: readonly unknown[] | undefined): void {
  if (row && columns && Object.keys(row).length !== columns.length)
    throw new Error(
      'A statement in a batch selects two columns of one name: give one an alias with sql`…`.as(name)',
    )
}
