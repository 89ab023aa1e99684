import { describe, expect, it } from 'vitest'
import { createSeals } from '../../src/storage/seal.ts'
import { visitAccount } from '../kit/account-centre.ts'
import { newMember } from '../kit/clients/account-client.ts'
import {
  authorizationRequest,
  type CookieClient,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  redeemCode,
  resumeAuthorization,
  signIn,
} from '../kit/clients/cookie-client.ts'
import { beginSocialInteraction, installUpstream, newProviderAccount } from '../kit/clients/social-client.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/** Opens an app whose rate limit binding allows two actions of this kind and records every key. */
function limited(kind: string) {
  const seen: string[] = []
  const app = openTestApp({
    ACCOUNT_RATE_LIMIT: {
      async limit({ key }) {
        seen.push(key)
        return { success: JSON.parse(key)[0] !== kind || seen.filter((each) => each === key).length <= 2 }
      },
    },
  })
  let calls = 0
  /** Every call comes from a different network, so that no network limit is reached. */
  const site: TestApp = {
    ...app,
    fetch(path, init = {}) {
      const headers = new Headers(init.headers)
      headers.set('cf-connecting-ip', `203.0.113.${++calls % 250}`)
      return app.fetch(path, { ...init, headers })
    },
  }
  const rows = async () =>
    (await app.env.DB.prepare(
      'select (select count(*) from logs) as logs, (select count(*) from oidc_model_instances) as models',
    ).first<{ logs: number; models: number }>()) ?? { logs: 0, models: 0 }
  return { app, site, seen, rows }
}

const tooMany = async (answer: Response) => {
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60'])
  expect(await answer.json()).toMatchObject({ code: 'request.too_many_requests' })
}

const startedBy = async (client: CookieClient, username: string) => {
  const uid = await openSignInPage(client, await authorizationRequest())
  const identifier = { username, password: PASSWORD }
  const put = () =>
    client.send('PUT', '/api/interaction', { event: 'SignIn', identifier }, { Interaction: uid })
  return { uid, put }
}

describe('an account over its rate limit', () => {
  it('cannot sign in again at a social provider, while other accounts at that provider can', async () => {
    const { site, seen } = limited('proof')
    await installUpstream(site, ['oidc'])
    const [account, other] = [await newProviderAccount(), await newProviderAccount()]
    const signIn = async ({ id }: { id: string }) => {
      const social = await beginSocialInteraction(site)
      await social.start('SignIn')
      return social.proveBy('oidc', { id })
    }
    for (let n = 0; n < 2; n++) expect((await signIn(account)).status).toBe(204)
    await tooMany(await signIn(account))
    expect((await signIn(other)).status).toBe(204)
    expect(seen).toContain(JSON.stringify(['proof', 'default', JSON.stringify(['oidc', account.id]), '']))
  })

  it('[ASVS-2.4.1-21] cannot authenticate again within a minute, and the attempt writes no audit row', async () => {
    const { site, seen, rows } = limited('proof')
    const { username, userId } = await newMember(site)
    for (let n = 0; n < 2; n++) {
      const { put } = await startedBy(newCookieClient(site), username)
      expect((await put()).status).toBe(204)
    }
    const { put } = await startedBy(newCookieClient(site), username)
    const before = await rows()
    await tooMany(await put())
    expect((await rows()).logs).toBe(before.logs)
    expect(seen).toContain(JSON.stringify(['proof', 'default', userId, '']))

    const { put: putOther } = await startedBy(newCookieClient(site), (await newMember(site)).username)
    expect((await putOther()).status).toBe(204)
  })

  it('[ASVS-2.4.1-22] cannot submit another interaction within a minute, and the attempt writes nothing', async () => {
    const { site, seen, rows } = limited('sign-in')
    const { username, userId } = await newMember(site)
    const begun = async () => {
      const client = newCookieClient(site)
      const { uid, put } = await startedBy(client, username)
      expect((await put()).status).toBe(204)
      return () => client.send('POST', '/api/interaction/submit', undefined, { Interaction: uid })
    }
    const [first, second, third] = [await begun(), await begun(), await begun()]
    expect([(await first()).status, (await second()).status]).toEqual([200, 200])
    const before = await rows()
    await tooMany(await third())
    expect(await rows()).toEqual(before)
    expect(seen).toContain(JSON.stringify(['sign-in', 'default', userId, '']))
    // Simulate that a minute has passed since the first attempts.
    seen.length = 0
    expect((await third()).status).toBe(200)
  })

  it('[ASVS-2.4.1-23] cannot authorize with `prompt=none` again, and the attempt writes nothing', async () => {
    const { site, seen, rows } = limited('authorization')
    const client = newCookieClient(site)
    const { userId } = await newMember(site, { client })
    const silent = async () =>
      client.get((await authorizationRequest({ prompt: 'none' })).url, { accept: 'application/json' })
    seen.length = 0
    for (let n = 0; n < 2; n++) expect((await silent()).headers.get('location')).toMatch(/[?&]code=/)
    const before = await rows()
    const refused = await silent()
    expect(refused.headers.get('location')).toBeNull()
    await tooMany(refused)
    expect(await rows()).toEqual(before)
    expect(seen.at(-1)).toBe(JSON.stringify(['authorization', 'default', userId, 'demo-app']))

    // Simulate that a minute has passed since the first attempts.
    seen.length = 0
    expect((await silent()).headers.get('location')).toMatch(/[?&]code=/)
  })

  it('[ASVS-2.4.1-24] cannot refresh the same application’s tokens, but the refresh token remains valid', async () => {
    const { site, seen, rows } = limited('ExchangeTokenBy.RefreshToken')
    const client = newCookieClient(site)
    const request = await authorizationRequest({
      scope: 'openid profile offline_access',
      prompt: 'login consent',
    })
    const { username, userId } = await newMember(site)
    const submitted = await signIn(client, await openSignInPage(client, request), username)
    const consentPage = await resumeAuthorization(client, submitted)
    const uid = consentPage.searchParams.get('interaction') ?? ''
    const consented = await client.send('POST', '/api/interaction/consent', undefined, { Interaction: uid })
    const back = await resumeAuthorization(client, consented)
    const first = await redeemCode(site, request, back.searchParams.get('code') ?? '')
    let { refresh_token: token } = (await first.json()) as { refresh_token: string }
    const refresh = () =>
      site.fetch('/oidc/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          refresh_token: token,
          client_id: 'demo-app',
        }),
      })
    for (let n = 0; n < 2; n++) {
      const answer = await refresh()
      expect(answer.status).toBe(200)
      token = ((await answer.json()) as { refresh_token: string }).refresh_token
    }
    const before = await rows()
    const refused = await refresh()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await refused.json()).toMatchObject({ error: 'temporarily_unavailable' })
    expect(await rows()).toEqual(before)
    expect(seen.at(-1)).toBe(JSON.stringify(['ExchangeTokenBy.RefreshToken', 'default', userId, 'demo-app']))

    // Simulate that a minute has passed since the first attempts.
    seen.length = 0
    expect((await refresh()).status).toBe(200)
  })

  it('[ASVS-2.4.1-25] can no longer make changes through the same application, but can still read', async () => {
    const { site, seen, rows } = limited('change')
    const { call, userId } = await newMember(site)
    const rename = (name: string) => call('PATCH', '', { name })
    expect([(await rename('Ann')).status, (await rename('Ben')).status]).toEqual([200, 200])
    const before = await rows()
    await tooMany(await rename('Cid'))
    expect(await rows()).toEqual(before)
    expect(await (await call('GET')).json()).toMatchObject({ name: 'Ben' })
    expect(seen.at(-1)).toBe(JSON.stringify(['change', 'default', userId, 'demo-app']))
  })

  it('[ASVS-2.4.1-26] can no longer submit forms in the account centre', async () => {
    const { site, rows } = limited('change')
    const { client } = await visitAccount(site)
    const rename = (name: string) =>
      client.post(
        '/account/profile',
        { intent: 'save', nickname: name },
        { origin: ORIGIN, accept: 'text/html' },
      )
    const statuses = [(await rename('Ann')).status, (await rename('Ben')).status]
    const before = await rows()
    statuses.push((await rename('Cid')).status)
    expect(statuses).toEqual([303, 303, 429])
    expect(await rows()).toEqual(before)
  })

  it('[ASVS-2.4.1-28] can no longer read long lists through an application or in the account centre', async () => {
    const { site, seen } = limited('list')
    const { call, userId } = await newMember(site)
    const statuses = []
    for (const path of ['/sessions', '/consents', '/sessions'])
      statuses.push((await call('GET', path)).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await call('GET', '')).status).toBe(200)
    expect(seen.at(-1)).toBe(JSON.stringify(['list', 'default', userId, 'demo-app']))

    const { client } = await visitAccount(site)
    const open = async (page: string) =>
      (await client.get(`/account/${page}`, { accept: 'text/html' })).status
    expect([await open('sessions'), await open('activity'), await open('applications')]).toEqual([
      200, 200, 429,
    ])
    expect(await open('profile')).toBe(200)
  })

  it('[ASVS-2.4.1-27] cannot replay provider responses with a copied cookie', async () => {
    const { app, site, rows } = limited('change')
    const { client, username } = await visitAccount(site)
    const userId = await app.env.DB.prepare('select id from users where username = ?')
      .bind(username)
      .first('id')
    const session = { connectorId: 'any', state: 'account.x', redirectUri: ORIGIN, kept: {}, beganAt: 1 }
    const value = await createSeals(app.env.ROOT_SECRET ?? '').seal('account-link/default', {
      userId,
      session,
    })
    const bring = () => {
      client.cookies.set('_account_link', { value, path: '/' })
      return client.get('/account/identities/answer/any?state=account.guessed', { accept: 'text/html' })
    }
    const statuses = [(await bring()).status, (await bring()).status]
    const before = await rows()
    statuses.push((await bring()).status)
    expect(statuses).toEqual([400, 400, 429])
    expect(await rows()).toEqual(before)
  })

  it('has one counter for all unregistered clients', async () => {
    const { exceedsAccountLimit } = await import('../../src/application/account-limit.ts')
    const keys: string[] = []
    const limit = async ({ key }: { key: string }) => ({ success: keys.push(key) > 0 })
    for (const applicationId of ['https://a.example/client', 'https://b.example/client', 'demo-app'])
      await exceedsAccountLimit({ floodLimits: { account: { limit } } }, 'kind', {
        tenantId: 't',
        userId: 'u',
        ip: '203.0.113.9',
        applicationId,
      })
    expect(keys.map((key) => JSON.parse(key)[3])).toEqual(['', '', 'demo-app'])
  })
})
