import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { asBearer, type Member, newMember } from '../../kit/clients/account-client.ts'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { outcomeOf } from '../../kit/clients/interaction-client.ts'
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

/** Tests how users and operators list and withdraw consents. Withdrawing a consent ends the third party's access. */

const SCOPE = 'openid profile offline_access read'

let app: TestApp
let operator: Operator
let shop: ClientApplication
let bank: ClientApplication
let orders: string
let roleId: string
let owner: User
let stranger: User
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  shop = await newClient(app, 'SPA', { name: 'Shop', custom: { isThirdParty: true } })
  bank = await newClient(app, 'SPA', { name: 'Bank', custom: { isThirdParty: true } })
  orders = `https://orders.example/${freshName()}`
  const create = async (path: string, body: object) =>
    ((await (await operator.send('POST', path, body)).json()) as { id: string }).id
  const resource = await create('/resources', { name: 'Orders', indicator: orders })
  const read = await create(`/resources/${resource}/scopes`, { name: 'read', description: '' })
  roleId = await create('/roles', { name: freshName(), description: '', scopeIds: [read] })
  owner = await newUser()
  stranger = await newUser()
  await authorize(owner.client, { app, client: shop })
})

type User = Member

/** Creates a user who has the scopes of the resource and can call the account API. */
async function newUser(at = app): Promise<User> {
  const member = await newMember(at)
  await operator.send('POST', `/users/${member.userId}/roles`, { roleIds: [roleId] })
  return member
}

type Party = { app: TestApp; client: ClientApplication }

/** Makes a third party's authorization request, and gives consent if the consent page is shown. */
async function authorize(
  browser: CookieClient,
  { app: at, client }: Party,
  parameters: Record<string, string> = { scope: SCOPE, resource: orders, prompt: 'consent' },
) {
  const request = await authorizationRequest({
    client_id: client.id,
    redirect_uri: client.redirectUri,
    ...parameters,
  })
  const to = new URL((await browser.get(request.url)).headers.get('location') ?? '', ORIGIN)
  const uid = to.searchParams.get('interaction')
  const back = uid ? await resumeAuthorization(browser, await decide(browser, uid, 'allow')) : to
  const code = back.searchParams.get('code') ?? ''
  return {
    isAsked: uid !== null,
    request,
    code,
    redeem: () => redeemed({ app: at, client }, { request, code }),
  }
}

const decide = (browser: CookieClient, uid: string, decision: 'allow' | 'deny') =>
  browser.send('POST', '/api/interaction/consent', { decision }, { Interaction: uid })

const redeemed = ({ app: at, client }: Party, arrived: Parameters<typeof codeGrant>[1]) =>
  atTokenEndpoint(at, codeGrant(client, arrived))

const refresh = ({ app: at, client }: Party, token = '') =>
  atTokenEndpoint(at, { grant_type: 'refresh_token', client_id: client.id, refresh_token: token })

const userinfo = async (token: string) =>
  (await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${token}` } })).status

const invalidGrant = { status: 400, tokens: expect.objectContaining({ error: 'invalid_grant' }) }

type Consent = {
  application: { id: string; name: string }
  scopes: string[]
  resources: object[]
  grantedAt: number
  lastUsedAt: number | null
}

/** Lists the grants and consents, on which all codes and tokens depend. */
const rowsOf = async (userId: string, clientId: string) => {
  const { results } = await env.DB.prepare(
    `select model_name as name from oidc_model_instances where account_id = ?1 and client_id = ?2 and model_name = 'Grant'
      union all select 'Consent' from consents where user_id = ?1 and application_id = ?2`,
  )
    .bind(userId, clientId)
    .all<{ name: string }>()
  return results.map(({ name }) => name)
}

const logged = async (key: string, userId: string) => {
  const answer = await operator.get(`/logs?logKey=${key}&userId=${userId}`)
  const rows = (await answer.json()) as { payload: Record<string, unknown> }[]
  return rows.map(({ payload }) => payload)
}

describe.each<{
  who: string
  list(user: User): Promise<Response>
  withdraw(user: User, applicationId: string): Promise<Response>
  audit: { key: string; says(applicationId: string): object }
}>([
  {
    who: 'its user',
    list: (user) => user.call('GET', '/consents'),
    withdraw: (user, applicationId) => user.call('DELETE', `/consents/${applicationId}`),
    audit: {
      key: 'Account.Consent.Delete',
      says: (withdrawnApplicationId) => ({ withdrawnApplicationId, applicationId: 'demo-app' }),
    },
  },
  {
    who: 'an operator',
    list: ({ userId }) => operator.get(`/users/${userId}/consents`),
    withdraw: ({ userId }, applicationId) =>
      operator.send('DELETE', `/users/${userId}/consents/${applicationId}`),
    audit: {
      key: 'Management.Consent.Delete',
      says: (applicationId) => ({ applicationId, actor: { type: 'app', id: 'management' } }),
    },
  },
])('a consent, as seen by $who', ({ list, withdraw, audit }) => {
  it('[ASVS-10.7.3] is listed, and withdrawing it revokes everything issued under it', async () => {
    const party = { app, client: shop }
    const user = await newUser()
    const listed = async () => (await (await list(user)).json()) as Consent[]
    expect(await listed()).toEqual([])
    const since = Date.now()
    const first = await authorize(user.client, party)
    expect(await listed()).toMatchObject([{ lastUsedAt: null }])
    const { tokens } = await first.redeem()
    const { tokens: elsewhere } = await (
      await authorize(user.client, { app, client: bank }, { scope: SCOPE, prompt: 'consent' })
    ).redeem()

    const consents = await listed()
    expect(consents).toEqual([
      {
        application: { id: bank.id, name: 'Bank' },
        unregistered: null,
        scopes: ['offline_access', 'openid', 'profile'],
        claims: [],
        resources: [],
        grantedAt: expect.any(Number),
        lastUsedAt: expect.any(Number),
      },
      {
        application: { id: shop.id, name: 'Shop' },
        unregistered: null,
        scopes: ['offline_access', 'openid', 'profile'],
        claims: [],
        resources: [{ indicator: orders, name: 'Orders', scopes: ['read'] }],
        grantedAt: expect.any(Number),
        lastUsedAt: expect.any(Number),
      },
    ])
    expect(consents[1]?.grantedAt).toBeGreaterThanOrEqual(since)
    expect(consents[1]?.lastUsedAt).toBeGreaterThanOrEqual(consents[1]?.grantedAt ?? Number.NaN)

    const refreshed = await refresh(party, tokens.refresh_token)
    expect([refreshed.status, await userinfo(refreshed.tokens.access_token)]).toEqual([200, 200])
    const unredeemed = await authorize(user.client, party, { scope: 'openid' })
    expect(unredeemed.isAsked).toBe(false)

    const withdrawn = await withdraw(user, shop.id)
    expect([withdrawn.status, await withdrawn.text()]).toEqual([204, ''])
    expect(await rowsOf(user.userId, shop.id)).toEqual([])
    expect(await refresh(party, refreshed.tokens.refresh_token)).toMatchObject(invalidGrant)
    expect(await userinfo(refreshed.tokens.access_token)).toBe(401)
    expect(await unredeemed.redeem()).toMatchObject(invalidGrant)
    expect((await listed()).map(({ application }) => application.id)).toEqual([bank.id])
    expect(await outcomeOf(await withdraw(user, shop.id))).toEqual([404, 'entity.not_found'])
    expect((await refresh({ app, client: bank }, elsewhere.refresh_token)).status).toBe(200)

    const again = await authorize(user.client, party, { scope: 'openid' })
    expect([again.isAsked, (await again.redeem()).status]).toEqual([true, 200])
    expect((await user.call('GET')).status).toBe(200)
    expect(await logged(audit.key, user.userId)).toMatchObject([
      { result: 'Success', userId: user.userId, ...audit.says(shop.id) },
    ])
  })

  it('cannot be listed or withdrawn if it belongs to another user', async () => {
    expect(await (await list(stranger)).json()).toEqual([])
    expect(await outcomeOf(await withdraw(stranger, shop.id))).toEqual([404, 'entity.not_found'])
    expect(await rowsOf(owner.userId, shop.id)).toContain('Consent')
  })
})

describe('a user’s consents', () => {
  it('cannot be accessed by third parties or applications without the scope', async () => {
    const { request, code, browser } = await newArrival(app, shop, { scope: 'openid profile' })
    const { tokens } = await redeemed({ app, client: shop }, { request, code })
    const foreign = asBearer(app, tokens.access_token)
    const own = await newMember(app, { client: browser, scope: 'openid' })
    for (const call of [foreign, own.call]) {
      expect((await call('GET', '/consents')).status).toBe(403)
      expect((await call('DELETE', `/consents/${shop.id}`)).status).toBe(403)
    }
    expect(await rowsOf(own.userId, shop.id)).toContain('Consent')
  })

  it('cannot be requested by an operator if the user does not exist', async () => {
    expect(await outcomeOf(await operator.get('/users/unknown/consents'))).toEqual([404, 'entity.not_found'])
  })
})

describe('the audit log', () => {
  it('contains every decision with the requested scopes, even a repeated decision that fails', async () => {
    const user = await newUser()
    for (const decision of ['deny', 'allow'] as const) {
      const request = await authorizationRequest({
        client_id: shop.id,
        redirect_uri: shop.redirectUri,
        scope: 'openid email read',
        resource: orders,
      })
      const uid = await openSignInPage(user.client, request)
      expect((await decide(user.client, uid, decision)).status).toBe(200)
      await decide(user.client, uid, decision)
      const facts = {
        interactionId: uid,
        userId: user.userId,
        applicationId: shop.id,
        scope: 'openid email',
        resources: [{ indicator: orders, scope: 'read' }],
      }
      const key = { deny: 'Interaction.Consent.Deny', allow: 'Interaction.Consent.Allow' }[decision]
      const rows = await logged(key, user.userId)
      for (const row of rows) expect(row).toMatchObject(facts)
      expect(rows.map(({ result }) => result).toSorted()).toEqual(['Error', 'Success'])
    }
  })

  it('contains no decisions for first parties, which need no consent', async () => {
    const user = await newUser()
    const own = await newClient(app, 'SPA')
    await authorize(user.client, { app, client: own })
    expect([
      await logged('Interaction.Consent.Allow', user.userId),
      await rowsOf(user.userId, own.id),
    ]).toEqual([[], expect.not.arrayContaining(['Consent'])])
  })
})

/** Withdraws the consent just before a batch of a request in flight. */
describe.each([1, 2])('a withdrawal before batch %i', (at) => {
  let user: User
  const racing = openRacingApp(
    async () => (await operator.send('DELETE', `/users/${user.userId}/consents/${shop.id}`)).status,
  )
  const party = () => ({ app: racing.app, client: shop })
  beforeAll(async () => {
    user = await newUser(racing.app)
  })

  async function meanwhile<T>(request: () => Promise<T>): Promise<T> {
    const { answer, changed } = await racing.meanwhile(at, request)
    expect(changed).toBe(204)
    return answer
  }

  const grants = async () => {
    const { results } = await env.DB.prepare(
      "select payload ->> '$.openid.scope' as scope from oidc_model_instances where model_name = 'Grant' and account_id = ? and client_id = ?",
    )
      .bind(user.userId, shop.id)
      .all<{ scope: string }>()
    return results.map(({ scope }) => scope)
  }

  it('invalidates the code for an authorization request in another browser', async () => {
    await authorize(user.client, party())
    const browser = newCookieClient(racing.app)
    const parameters = { client_id: shop.id, redirect_uri: shop.redirectUri, scope: 'openid profile' }
    const request = await authorizationRequest(parameters)
    const headers = { Interaction: await openSignInPage(browser, request) }
    const identifier = { username: user.username, password: PASSWORD }
    await browser.send('PUT', '/api/interaction', { event: 'SignIn', identifier }, headers)
    const submitted = await meanwhile(() =>
      browser.send('POST', '/api/interaction/submit', undefined, headers),
    )
    const back = await resumeAuthorization(browser, submitted)
    const code = back.searchParams.get('code')
    if (code) expect(await redeemed(party(), { request, code })).toMatchObject(invalidGrant)
    expect(await grants()).toEqual([])
    expect((await authorize(browser, party(), parameters)).isAsked).toBe(true)
  })

  it('invalidates the tokens that a refresh has returned', async () => {
    const { tokens } = await (await authorize(user.client, party())).redeem()
    const refreshed = await meanwhile(() => refresh(party(), tokens.refresh_token))
    if (refreshed.status === 200) {
      expect(await userinfo(refreshed.tokens.access_token)).toBe(401)
      expect(await refresh(party(), refreshed.tokens.refresh_token)).toMatchObject(invalidGrant)
    }
    expect(await grants()).toEqual([])
  })

  it('[ASVS-10.7.3-2] is not undone by a decision about another request', async () => {
    await authorize(user.client, party(), { scope: 'openid profile' })
    const parameters = { client_id: shop.id, redirect_uri: shop.redirectUri, scope: 'openid email' }
    const uid = await openSignInPage(user.client, await authorizationRequest(parameters))
    await meanwhile(() => decide(user.client, uid, 'allow'))
    expect(['', 'email']).toContain((await grants()).join())
    expect((await authorize(user.client, party(), { scope: 'openid profile' })).isAsked).toBe(true)
  })
})

describe('a consent decision', () => {
  const changes = {
    'the end of its session': `delete from oidc_model_instances where model_name = 'Session' and account_id = ?`,
    'a sign-out everywhere': 'update users set revoked_at = 1 where id = ?',
    'a suspension': 'update users set is_suspended = 1 where id = ?',
  }
  it.each(Object.entries(changes))('[ASVS-10.7.3-3] is not stored after %s', async (_, statement) => {
    let userId = ''
    const { app: racing, meanwhile } = openRacingApp(
      async () => (await env.DB.prepare(statement).bind(userId).run()).meta.changes,
    )
    const user = await newUser(racing)
    userId = user.userId
    const parameters = { client_id: shop.id, redirect_uri: shop.redirectUri, scope: 'openid profile' }
    const uid = await openSignInPage(user.client, await authorizationRequest(parameters))
    const { answer, changed } = await meanwhile(2, () => decide(user.client, uid, 'allow'))
    expect(changed).toBeGreaterThan(0)
    expect(await outcomeOf(answer)).toEqual([404, 'session.verification_session_not_found'])
    expect(await rowsOf(userId, shop.id)).toEqual([])
    expect(await logged('Interaction.Consent.Allow', userId)).toEqual([])
  })
})
