import { env } from 'cloudflare:workers'

type Row = Record<string, string | number | null>

/** This object survives from file to file, because one Worker runs them all (`isolate: false`). */
const worker = globalThis as { freshTables?: ReadonlyMap<string, readonly Row[]> }

/**
 * Every test file starts with the database of a fresh deployment, which is migrated once and reset for each further
 * file.
 */
if (worker.freshTables) await restore(worker.freshTables)
else worker.freshTables = await migrate()

/**
 * Migrates without `applyD1Migrations`, which takes a call per statement. Returns the rows that the migrations put into
 * each table.
 */
async function migrate(): Promise<Map<string, Row[]>> {
  await env.DB.batch(
    env.TEST_MIGRATIONS.flatMap(({ queries }) => queries.map((query) => env.DB.prepare(query))),
  )
  // The tables behind the search index are left out, because triggers maintain it.
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
    // Triggers have already created some of the rows when the statement runs.
    const statement = `insert or replace into "${table}" (${columns.join()}) values (${columns.map(() => '?').join()})`
    return env.DB.prepare(statement).bind(...Object.values(row))
  }
  await env.DB.batch([
    env.DB.prepare('pragma defer_foreign_keys = on'),
    ...[...tables.keys()].map((table) => env.DB.prepare(`delete from "${table}"`)),
    ...[...tables].flatMap(([table, rows]) => rows.map((row) => insert(table, row))),
  ])
}
