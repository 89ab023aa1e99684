import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freePort } from '../../kit/free-port.ts'
import { newFormUser } from '../form-user.ts'
import type { NewApplication } from '../management.ts'
import { openTenant } from '../tenant.ts'

/** Runs the MCP suite against the running server (docs/development/conformance.md#model-context-protocol). */

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'
const RESOURCE = 'https://notes.example.com/mcp'

const { origin, call, registeredName } = await openTenant()
const results = mkdtempSync(path.join(tmpdir(), 'vestibule-mcp-'))
afterAll(() => rmSync(results, { recursive: true }))
await call('POST', '/resources', { name: 'Notes', indicator: RESOURCE })
await call('PATCH', '/configs/settings', { unregisteredClients: { enabled: true } })

type Check = { id: string; status: string; errorMessage?: string }

const applications = [
  { type: 'SPA', setup: 'test-hosts.ts' },
  { type: 'Traditional', setup: 'applications/confidential-discovery.ts' },
]

type Run = (typeof applications)[number] & { revision: string }

/** Runs the suite with one of our applications. A user signs in at the URL that the suite prints. */
async function runSuite({
  revision,
  type,
  setup,
}: Run): Promise<{ checks: Check[]; exitCode: number | null }> {
  const port = await freePort()
  const { id, secret } = await call<NewApplication>('POST', '/applications', {
    name: `Agent of ${revision}`,
    type,
    oidcClientMetadata: { redirectUris: [`http://127.0.0.1:${port}/callback`], postLogoutRedirectUris: [] },
    customClientMetadata: { isThirdParty: true },
  })
  const folder = path.join(results, `${revision}-${type}`)
  const issuer = `${origin}/oidc`
  const suite = spawn(
    process.execPath,
    [
      ...['--import', `./tests/journeys/${setup}`, SUITE, 'authorization'],
      ...['--url', issuer, '--resource', RESOURCE, '--spec-version', revision],
      ...['--client-id', id, ...(type === 'SPA' ? [] : ['--client-secret', secret])],
      ...['--port', String(port), '--output-dir', folder],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ISSUER: issuer } },
  )
  const ended = new Promise<number | null>((resolve) => suite.once('exit', resolve))
  const user = newFormUser(origin, await registeredName())
  await fetch(await user.follow(await addressPrintedBy(suite)))
  const exitCode = await ended
  expect(user.pages).toEqual(['/sign-in', '/sign-in/consent'])
  return { checks: checksIn(folder), exitCode }
}

function addressPrintedBy(suite: ChildProcess): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    suite.stdout?.on('data', (data) => {
      printed += data
      const [address] = /^http\S*\/oidc\/auth\?\S+$/m.exec(printed) ?? []
      if (address) resolve(address)
    })
    suite.once('exit', () => reject(new Error(printed)))
  })
}

const checksIn = (folder: string): Check[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'checks.json')
    .flatMap((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')))

describe.each(['2025-11-25', '2026-07-28'])('the Model Context Protocol suite, revision %s', (revision) => {
  it.each(applications)('passes with an application of type $type', async (application) => {
    const { checks, exitCode } = await runSuite({ ...application, revision })
    expect(checks.map(({ id, status, errorMessage }) => [id, status, errorMessage])).toEqual([
      ['authorization-code-grant', 'SUCCESS', undefined],
      ['authorization-server-metadata', 'SUCCESS', undefined],
      ['authorization-server-metadata-cimd', 'SUCCESS', undefined],
    ])
    expect(exitCode).toBe(0)
  })
})
