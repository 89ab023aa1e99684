import { beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '../../../src/contract/time.ts'
import { authorizationRequest, ORIGIN } from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests which secrets of a client are accepted (spec/management#two-secrets), and which characters its credentials may
 * contain (spec/provider#client-authentication, RFC 6749 §A).
 */

const BACK = 'https://shop.example/back'

let app: TestApp
let operator: Operator
let shop: { id: string; secret: string; secretCreatedAt: number }

beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  const created = await operator.send('POST', '/applications', {
    name: 'Shop',
    type: 'Traditional',
    oidcClientMetadata: { redirectUris: [BACK], postLogoutRedirectUris: [] },
    customClientMetadata: { deviceFlow: true },
  })
  shop = (await created.json()) as typeof shop
})

type Credentials = { id: string; secret: string }
type Call = (credentials: Credentials) => RequestInit

const asPost =
  (form: Record<string, string>): Call =>
  ({ id, secret }) => ({ body: new URLSearchParams({ ...form, client_id: id, client_secret: secret }) })
const asBasic =
  (form: Record<string, string>): Call =>
  ({ id, secret }) => ({
    body: new URLSearchParams(form),
    headers: { authorization: `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}` },
  })

/** Each endpoint that authenticates clients, with a request that is accepted except for the credentials. */
async function endpoints(): Promise<[path: string, form: Record<string, string>, status: number][]> {
  const { url } = await authorizationRequest({ client_id: shop.id, redirect_uri: BACK })
  const request = Object.fromEntries(new URL(url, ORIGIN).searchParams)
  return [
    ['/oidc/token', { grant_type: 'authorization_code', code: 'none', redirect_uri: BACK }, 400],
    ['/oidc/token/introspection', { token: 'none' }, 200],
    ['/oidc/token/revocation', { token: 'none' }, 200],
    ['/oidc/request', request, 201],
    ['/oidc/device/auth', { scope: 'openid' }, 200],
  ]
}

describe.each([
  { method: 'client_secret_basic', as: asBasic, refusal: { status: 400, error: 'invalid_request' } },
  { method: 'client_secret_post', as: asPost, refusal: { status: 401, error: 'invalid_client' } },
])('client credentials that are sent by $method', ({ as, refusal }) => {
  async function call(path: string, credentials: Credentials, form: Record<string, string>) {
    const response = await app.fetch(path, { method: 'POST', ...as(form)(credentials) })
    const text = await response.text()
    const { error } = (text ? JSON.parse(text) : {}) as { error?: string }
    return { path, status: response.status, error }
  }

  it('are accepted without control characters', async () => {
    for (const [path, form, status] of await endpoints())
      expect(await call(path, shop, form)).toMatchObject({
        path,
        status,
        error: status === 400 ? 'invalid_grant' : undefined,
      })
  })

  it.each([
    ['NUL', '\0'],
    ['several NUL', '\0\0\0'],
    ['a line feed', '\n'],
    ['DEL', '\x7f'],
    ['a C1 control character', '\x85'],
  ])('are rejected by every endpoint if %s follows the secret or the client id', async (_name, added) => {
    for (const [path, form] of await endpoints()) {
      const padded = { id: shop.id, secret: shop.secret + added }
      expect(await call(path, padded, form)).toEqual({ path, ...refusal })
      const longer = { id: shop.id + added, secret: shop.secret }
      expect(await call(path, longer, form)).toEqual({ path, ...refusal })
    }
  })
})

describe('the secret of an application', () => {
  type Shop = typeof shop & { previousSecret: { createdAt: number; expiresAt: number } | null }
  const replaceSecret = async (body?: object) =>
    (await (await operator.send('POST', `/applications/${shop.id}/secret`, body)).json()) as Shop
  /** Returns the endpoints that reject the secret. */
  async function rejections(secret: string): Promise<string[]> {
    const rejected: string[] = []
    for (const [path, form] of await endpoints()) {
      const response = await app.fetch(path, { method: 'POST', ...asBasic(form)({ id: shop.id, secret }) })
      if (response.status === 401) rejected.push(path)
    }
    return rejected
  }
  const everywhere = async () => (await endpoints()).map(([path]) => path)

  it('ends at once if it is replaced without a time', async () => {
    const replaced = await replaceSecret()
    expect(replaced.previousSecret).toBeNull()
    expect([await rejections(shop.secret), await rejections(replaced.secret)]).toEqual([
      await everywhere(),
      [],
    ])
    shop = replaced
  })

  it('is accepted next to the new one until it is revoked', async () => {
    const replaced = await replaceSecret({ previousSecretTtl: 3600 })
    const { createdAt = 0, expiresAt = 0 } = replaced.previousSecret ?? {}
    expect(Math.round((expiresAt - Date.now()) / MINUTE)).toBe(60)
    expect(createdAt).toBeLessThanOrEqual(Date.now())
    expect([await rejections(shop.secret), await rejections(replaced.secret)]).toEqual([[], []])
    const stored = await operator.send('GET', `/applications/${shop.id}`)
    const text = await stored.text()
    expect(JSON.parse(text)).toMatchObject({ previousSecret: { createdAt, expiresAt } })
    expect(text).not.toMatch(new RegExp(`${shop.secret}|[sS]ealed`))

    const revoke = () => operator.send('DELETE', `/applications/${shop.id}/previous-secret`)
    expect((await revoke()).status).toBe(204)
    expect([await rejections(shop.secret), await rejections(replaced.secret)]).toEqual([
      await everywhere(),
      [],
    ])
    expect((await revoke()).status).toBe(404)
    shop = replaced
  })

  it('is one of at most two, also if two operators replace it at the same time', async () => {
    const replace = async () => {
      const body = { previousSecretTtl: 3600 }
      const response = await operator.send('POST', `/applications/${shop.id}/secret`, body)
      return { status: response.status, answer: (await response.json()) as Shop & { code?: string } }
    }
    const replaced = (await Promise.all([replace(), replace()])).toSorted((a, b) => a.status - b.status)
    expect(replaced).toMatchObject([
      { status: 200 },
      { status: 422, answer: { code: 'application.has_two_secrets' } },
    ])
    const { secret = '' } = replaced[0]?.answer ?? {}
    expect([await rejections(shop.secret), await rejections(secret)]).toEqual([[], []])
    shop = await replaceSecret()
    expect(await rejections(secret)).toEqual(await everywhere())
  })

  it('is rejected once it has expired, and then deleted', async () => {
    const replaced = await replaceSecret({ previousSecretTtl: 1 })
    await expect.poll(() => rejections(shop.secret), { timeout: 5_000 }).toEqual(await everywhere())
    expect(await rejections(replaced.secret)).toEqual([])
    await app.sweep()
    const row = await app.env.DB.prepare('select * from applications where id = ?').bind(shop.id).first()
    expect(row).toMatchObject({ sealed_previous_secret: null, previous_secret_expires_at: null })
    shop = replaced
  })

  it('is named in the audit log with its end, but never its value', async () => {
    const { secret, secretCreatedAt } = shop
    const replaced = await replaceSecret({ previousSecretTtl: 3600 })
    const newestChanges = async () => {
      const logs = await operator.get('/logs?logKey=Management.Application.Update&page_size=1')
      const [log] = (await logs.json()) as { payload: { changes: Record<string, unknown> } }[]
      return log?.payload.changes ?? {}
    }
    const { secretCreatedAt: createdAt, previousSecret } = replaced
    const changes = await newestChanges()
    expect(changes).toEqual({
      secretCreatedAt: { before: secretCreatedAt, after: createdAt },
      'previousSecret.createdAt': { before: null, after: secretCreatedAt },
      'previousSecret.expiresAt': { before: null, after: previousSecret?.expiresAt },
    })
    for (const value of [secret, replaced.secret]) expect(JSON.stringify(changes)).not.toContain(value)
    await operator.send('DELETE', `/applications/${shop.id}/previous-secret`)
    expect(await newestChanges()).toEqual({
      'previousSecret.createdAt': { before: secretCreatedAt, after: null },
      'previousSecret.expiresAt': { before: previousSecret?.expiresAt, after: null },
    })
    shop = replaced
  })

  it('ends with the previous one if the application gains scopes of our own APIs', async () => {
    const replaced = await replaceSecret({ previousSecretTtl: 3600 })
    const promoted = await operator.send('PATCH', `/applications/${shop.id}`, { isAdmin: true })
    expect(await promoted.json()).toMatchObject({ previousSecret: null })
    for (const { secret } of [shop, replaced]) expect(await rejections(secret)).toEqual(await everywhere())
  })

  it.each([
    { previousSecretTtl: -1 },
    { previousSecretTtl: 1.5 },
    { previousSecretTtl: 30 * 86_400 + 1 },
    { previousSecretTTL: 3600 },
  ])('is not replaced with the body %o', async (body) => {
    const response = await operator.send('POST', `/applications/${shop.id}/secret`, body)
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'guard.invalid_input' }])
  })
})
