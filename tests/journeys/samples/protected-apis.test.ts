import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, expect, it } from 'vitest'
import { freePort } from '../../kit/free-port.ts'
import { browserSweep } from '../browser.ts'
import type { NewApplication } from '../management.ts'
import { noValues } from './guide-values.ts'
import { exitCode, prepareProgram, printed } from './programs.ts'
import { INSTALL_MS, openProxy, runToEnd, startProgram, untilListening } from './run-sample.ts'
import { openSampleTenant, type SampleTenant } from './sample-tenant.ts'

/** Tests the samples that protect an API, and those of services that call it. */

const tenant = await openSampleTenant()
const exhaustive = browserSweep.isExhaustive

const port = await freePort()
const issuer = `http://127.0.0.1:${port}/oidc`
const api = { indicator: 'https://api.example.test', scope: 'orders:read' }
const { privateKey, publicKey } = await generateKeyPair('RS256')
const stranger = await generateKeyPair('RS256')

/** Serves what the samples read from the provider. */
const provider = createServer(async (request, response) => {
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'a', alg: 'RS256', use: 'sig' }]
  const metadata = { issuer, jwks_uri: `${issuer}/jwks` }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(request.url === '/oidc/jwks' ? { keys } : metadata))
})
const serve = async () => {
  provider.listen(port, '127.0.0.1')
  await once(provider, 'listening')
}
const stop = async () => {
  const closed = once(provider, 'close')
  provider.close()
  provider.closeAllConnections()
  await closed
}
beforeAll(async () => {
  await serve()
  return stop
})

type Token = { claims?: JWTPayload; typ?: string; key?: CryptoKey; lifetime?: string }

const sign = ({ claims = {}, typ = 'at+jwt', key = privateKey, lifetime = '1h' }: Token) =>
  new SignJWT({
    sub: 'ann',
    client_id: 'desk',
    scope: 'openid orders:read',
    iss: issuer,
    aud: api.indicator,
    ...claims,
  })
    .setProtectedHeader({ alg: 'RS256', kid: 'a', typ })
    .setExpirationTime(lifetime)
    .sign(key)

const invalidTokens: Readonly<Record<string, Token>> = {
  'for another API': { claims: { aud: 'https://calendar.example.com' } },
  'from another issuer': { claims: { iss: 'https://id.example.net/oidc' } },
  'that is an ID token': { typ: 'JWT' },
  'that has expired': { lifetime: '-1h' },
  "signed with someone else's key": { key: stranger.privateKey },
  'that is bound to a key': { claims: { cnf: { jkt: 'a' } } },
}

/** The instructions for running a sample that protects an API. */
type ApiRow = { id: string; install?: string; run?: string }

/** The samples that protect an API. The first one needs only packages that this repository has. */
const apiRows = [
  { id: 'protect-node' },
  { id: 'protect-go', install: 'go mod tidy && go build -o server .', run: './server' },
  {
    id: 'protect-python',
    install: 'python3 -m venv v && v/bin/pip install -q -r requirements.txt',
    run: 'v/bin/python server.py',
  },
] as const satisfies readonly ApiRow[]

/** The rows, with what differs between the samples. */
type CheckedRow = ApiRow & {
  path: string
  method: string
  /** The parameters of challenges besides the error, such as the URL of the API's metadata. */
  challenge: string
  /** The status of a request with a token that is sufficient. The MCP server rejects the body. */
  accepted: number
}

const plain = { path: '/orders', method: 'GET', challenge: '', accepted: 200 }
const [node, ...others] = apiRows
const rows: readonly CheckedRow[] = [
  { ...plain, ...node },
  {
    id: 'mcp-server',
    path: '/',
    method: 'POST',
    challenge: 'resource_metadata="https://api.example.test/.well-known/oauth-protected-resource"',
    accepted: 415,
  },
  ...(exhaustive ? others.map((row) => ({ ...plain, ...row })) : []),
]

it.each(rows)(
  'the sample $id accepts only access tokens for it with the right scope, and says what is missing (RFC 6750)',
  async ({ path, method, challenge, accepted, ...row }) => {
    const target = { port: 0 }
    await startApi(row, { issuer, api, target })
    const respond = async (authorization?: string) => {
      const response = await fetch(`http://localhost:${target.port}${path}`, {
        method,
        ...(authorization && { headers: { authorization } }),
      })
      return { status: response.status, challenge: response.headers.get('www-authenticate') ?? '' }
    }
    const bearer = async (token: Token) => respond(`Bearer ${await sign(token)}`)
    const challenges = (...parts: string[]) =>
      [...parts, challenge].map((part) => expect.stringContaining(part))

    expect(await bearer({})).toMatchObject({ status: accepted })
    for (const [what, token] of Object.entries(invalidTokens)) {
      const answer = await bearer(token)
      expect(answer, what).toMatchObject({ status: 401 })
      expect(answer.challenge, what).toContain('error="invalid_token"')
    }
    expect(await respond('Bearer a.b.c')).toMatchObject({ status: 401 })
    for (const expected of challenges('Bearer ', 'scope="orders:read"'))
      expect(await respond()).toEqual({ status: 401, challenge: expected })
    for (const expected of challenges('error="insufficient_scope"', 'scope="orders:read"'))
      expect(await bearer({ claims: { scope: 'orders' } })).toEqual({ status: 403, challenge: expected })
  },
  INSTALL_MS,
)

it('the sample protect-node responds with 503 rather than 401 while it cannot fetch the keys', async () => {
  const target = { port: 0 }
  await startApi(node, { issuer, api, target })
  const call = async () => {
    const headers = { authorization: `Bearer ${await sign({})}` }
    return (await fetch(`http://localhost:${target.port}/orders`, { headers })).status
  }
  await stop()
  expect(await call()).toBe(503)
  await serve()
  expect(await call()).toBe(200)
})

/** Registers an API with the scope `orders:read` and a role that contains it, and starts a sample that protects it. */
async function startProtectedApi({ issuer, call }: SampleTenant, row: ApiRow) {
  const { origin, target } = await openProxy('api')
  const indicator = `https://localhost:${new URL(origin).port}`
  const resource = await call<{ id: string }>('POST', '/resources', { name: 'Orders', indicator })
  const scope = await call<{ id: string }>('POST', `/resources/${resource.id}/scopes`, {
    name: 'orders:read',
    description: 'Read orders',
  })
  const role = await call<{ id: string }>('POST', '/roles', {
    name: `Reader ${indicator}`,
    description: '',
    scopeIds: [scope.id],
  })
  const api = { indicator, scope: 'orders:read' }
  await startApi(row, { issuer, api, target })
  return { api, roleId: role.id }
}

/** Installs and starts a sample that protects an API, and sets the port of the proxy in front of it. */
async function startApi(
  row: ApiRow,
  {
    issuer,
    api,
    target,
  }: { issuer: string; api: { indicator: string; scope: string }; target: { port: number } },
) {
  const copy = await prepareProgram(row.id, { ...noValues, issuer, api })
  if (row.install) await runToEnd(row.install, copy.folder)
  target.port = copy.port
  await untilListening(startProgram(copy, { PORT: String(copy.port) }, row.run), copy.port)
}

const services: readonly { id: string; row: ApiRow }[] = [
  { id: 'machine-node', row: node },
  ...(exhaustive
    ? [{ id: 'machine-curl', row: node }, ...others.map((row) => ({ id: 'machine-node', row }))]
    : []),
]

it.each(services)(
  'the sample $id gets a token with which it may read orders from the sample $row.id once it has the role',
  async ({ id, row }) => {
    const { api, roleId } = await startProtectedApi(tenant, row)
    const { id: clientId, secret } = await tenant.call<NewApplication>('POST', '/applications', {
      name: 'Service',
      type: 'MachineToMachine',
    })
    const run = async () =>
      startProgram(await prepareProgram(id, { ...noValues, issuer: tenant.issuer, clientId, api }), {
        CLIENT_SECRET: secret,
      })
    const refused = await run()
    await exitCode(refused).not.toBe(null)
    expect(refused.output()).not.toContain('"orders"')

    await tenant.call('POST', `/roles/${roleId}/applications`, { applicationIds: [clientId] })
    const program = await run()
    await printed(program, /"orders":\s*\[\]/g)
    await exitCode(program).toBe(0)
  },
  INSTALL_MS,
)
