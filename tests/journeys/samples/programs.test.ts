import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { freePort } from '../../kit/free-port.ts'
import { browserSweep, openPage } from '../browser.ts'
import type { NewApplication } from '../management.ts'
import { pressButton, signInOnPage } from '../steps.ts'
import { openTenant } from '../tenant.ts'
import { copySample, runProgram, serveOverHttps, testNetwork, untilListening } from './programs.ts'

/** Runs the samples for programs, devices, services and APIs. `npm test` runs those that need no installation. */

const { origin, call, createUser } = await openTenant()
const issuer = `${origin}/oidc`
const exhaustive = browserSweep.isExhaustive

type Row = { id: string }

/** How each sample that protects an API is installed and started. */
const apis: Record<string, readonly string[]> = {
  'protect-node': [process.execPath, 'server.mjs'],
  'protect-go': ['sh', '-c', 'go mod tidy && go build -o server . && exec ./server'],
  'protect-python': [
    'sh',
    '-c',
    'python3 -m venv v && v/bin/pip install -q -r requirements.txt && exec v/bin/python server.py',
  ],
}

/** Starts a protected API, and returns it with the id of its scope. */
async function openApi(id: string, network: Record<string, string>) {
  const port = await freePort()
  const indicator = await serveOverHttps(port)
  const api = { indicator, scope: 'orders:read' }
  const { id: resourceId } = await call<Row>('POST', '/resources', { name: randomUUID(), indicator })
  const scope = { name: api.scope, description: 'Read your orders' }
  const { id: scopeId } = await call<Row>('POST', `/resources/${resourceId}/scopes`, scope)
  const folder = copySample(id, { issuer, api })
  const program = runProgram(apis[id] ?? [], { folder, env: { ...network, PORT: String(port) } })
  await untilListening(program, port)
  return { api, scopeId }
}

const createRole = (scopeId: string) =>
  call<Row>('POST', '/roles', { name: randomUUID(), description: '', scopeIds: [scopeId] })

/** Creates a user who may read orders. */
async function createReader(scopeId: string): Promise<string> {
  const username = freshName()
  const { id } = await createUser({ username, password: PASSWORD })
  const role = await createRole(scopeId)
  await call('POST', `/users/${id}/roles`, { roleIds: [role.id] })
  return username
}

const createApplication = (fields: Record<string, unknown>) =>
  call<NewApplication>('POST', '/applications', { name: 'Sample', ...fields })

describe('a native application', () => {
  it('native-node signs in, calls an API with refreshed tokens, and signs out', async () => {
    const network = await testNetwork()
    const { api, scopeId } = await openApi('protect-node', network)
    const redirectUris = ['http://127.0.0.1/callback']
    const postLogoutRedirectUris = ['http://127.0.0.1/signed-out']
    const { id: clientId } = await createApplication({
      type: 'Native',
      oidcClientMetadata: { redirectUris, postLogoutRedirectUris },
    })
    const username = await createReader(scopeId)
    const values = { issuer, clientId, redirectUris, afterSignOut: postLogoutRedirectUris[0] ?? null, api }
    const folder = copySample('native-node', values)
    const program = runProgram([process.execPath, 'sign-in.mjs'], { folder, env: network })
    const { page } = await openPage()

    const [, signInUrl = ''] = await program.nextLine(/^Open (.+)$/)
    await page.goto(signInUrl)
    await signInOnPage(page, username)
    await page.getByText('You can close this window.').waitFor()
    await program.nextLine(new RegExp(`^Signed in as ${username}$`))
    await program.nextLine(/"orders":\[\]/)

    const [, signOutUrl = ''] = await program.nextLine(/^Open (.+)$/)
    await page.goto(signOutUrl)
    await page.getByText('You can close this window.').waitFor()
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/signed-out/)
    await program.nextLine(/^Signed out$/)
    expect(await program.ended).toBe(0)
  })
})

/** Opens a URL in Chromium as the system's browser, and returns the URL with which the browser opens the app. */
async function openSystemBrowser(page: Page, url: URL, act: () => Promise<void>): Promise<URL> {
  const opensApp = page.waitForEvent('request', (request) => request.url().startsWith('com.example.app:'))
  await page.goto(url.href).catch(() => {})
  await act()
  return new URL((await opensApp).url())
}

type CustomScheme = typeof import('../../../samples/custom-scheme/sign-in.ts')

describe.runIf(exhaustive)('an app with a scheme of its own', () => {
  it('custom-scheme signs in, calls an API with refreshed tokens, and signs out', async () => {
    const { api, scopeId } = await openApi('protect-node', await testNetwork())
    const redirectUris = ['com.example.app:/callback']
    const postLogoutRedirectUris = ['com.example.app:/signed-out']
    const { id: clientId } = await createApplication({
      type: 'Native',
      oidcClientMetadata: { redirectUris, postLogoutRedirectUris },
    })
    const username = await createReader(scopeId)
    const values = { issuer, clientId, redirectUris, afterSignOut: postLogoutRedirectUris[0] ?? null, api }
    const folder = copySample('custom-scheme', values)
    const app: CustomScheme = await import(path.join(folder, 'sign-in.ts'))
    const { page } = await openPage()

    const tokens = await app.signIn((url) => openSystemBrowser(page, url, () => signInOnPage(page, username)))
    expect(tokens.claims()).toMatchObject({ preferred_username: username })
    const refreshed = await app.refresh(tokens.refresh_token ?? '')
    expect(await app.fetchOrders(refreshed.access_token)).toMatchObject({ orders: [] })
    const end = await app.signOut(tokens.id_token ?? '', (url) =>
      openSystemBrowser(page, url, async () => {}),
    )
    expect(end.href).toBe('com.example.app:/signed-out')
  })
})

describe.runIf(exhaustive)('a device', () => {
  it.each([
    { sample: 'device-node', command: [process.execPath, 'sign-in.mjs'] },
    { sample: 'device-curl', command: ['sh', 'sign-in.sh'] },
  ])('$sample signs in, calls an API with refreshed tokens, and signs out', async ({ sample, command }) => {
    const network = await testNetwork()
    const { api, scopeId } = await openApi('protect-node', network)
    const { id: clientId } = await createApplication({
      type: 'Native',
      customClientMetadata: { deviceFlow: true },
    })
    const username = await createReader(scopeId)
    const folder = copySample(sample, { issuer, clientId, api })
    const program = runProgram(command, { folder, env: network })
    const { page } = await openPage()

    const [, address = '', code = ''] = await program.nextLine(/^Open (.+) and enter (.+)$/)
    await page.goto(address)
    await page.getByRole('textbox').fill(code)
    await pressButton(page, 'Continue')
    await signInOnPage(page, username)
    await pressButton(page, 'Connect')
    await program.nextLine(/^Signed in/)
    await program.nextLine(/"orders":\[\]/)
    await program.nextLine(/^Signed out$/)
    expect(await program.ended).toBe(0)
  })
})

describe('a service', () => {
  const all = Object.keys(apis).map((server) => ({ server, sample: 'machine-node' }))
  const inNpmTest = all.slice(0, 1)
  const withCurl = { server: 'protect-node', sample: 'machine-curl' }

  it.each(exhaustive ? [...all, withCurl] : inNpmTest)('$sample calls $server', async ({ server, sample }) => {
    const network = await testNetwork()
    const { api, scopeId } = await openApi(server, network)
    const { id: clientId, secret } = await createApplication({ type: 'MachineToMachine' })
    const role = await createRole(scopeId)
    await call('POST', `/roles/${role.id}/applications`, { applicationIds: [clientId] })
    const folder = copySample(sample, { issuer, clientId, api })
    const command = sample === 'machine-curl' ? ['sh', 'call.sh'] : [process.execPath, 'call.mjs']
    const program = runProgram(command, { folder, env: { ...network, CLIENT_SECRET: secret } })
    await program.nextLine(/"orders":\[\]/)
    expect(await program.ended).toBe(0)
  })
})
