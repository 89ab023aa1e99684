import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  type CookieClient,
  ORIGIN,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openRacingApp } from '../../kit/racing-app.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'
import {
  atTokenEndpoint,
  type ClientApplication,
  codeGrant,
  newArrival,
  newClient,
} from '../../security/parties.ts'

/** Tests that grants without consent end when an application becomes a third party. */

let app: TestApp
let operator: Operator
let shop: ClientApplication
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  shop = await newClient(app, 'SPA')
})

const SCOPE = 'openid profile offline_access'

const setThirdParty = async (client: ClientApplication, isThirdParty: boolean | null) => {
  const body = { customClientMetadata: { isThirdParty } }
  return (await operator.send('PATCH', `/applications/${client.id}`, body)).status
}

async function ask(browser: CookieClient, client: ClientApplication, parameters = {}) {
  const request = await authorizationRequest({
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope: SCOPE,
    ...parameters,
  })
  const to = new URL((await browser.get(request.url)).headers.get('location') ?? '', ORIGIN)
  return { request, code: to.searchParams.get('code') ?? '', uid: to.searchParams.get('interaction') ?? '' }
}

const decide = (browser: CookieClient, uid: string, body?: object) =>
  browser.send('POST', '/api/interaction/consent', body, { Interaction: uid })

/** Signs a user in and redeems the code. */
async function newUser(at: TestApp, client: ClientApplication) {
  const { browser, ...arrived } = await newArrival(at, client, { scope: SCOPE, prompt: 'consent' })
  const { tokens } = await atTokenEndpoint(at, codeGrant(client, arrived))
  return { browser, tokens }
}

const refresh = (at: TestApp, client: ClientApplication, token = '') =>
  atTokenEndpoint(at, { grant_type: 'refresh_token', client_id: client.id, refresh_token: token })

const userinfo = async (token: string) =>
  (await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${token}` } })).status

/** Lists what the application has. Codes and tokens depend on grants. */
const issuedTo = async ({ id }: ClientApplication) => {
  const { results } = await env.DB.prepare(
    "select distinct model_name as name from oidc_model_instances where client_id = ? and model_name in ('Grant', 'ClientCredentials')",
  )
    .bind(id)
    .all<{ name: string }>()
  return results.map(({ name }) => name)
}

const invalidGrant = { status: 400, tokens: expect.objectContaining({ error: 'invalid_grant' }) }

describe('an application that becomes a third party', () => {
  it('[ASVS-10.7.1-6] loses grants without consent, and must request consent at the next sign-in', async () => {
    const { browser, tokens } = await newUser(app, shop)
    const unredeemed = await ask(browser, shop)
    expect([unredeemed.code !== '', await userinfo(tokens.access_token)]).toEqual([true, 200])

    expect(await setThirdParty(shop, true)).toBe(200)
    expect(await issuedTo(shop)).toEqual([])
    expect(await refresh(app, shop, tokens.refresh_token)).toMatchObject(invalidGrant)
    expect(await userinfo(tokens.access_token)).toBe(401)
    expect(await atTokenEndpoint(app, codeGrant(shop, unredeemed))).toMatchObject(invalidGrant)
    const { code, uid } = await ask(browser, shop)
    expect([code, uid !== '']).toEqual(['', true])
  })

  it('keeps grants with consent, and does not affect other applications', async () => {
    const bank = await newClient(app, 'SPA', { custom: { isThirdParty: true } })
    const other = await newClient(app, 'SPA')
    const otherUser = await newUser(app, other)
    const { browser, tokens } = await newUser(app, bank)
    expect(await setThirdParty(bank, true)).toBe(200)
    const refreshed = await refresh(app, bank, tokens.refresh_token)
    expect(refreshed.status).toBe(200)

    await setThirdParty(bank, null)
    const silent = await ask(browser, bank, { scope: `${SCOPE} email` })
    await setThirdParty(bank, true)
    expect(await atTokenEndpoint(app, codeGrant(bank, silent))).toMatchObject(invalidGrant)
    expect((await ask(browser, bank)).code).not.toBe('')
    expect((await ask(browser, bank, { scope: `${SCOPE} email` })).code).toBe('')
    expect((await refresh(app, other, otherUser.tokens.refresh_token)).status).toBe(200)
  })

  it('loses large numbers of grants in several batches', async () => {
    const busy = await newClient(app, 'SPA')
    await env.DB.prepare(
      `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 4500)
        insert into oidc_model_instances (tenant_id, model_name, id, payload, expires_at)
        select 'default', 'Grant', ?1 || n, json_object('clientId', ?1, 'accountId', 'a'), 9e12 from numbers`,
    )
      .bind(busy.id)
      .run()
    expect(await issuedTo(busy)).toEqual(['Grant'])
    // One round trip reads the application, three delete its grants, and the last applies the change.
    app.trips()
    expect(await setThirdParty(busy, true)).toBe(200)
    expect([app.trips().awaited, await issuedTo(busy)]).toEqual([5, []])
  })

  it('gets no code from an interaction that started while it was a first party', async () => {
    const client = await newClient(app, 'SPA')
    const { browser } = await newUser(app, client)
    const { uid } = await ask(browser, client, { prompt: 'consent' })
    expect(await setThirdParty(client, true)).toBe(200)
    const back = await resumeAuthorization(browser, await decide(browser, uid))
    expect([back.searchParams.get('code'), await issuedTo(client)]).toEqual([null, []])
  })
})

describe('a plain HTTP URL', () => {
  const PLAIN = 'http://shop.example/back'
  const patch = (client: ClientApplication, body: object) =>
    operator.send('PATCH', `/applications/${client.id}`, body)
  const refusedAt = async (answer: Promise<Response>) => {
    const response = await answer
    const { data } = (await response.json()) as { data?: { issues: { path: string[] }[] } }
    return [response.status, ...(data?.issues ?? []).map(({ path }) => path.join('.'))]
  }

  it.each(['redirectUris', 'postLogoutRedirectUris'])(
    '[RFC9700-2.6-2] prevents a first party from becoming a third party if the URL is in its %s',
    async (list) => {
      const client = await newClient(app, 'SPA')
      const plain = await patch(client, { oidcClientMetadata: { [list]: [PLAIN] } })
      expect(plain.status).toBe(200)
      const { tokens } = await newUser(
        app,
        list === 'redirectUris' ? { ...client, redirectUri: PLAIN } : client,
      )
      expect(await refusedAt(patch(client, { customClientMetadata: { isThirdParty: true } }))).toEqual([
        400,
        `oidcClientMetadata.${list}.0`,
      ])
      // The grants are still valid.
      expect(await userinfo(tokens.access_token)).toBe(200)
      const httpsOnly = {
        oidcClientMetadata: { [list]: ['https://shop.example/back', 'http://localhost:3000/'] },
      }
      expect(
        await refusedAt(patch(client, { ...httpsOnly, customClientMetadata: { isThirdParty: true } })),
      ).toEqual([200])
      expect(await refusedAt(patch(client, { oidcClientMetadata: { [list]: [PLAIN] } }))).toEqual([
        400,
        `oidcClientMetadata.${list}.0`,
      ])
    },
  )

  it('[RFC9700-2.6-3] is kept in an existing third party until that application’s URLs are changed', async () => {
    const client = {
      ...(await newClient(app, 'SPA', { custom: { isThirdParty: true } })),
      redirectUri: PLAIN,
    }
    await env.DB.prepare(
      "update applications set oidc_client_metadata = json_set(oidc_client_metadata, '$.redirectUris[0]', ?) where id = ?",
    )
      .bind(PLAIN, client.id)
      .run()
    const { tokens } = await newUser(app, client)
    expect(await userinfo(tokens.access_token)).toBe(200)
    const custom = { isThirdParty: true, idTokenTtl: 60 }
    expect((await patch(client, { name: 'Shop', customClientMetadata: custom })).status).toBe(200)
    expect((await operator.send('POST', `/applications/${client.id}/secret`)).status).toBe(200)
    for (const body of [
      { oidcClientMetadata: { redirectUris: ['https://shop.example/new', PLAIN] } },
      { oidcClientMetadata: { postLogoutRedirectUris: [] } },
      { type: 'Traditional' },
    ])
      expect(await refusedAt(patch(client, body))).toContain(400)
    expect((await patch(client, { customClientMetadata: { isThirdParty: false } })).status).toBe(200)
  })
})

/**
 * Makes the change just before a batch of a request. The request's isolate still caches the application as a first
 * party.
 */
describe.each([1, 2])('a change to a third party just before batch %i of an authorization request', (at) => {
  let client: ClientApplication
  const { app: racing, meanwhile } = openRacingApp(() => setThirdParty(client, true))

  it('[ASVS-10.7.1-7] invalidates the code', async () => {
    client = await newClient(app, 'SPA')
    const { browser } = await newUser(racing, await newClient(app, 'SPA'))
    const stranger = { client_id: client.id, redirect_uri: client.redirectUri }
    await racing.fetch((await authorizationRequest(stranger)).url)
    const { answer, changed } = await meanwhile(at, () => ask(browser, client))
    const { request, code } = answer
    expect([changed, code !== '']).toEqual([200, true])
    expect(await atTokenEndpoint(racing, codeGrant(client, { request, code }))).toMatchObject(invalidGrant)
    expect(await issuedTo(client)).not.toContain('Grant')
  })
})
