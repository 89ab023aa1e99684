import { beforeAll, expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { type DpopKey, newDpopKey } from '../../kit/dpop-key.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests how the console signs users in (spec/console#sign-in) and uses DPoP-bound tokens (RFC 9449 §7). */

let app: TestApp
let operator: Operator
let key: DpopKey
let token: string
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  key = await newDpopKey()
  token = await consoleToken(['admin-role'])
})

const MANAGEMENT = { resource: 'urn:vestibule:management-api', scope: 'all applications:read' }
const SERVICES = {
  resource: 'urn:vestibule:services',
  scope: 'manage:tenant create:tenant send:email send:sms',
}

/** Creates a user with these roles, signs the user in to the console, and returns the access token. */
async function consoleToken(
  roleIds: readonly string[] = [],
  { resource, scope } = MANAGEMENT,
): Promise<string> {
  const username = freshName()
  const created = await operator.send('POST', '/users', { username, password: PASSWORD })
  const { id } = (await created.json()) as { id: string }
  if (roleIds.length > 0) await operator.send('PUT', `/users/${id}/roles`, { roleIds })
  const redirect_uri = `${ORIGIN}/console/`
  const request = await authorizationRequest({
    client_id: 'console',
    redirect_uri,
    resource,
    scope: `openid profile email ${scope}`,
  })
  const browser = newCookieClient(app)
  const uid = await openSignInPage(browser, request)
  const back = await resumeAuthorization(browser, await signIn(browser, uid, username))
  const answer = await app.fetch('/oidc/token', {
    method: 'POST',
    headers: { DPoP: await key.prove('POST', '/oidc/token') },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'console',
      redirect_uri,
      resource,
      code: back.searchParams.get('code') ?? '',
      code_verifier: request.verifier,
    }),
  })
  const tokens = (await answer.json()) as { access_token: string; token_type: string; refresh_token?: string }
  expect([tokens.token_type, tokens.refresh_token]).toEqual(['DPoP', undefined])
  return tokens.access_token
}

const call = async (
  path: string,
  {
    proof,
    scheme = 'DPoP',
    method = 'GET',
    body,
  }: {
    proof?: string
    scheme?: string
    method?: string
    body?: unknown
  },
) =>
  app.fetch(`/api${path}`, {
    method,
    headers: {
      authorization: `${scheme} ${token}`,
      ...(proof && { dpop: proof }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const proofFor = (method: string, path: string) => key.prove(method, `/api${path}`, token)

it('an administrator can read the permissions of their console token', async () => {
  const answer = await call('/my-permissions', { proof: await proofFor('GET', '/my-permissions') })
  expect(answer.status).toBe(200)
  const { userId, name, scopes } = (await answer.json()) as Record<string, string | string[]>
  expect([typeof userId, String(name).startsWith('user_')]).toEqual(['string', true])
  expect(scopes).toContain('all')
})

/** Calls the API with another token that is bound to the same key. */
async function callWith(otherToken: string, method: string, path: string, body?: unknown): Promise<Response> {
  const dpop = await key.prove(method, `/api${path}`, otherToken)
  const headers = { authorization: `DPoP ${otherToken}`, dpop }
  if (body === undefined) return app.fetch(`/api${path}`, { method, headers })
  const json = { ...headers, 'content-type': 'application/json' }
  return app.fetch(`/api${path}`, { method, headers: json, body: JSON.stringify(body) })
}

it('an owner obtains a separate token that is valid only for managing tenants', async () => {
  const services = await consoleToken(['admin-role'], SERVICES)
  expect(scopeOf(services)).toBe('manage:tenant')
  expect((await callWith(services, 'GET', '/tenants')).status).toBe(200)
  expect((await callWith(services, 'GET', '/users')).status).toBe(401)
  expect((await call('/tenants', { proof: await proofFor('GET', '/tenants') })).status).toBe(401)
})

it('a user’s console token cannot create tenants or send messages, which only applications can do', async () => {
  const services = await consoleToken(['user', 'tenant-app'], SERVICES)
  expect(scopeOf(services)).toBe(undefined)
  const data = { to: 'ann@example.com', type: 'Generic', payload: { code: '123456' } }
  const answers = await Promise.all([
    callWith(services, 'POST', '/tenants', {}),
    callWith(services, 'GET', '/tenants'),
    callWith(services, 'POST', '/services/send-email', { data }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
})

const scopeOf = (accessToken: string): string | undefined =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).scope

it('the console token of a user without a role is rejected by the management API', async () => {
  const userToken = await consoleToken()
  const proof = await key.prove('GET', '/api/my-permissions', userToken)
  const answer = await app.fetch('/api/my-permissions', {
    headers: { authorization: `DPoP ${userToken}`, dpop: proof },
  })
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'auth.forbidden'])
})

it.each([
  ['as a bearer token', async () => ({ scheme: 'Bearer' })],
  ['without a proof', async () => ({})],
  [
    'with a proof of another key',
    async () => ({ proof: await (await newDpopKey()).prove('GET', '/api/users', token) }),
  ],
  ['with a proof for another method', async () => ({ proof: await proofFor('POST', '/users') })],
  ['with a proof for another URL', async () => ({ proof: await proofFor('GET', '/roles') })],
  ['with a proof for another token', async () => ({ proof: await key.prove('GET', '/api/users', 'other') })],
])('a console token is rejected %s', async (_, credentials) => {
  const answer = await call('/users', await credentials())
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toMatch(/error="invalid_(token|dpop_proof)"/)
})

it('a token that is not bound to a key is rejected if it is sent with the DPoP scheme', async () => {
  const proof = await key.prove('GET', '/api/users', operator.token)
  const headers = { authorization: `DPoP ${operator.token}`, dpop: proof }
  expect((await app.fetch('/api/users', { headers })).status).toBe(401)
})

it('a DPoP proof for a write request can be used only once', async () => {
  const proof = await proofFor('POST', '/roles')
  const attempts = await Promise.all(
    Array.from({ length: 8 }, () =>
      call('/roles', { proof, method: 'POST', body: { name: freshName(), description: 'A role' } }),
    ),
  )
  expect(attempts.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401, 401, 401, 401])
})
