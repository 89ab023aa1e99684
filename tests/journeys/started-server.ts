import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { freePort } from '../kit/free-port.ts'

declare module 'vitest' {
  interface ProvidedContext {
    origin: string
    /** Where the server keeps what it remembers. */
    data: string
    managementSecret: string
  }
}

/** In place of the Worker: the same on a bad day of its platform (docs/faults.md). */
const instead = process.env.HOSTILE === '1' ? ['tests/faults/hostile-worker.ts'] : []

const START_MS = 120_000

/** Starts the server the way the README says, on a free port and with data of its own, and stops it by its process. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-journeys-'))
  const port = await freePort()
  const log: string[] = []
  const server = spawn(
    process.execPath,
    ['scripts/run.mjs', 'start', '--port', String(port), '--persist-to', folder, ...instead],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => log.push(String(data)))

  try {
    await ready(server, log)
    const { headers } = await fetch(`http://localhost:${port}/api/status`)
    if (headers.has('x-hostile-platform') !== instead.length > 0) throw new Error('It is the wrong server')
  } catch (error) {
    server.kill('SIGTERM')
    throw error
  }
  project.provide('origin', `http://localhost:${port}`)
  project.provide('data', folder)
  project.provide(
    'managementSecret',
    /^MANAGEMENT_CLIENT_SECRET="?([^"\n]+)/m.exec(readFileSync('.dev.vars', 'utf8'))?.[1] ?? '',
  )

  return async () => {
    server.kill('SIGTERM')
    await new Promise((resolve) => server.once('exit', resolve))
    rmSync(folder, { recursive: true, force: true })
  }
}

async function ready(server: ChildProcess, log: readonly string[]): Promise<void> {
  const deadline = Date.now() + START_MS
  while (!log.join('').includes('is ready at')) {
    if (server.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The server did not start:\n${log.join('')}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
