import { beforeAll, describe, expect, it } from 'vitest'
import { authorizationRequest, ORIGIN } from '../../kit/clients/cookie-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests which characters the credentials of a client may contain (spec/provider#client-authentication, RFC 6749 §A). */

const BACK = 'https://shop.example/back'

let app: TestApp
let shop: { id: string; secret: string }

beforeAll(async () => {
  app = openTestApp()
  const operator = await newOperator(app)
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
