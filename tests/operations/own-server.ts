import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '../kit/free-port.ts'
import { queryDatabase, type RunServer } from './restorable-server.ts'

/** A server that `npm start` started for a single test. */
export type OwnServer = RunServer & {
  rootSecret: string
  /** Returns the server's output so far. */
  printed(): string
  stop(): Promise<void>
}

const START_MS = 120_000

export async function startOwnServer(): Promise<OwnServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-run-'))
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

  const secret = (name: string) =>
    new RegExp(`^${name}="?([^"\n]+)`, 'm').exec(readFileSync('.dev.vars', 'utf8'))?.[1] ?? ''
  return {
    origin: `http://localhost:${port}`,
    rootSecret: secret('ROOT_SECRET'),
    managementSecret: secret('MANAGEMENT_CLIENT_SECRET'),
    printed: () => printed,
    query: (use) => queryDatabase(folder, use),
    async stop() {
      server.kill('SIGTERM')
      if (server.exitCode === null) await new Promise((resolve) => server.once('exit', resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
