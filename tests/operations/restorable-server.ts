import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Log, LogLevel, Miniflare } from 'miniflare'
import { migrate, newSecret, workerConfig } from '../../bench/local-server.ts'
import { buildIfStale, WORKER_FOLDER } from '../../scripts/build.mjs'

/** A running server for tests. */
export type RunServer = {
  origin: string
  managementSecret: string
  /** Queries the server's database while it runs. */
  query<T>(use: (database: DatabaseSync) => T): T
}

/** The deployed Worker in Miniflare, without `wrangler dev`, and with a database file that can be replaced. */
export type RestorableServer = RunServer & {
  /** Triggers a scheduled run. */
  runScheduled(): Promise<void>
  /** Copies the database while the server runs. */
  copyDatabase(): void
  /** Stops the server, restores the copy of its database and restarts it on another port. */
  restoreDatabase(): Promise<void>
  stop(): Promise<void>
}

export async function startRestorableServer(): Promise<RestorableServer> {
  if (!(await buildIfStale())) throw new Error('The build failed')
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-restore-'))
  const copy = path.join(folder, 'copy.sqlite')
  const managementSecret = newSecret()
  const config = workerConfig(path.resolve(WORKER_FOLDER), { managementSecret })
  const start = () =>
    new Miniflare({
      log: new Log(LogLevel.ERROR),
      logRequests: false,
      host: 'localhost',
      port: 0,
      resourcePersistencePath: path.join(folder, 'v3'),
      handleStructuredLogs: () => {},
      unsafeTriggerHandlers: true,
      workers: [{ config }],
    })
  let runtime = start()
  await migrate(runtime)
  const query: RunServer['query'] = (use) => queryDatabase(folder, use)

  const server: RestorableServer = {
    origin: await originOf(runtime),
    managementSecret,
    query,
    async runScheduled() {
      const answer = await fetch(`${server.origin}/cdn-cgi/local/scheduled`)
      if (!answer.ok) throw new Error(`The scheduled run failed: ${answer.status}`)
    },
    copyDatabase() {
      rmSync(copy, { force: true })
      query((database) => database.prepare('vacuum into ?').run(copy))
    },
    async restoreDatabase() {
      await runtime.dispose()
      const live = databaseFile(folder)
      for (const suffix of ['-shm', '-wal']) rmSync(live + suffix, { force: true })
      cpSync(copy, live)
      runtime = start()
      server.origin = await originOf(runtime)
    },
    async stop() {
      await runtime.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return server
}

const originOf = async (runtime: Miniflare) => `http://localhost:${(await runtime.ready).port}`

function databaseFile(folder: string): string {
  const databases = path.join(folder, 'v3/d1/miniflare-D1DatabaseObject')
  const file = readdirSync(databases).find((name) => /^(?!metadata).*\.sqlite$/.test(name))
  return path.join(databases, file ?? '')
}

/** Opens the database in a server's state folder. */
export function queryDatabase<T>(folder: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(databaseFile(folder))
  database.exec('pragma busy_timeout = 5000')
  try {
    return use(database)
  } finally {
    database.close()
  }
}
