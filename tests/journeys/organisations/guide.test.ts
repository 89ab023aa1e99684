import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshName, PASSWORD } from '../../kit/clients/cookie-client.ts'
import { freePort } from '../../kit/free-port.ts'
import { newFormUser } from '../form-user.ts'
import type { NewApplication } from '../management.ts'
import { noValues } from '../samples/guide-values.ts'
import { copySample } from '../samples/run-sample.ts'
import { openTenant } from '../tenant.ts'

/** Makes the calls of docs/guides/organisations.md and runs its programs, as their readers would. */

const { origin, call, createUser } = await openTenant()
const issuer = `${origin}/oidc`
const guide = readFileSync('docs/guides/organisations.md', 'utf8')
const [asSetting, asRole, asOrganization] = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) =>
  JSON.parse(json),
)
const [webProgram, agentProgram] = [...guide.matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code)

const folder = path.resolve('build/samples/organisations-guide')
const programs: ChildProcess[] = []
afterAll(() => {
  for (const program of programs) program.kill()
})

function run(name: string, code: string | undefined, env: Record<string, string>) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, name), code ?? '')
  const program = spawn(process.execPath, ['--import', path.resolve('tests/journeys/test-hosts.ts'), name], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  programs.push(program)
  return program
}

const lineOf = async ({ stdout }: ChildProcess): Promise<string> =>
  stdout ? String((await once(stdout, 'data'))[0]).trim() : ''

/** The API: it tells whose orders it would return. */
const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`))
const api = createServer(async (request, response) => {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
  const { payload } = await jwtVerify(token, keys, { issuer, audience: indicator })
  response.end(JSON.stringify({ of: payload.org_id, scope: payload.scope }))
}).listen(0)
const indicator = `http://localhost:${(api.address() as AddressInfo).port}`
afterAll(() => api.close())

const mcpPort = await freePort()
const mcpServer = `http://localhost:${mcpPort}/mcp`

type Row = { id: string }
let acme: Row
let beta: Row
let username: string
beforeAll(async () => {
  const role = await call<Row>('POST', '/organization-roles', asRole)
  for (const name of [indicator, mcpServer]) {
    const resource = await call<Row>('POST', '/resources', { name: 'Orders', indicator: name })
    const scope = { name: 'orders:read', description: 'Read orders' }
    const { id } = await call<Row>('POST', `/resources/${resource.id}/scopes`, scope)
    await call('POST', `/organization-roles/${role.id}/resource-scopes`, { scopeIds: [id] })
  }
  username = freshName()
  const user = await createUser({ username, password: PASSWORD })
  acme = await call('POST', '/organizations', asOrganization)
  beta = await call('POST', '/organizations', { name: 'Beta' })
  for (const { id } of [acme, beta])
    await call('POST', `/organizations/${id}/users`, { userIds: [user.id], roleIds: [role.id] })
})

it('openid-client gets tokens for the organisation that the user chooses, and switches silently', async () => {
  const port = await freePort()
  const { id, secret } = await call<NewApplication>('POST', '/applications', {
    name: 'Shop',
    type: 'Traditional',
    oidcClientMetadata: { redirectUris: [`http://localhost:${port}/callback`] },
  })
  await call('PATCH', `/applications/${id}`, asSetting)
  const env = { ISSUER: issuer, CLIENT_ID: id, CLIENT_SECRET: secret, API: indicator, PORT: String(port) }
  const address = await lineOf(run('web.mjs', webProgram, env))
  const user = newFormUser(origin, username, { '/organization': { organization: beta.id } })
  const open = async (page: string) => {
    const started = await fetch(address + page, { redirect: 'manual' })
    const back = await user.follow(started.headers.get('location') ?? '')
    const answer = await fetch(back)
    return answer.ok ? answer.json() : answer.text()
  }
  expect(await open('/')).toEqual({ organization: beta.id, orders: { of: beta.id, scope: 'orders:read' } })
  expect(user.pages).toEqual(['/sign-in', '/organization'])
  expect(await open(`/switch?to=${acme.id}`)).toMatchObject({
    organization: acme.id,
    orders: { of: acme.id },
  })
  expect(await open('/switch?to=unknown')).toContain('not a member')
  expect(user.pages).toHaveLength(2)
})

it('the client of the MCP SDK gets a token for the organisation that the user chooses', async () => {
  const values = { ...noValues, issuer, api: { indicator: mcpServer, scope: 'orders:read' } }
  const sample = await copySample('mcp-server', values, 'mcp-server-of-organisations')
  const server = spawn(
    process.execPath,
    ['--import', path.resolve('tests/journeys/test-hosts.ts'), 'server.mjs'],
    {
      cwd: sample.folder,
      env: { ...process.env, PORT: String(mcpPort) },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  programs.push(server)
  await lineOf(server)
  const { id } = await call<NewApplication>('POST', '/applications', {
    name: 'Desk',
    type: 'Native',
    oidcClientMetadata: { redirectUris: ['http://127.0.0.1/callback'] },
    customClientMetadata: { isThirdParty: true, organizationMode: 'optional' },
  })
  const program = run('agent.mjs', agentProgram, { SERVER: mcpServer, CLIENT_ID: id })
  const user = newFormUser(origin, username, { '/organization': { organization: acme.id } })
  const back = await user.follow(await lineOf(program))
  program.stdin?.write(`${back}\n`)
  const { orders, token } = JSON.parse(await lineOf(program))
  expect(orders).toEqual([])
  expect(decodeJwt(token)).toMatchObject({ aud: mcpServer, org_id: acme.id, scope: 'orders:read' })
  expect(user.pages).toEqual(['/sign-in', '/organization', '/sign-in/consent'])
})
