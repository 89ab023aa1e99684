import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { freePort } from '../kit/free-port.ts'

/** A server of a test's own, started as the README says, that forgets nothing it printed. */
export type OwnServer = {
  origin: string
  rootSecret: string
  managementSecret: string
  /** All that it has printed so far. */
  printed(): string
  /** Its database, while it runs. */
  query<T>(use: (database: DatabaseSync) => T): T
  /** Stopped, with its database as it was when it was copied last, or copied now; then started again. */
  restart(how: 'copy' | 'restore'): Promise<OwnServer>
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
    ['scripts/run.mjs', 'start', '--port', String(port), '--persist-to', folder],
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

  const secret = (name: string) =>
    new RegExp(`^${name}="?([^"\n]+)`, 'm').exec(readFileSync('.dev.vars', 'utf8'))?.[1] ?? ''
  return {
    origin: `http://localhost:${port}`,
    rootSecret: secret('ROOT_SECRET'),
    managementSecret: secret('MANAGEMENT_CLIENT_SECRET'),
    printed: () => printed,
    query(use) {
      const databases = path.join(folder, 'v3/d1/miniflare-D1DatabaseObject')
      const file = readdirSync(databases).find((name) => /^(?!metadata).*\.sqlite$/.test(name))
      const database = new DatabaseSync(path.join(databases, file ?? ''))
      database.exec('pragma busy_timeout = 5000')
      try {
        return use(database)
      } finally {
        database.close()
      }
    },
    async restart(how) {
      await end()
      const [live, copy] = [path.join(folder, 'v3/d1'), path.join(folder, 'copy')]
      const [from, to] = how === 'copy' ? [live, copy] : [copy, live]
      rmSync(to, { recursive: true, force: true })
      cpSync(from, to, { recursive: true })
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
