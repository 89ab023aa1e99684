import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'
import type { TestProject } from 'vitest/node'
import { azuriteProgram } from '../../../scripts/azurite.mjs'
import { freePort } from '../../kit/free-port.ts'
import { sweepOfProcess } from '../../kit/sweep.ts'

declare module 'vitest' {
  interface ProvidedContext {
    objectStores: ObjectStores
  }
}

/** The URLs of object stores that are not ours. Azure's is null unless the run is exhaustive. */
export type ObjectStores = { s3: string; azure: string | null }

const BUCKET = 'my-files'

/**
 * Starts an S3-compatible server, which compares signatures (Signature Version 4), and in an exhaustive run also
 * Azurite, which `npm run test:exhaustive` installs.
 */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-s3-'))
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: BUCKET }],
  })
  const { port } = await s3.run()
  const azurite = sweepOfProcess().isExhaustive ? await startAzurite() : null
  project.provide('objectStores', { s3: `http://127.0.0.1:${port}`, azure: azurite?.url ?? null })
  return async () => {
    azurite?.server.kill()
    await s3.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const START_SECONDS = 60
/** Azurite's documented account, which is the same everywhere. */
const ACCOUNT = 'devstoreaccount1'
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=='

async function startAzurite(): Promise<{ url: string; server: ChildProcess }> {
  if (!existsSync(azuriteProgram))
    throw new Error('Azurite is missing. Install it with "npm run test:exhaustive -- workers".')
  const port = await freePort()
  const server = spawn(
    process.execPath,
    [
      ...[azuriteProgram, '--inMemoryPersistence', '--silent', '--disableTelemetry'],
      ...['--blobHost', '127.0.0.1', '--blobPort', String(port)],
    ],
    { stdio: 'ignore' },
  )
  const url = `http://127.0.0.1:${port}/${ACCOUNT}`
  for (let tries = 0; tries < START_SECONDS * 20; tries++) {
    if (server.exitCode !== null) throw new Error(`Azurite ended with code ${server.exitCode}`)
    const created = await createContainer(url).catch(() => null)
    if (created?.ok) return { url, server }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  server.kill()
  throw new Error(`Azurite did not answer within ${START_SECONDS} seconds`)
}

/** Creates a container whose files everyone can read, as operators do in Azure's portal. */
function createContainer(url: string): Promise<Response> {
  const headers = {
    'x-ms-blob-public-access': 'blob',
    'x-ms-date': new Date().toUTCString(),
    'x-ms-version': '2021-08-06',
  }
  const signed = [
    ...['PUT', '', '', '', '', '', '', '', '', '', '', ''],
    ...Object.entries(headers).map(([name, value]) => `${name}:${value}`),
    `/${ACCOUNT}/${ACCOUNT}/${BUCKET}`,
    'restype:container',
  ].join('\n')
  const signature = createHmac('sha256', Buffer.from(KEY, 'base64')).update(signed).digest('base64')
  return fetch(`${url}/${BUCKET}?restype=container`, {
    method: 'PUT',
    headers: { ...headers, authorization: `SharedKey ${ACCOUNT}:${signature}` },
  })
}
