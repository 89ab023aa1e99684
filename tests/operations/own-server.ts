import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freePort } from '../kit/free-port.ts'

/** A server for one test, started with `npm start`, with its whole output. */
export type OwnServer = {
  origin: string
  rootSecret: string
  managementSecret: string
  /** Its output so far. */
  printed(): string
  /** Its database, while it runs. */
  query<T>(use: (database: DatabaseSync) => T): T
  /** Copies its database, while it runs. */
  copyDatabase(): void
  /** Stops it, restores the copy of its database and starts it again. */
  restoreDatabase(): Promise<OwnServer>
  stop(): Promise<void>
}

const START_MS = 120_000

export async function startOwnServer(
  folder = mkdtempSync(path.join(tmpdir(), 'vestibule-run-')),
): Promise<OwnServer> {
  const port = await freePort()
  let printed = ''
  const server = spawn(
    process.execPath,
    ['scripts/run.mjs', 'start', '--once', '--port', String(port), '--persist-to', folder],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (data) => {
      printed += data
    })
  }

  const deadline = Date.now() + START_MS
  while (!printed.includes('is ready at')) {
    if (server.exitCode !== null || Date.now() > deadline) {
      server.kill('SIGTERM')
      throw new Error(`The server did not start:\n${printed}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }

  const copy = path.join(folder, 'copy.sqlite')
  function databaseFile(): string {
    const databases = path.join(folder, 'v3/d1/miniflare-D1DatabaseObject')
    const file = readdirSync(databases).find((name) => /^(?!metadata).*\.sqlite$/.test(name))
    return path.join(databases, file ?? '')
  }
  function query<T>(use: (database: DatabaseSync) => T): T {
    const database = new DatabaseSync(databaseFile())
    database.exec('pragma busy_timeout = 5000')
    try {
      return use(database)
    } finally {
      database.close()
    }
  }

  const secret = (name: string) =>
    new RegExp(`^${name}="?([^"\n]+)`, 'm').exec(readFileSync('.dev.vars', 'utf8'))?.[1] ?? ''
  return {
    origin: `http://localhost:${port}`,
    rootSecret: secret('ROOT_SECRET'),
    managementSecret: secret('MANAGEMENT_CLIENT_SECRET'),
    printed: () => printed,
    query,
    copyDatabase() {
      rmSync(copy, { force: true })
      query((database) => database.prepare('vacuum into ?').run(copy))
    },
    async restoreDatabase() {
      await end()
      const live = databaseFile()
      for (const suffix of ['-shm', '-wal']) rmSync(live + suffix, { force: true })
      cpSync(copy, live)
      return startOwnServer(folder)
    },
    async stop() {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }

  async function end() {
    server.kill('SIGTERM')
    if (server.exitCode === null) await new Promise((resolve) => server.once('exit', resolve))
  }
}
