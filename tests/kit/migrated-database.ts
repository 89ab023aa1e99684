import { env } from 'cloudflare:workers'

type Row = Record<string, string | number | null>

/** This object is shared by all test files, because one Worker runs them all (`isolate: false`). */
const worker = globalThis as { freshTables?: ReadonlyMap<string, readonly Row[]> }

/**
 * A setup file that gives every test file the database of a fresh deployment. It migrates the database for
 * the first file and resets it before each further file.
 */
if (worker.freshTables) await restore(worker.freshTables)
else worker.freshTables = await migrate()

/**
 * Migrates the database without `applyD1Migrations`, which makes a call per statement. Returns the rows that
 * the migrations insert into each table.
 */
async function migrate(): Promise<Map<string, Row[]>> {
  await env.DB.batch(
    env.TEST_MIGRATIONS.flatMap(({ queries }) => queries.map((query) => env.DB.prepare(query))),
  )
  // The tables of the search index are skipped, because triggers maintain them.
  const { results: tables } = await env.DB.prepare(
    `select name from pragma_table_list where type = 'table' and schema = 'main'
     and name not like 'sqlite\\_%' escape '\\' and name not like '\\_cf\\_%' escape '\\'`,
  ).all<{ name: string }>()
  const rows = await env.DB.batch<Row>(tables.map(({ name }) => env.DB.prepare(`select * from "${name}"`)))
  return new Map(tables.map(({ name }, i) => [name, rows[i]?.results ?? []]))
}

async function restore(tables: ReadonlyMap<string, readonly Row[]>): Promise<void> {
  const insert = (table: string, row: Row) => {
    const columns = Object.keys(row)
    // Triggers may already have created some of the rows when the statement runs.
    const statement = `insert or replace into "${table}" (${columns.join()}) values (${columns.map(() => '?').join()})`
    return env.DB.prepare(statement).bind(...Object.values(row))
  }
  await env.DB.batch([
    env.DB.prepare('pragma defer_foreign_keys = on'),
    ...[...tables.keys()].map((table) => env.DB.prepare(`delete from "${table}"`)),
    ...[...tables].flatMap(([table, rows]) => rows.map((row) => insert(table, row))),
  ])
}
