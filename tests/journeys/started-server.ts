import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { freePort } from '../kit/free-port.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The origin of the tenant `default`. */
    origin: string
    /** The folder in which the server stores its state. */
    data: string
    managementSecret: string
    /** The file to which the server's output is written. */
    log: string
  }
}

const START_MS = 120_000

/**
 * Starts the server as the README describes, on a free port and with separate state. Stops its process
 * afterwards.
 */
export default async function startServer(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-journeys-'))
  const port = await freePort()
  const log: string[] = []
  const server = spawn(
    process.execPath,
    ['scripts/run.mjs', 'start', '--once', '--port', String(port), '--persist-to', folder],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const logFile = path.join(folder, 'server.log')
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (data) => {
      log.push(String(data))
      appendFileSync(logFile, data)
    })

  try {
    await untilReady(server, log)
  } catch (error) {
    server.kill('SIGTERM')
    throw error
  }
  project.provide('origin', `http://localhost:${port}`)
  project.provide('data', folder)
  project.provide('log', logFile)
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

async function untilReady(server: ChildProcess, log: readonly string[]): Promise<void> {
  const deadline = Date.now() + START_MS
  while (!log.join('').includes('is ready at')) {
    if (server.exitCode !== null || Date.now() > deadline) {
      throw new Error(`The server did not start:\n${log.join('')}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
