import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  ORIGIN,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import {
  type Application,
  askForToken,
  authorize,
  type Form,
  giveRoles,
  newApi,
  newApplication,
  readUserinfo,
  refreshTokens,
  type TokenAnswer,
} from '../../kit/clients/token-client.ts'
import {
  AGENT,
  agentDocument,
  appForAgents,
  publish,
  BACK as TO_AGENT,
} from '../../kit/clients/unregistered-client.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the claims that templates add to tokens (spec/provider#claim-templates). */

const ORDERS = `https://${freshName()}.example`
const STOCK = `https://${freshName()}.example`

let app: TestApp
let operator: Operator
let browser: CookieClient
let userId: string
let username: string
let roleName: string
let stockRoleId: string
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  const orders = await newApi(operator, ORDERS, ['read', 'write'])
  const stock = await newApi(operator, STOCK, ['count'])
  stockRoleId = stock.roleId
  roleName = `role ${orders.id}`
  const claims = {
    department: '$.customData.department',
    roles2: '$.roles',
    permissions: '$.scopes',
    kind: 'api',
  }
  await setClaims(`/resources/${orders.id}`, claims)
  await setClaims(`/resources/${stock.id}`, { stockDepartment: '$.customData.department' })
  const visitor = await storeVisitor(app)
  browser = visitor.client
  username = visitor.username
  userId = await giveRoles(operator, username, [orders.roleId, stock.roleId, 'read-only-role'])
  const user = { name: 'Ada', customData: { department: 'Research', secret: 'x' } }
  expect((await operator.send('PATCH', `/users/${userId}`, user)).status).toBe(200)
})

async function setClaims(path: string, claims: object | null) {
  expect((await operator.send('PATCH', path, { claims })).status).toBe(200)
}

async function tokensFor(application: Application, form: Form, more: Form = {}): Promise<TokenAnswer> {
  const { redemption, error } = await authorize(browser, application, form)
  expect(error).toBeNull()
  const tokens = await askForToken(app, application, { ...redemption, ...more })
  expect(tokens).toMatchObject({ status: 200 })
  return tokens
}

const refresh = (application: Application, tokens: TokenAnswer, more?: Form) =>
  refreshTokens(app, application, tokens, more)
const userinfo = (tokens: TokenAnswer) => readUserinfo(app, tokens)

const toOrders = { scope: 'openid read', resource: ORDERS }
const fromOrders = { resource: ORDERS }

describe('the template of an application', () => {
  it('adds claims to ID tokens and userinfo, also after a refresh, and to no access token', async () => {
    const claims = { department: '$.customData.department', who: { name: '$.name' }, teams: '$.roles' }
    const shop = await newApplication(operator, {
      claims: { ...claims, 'urn:plan': 'gold', none: '$.avatar' },
    })
    const expected = { department: 'Research', who: { name: 'Ada' }, 'urn:plan': 'gold' }
    const form = { scope: 'openid offline_access read', prompt: 'consent', resource: ORDERS }
    const tokens = await tokensFor(shop, form)
    const refreshed = await refresh(shop, tokens, fromOrders)
    for (const { id_token } of [tokens, refreshed]) {
      const idTokenClaims = decodeJwt(id_token ?? '')
      expect(idTokenClaims).toMatchObject(expected)
      expect(idTokenClaims.teams).toContain(roleName)
      expect(JSON.stringify(idTokenClaims)).not.toContain('#internal')
      expect(idTokenClaims).not.toHaveProperty('none')
    }
    expect(await userinfo(tokens)).toEqual({ sub: userId, ...expected, teams: expect.anything() })
    expect(decodeJwt(refreshed.access_token)).not.toHaveProperty('who')
    expect(decodeJwt(refreshed.access_token)).not.toHaveProperty('urn:plan')
  })

  it('names the scopes that the request was granted', async () => {
    const shop = await newApplication(operator, { claims: { may: '$.scopes' } })
    const tokens = await tokensFor(shop, { scope: 'openid read count', resource: [ORDERS, STOCK] })
    expect(decodeJwt(tokens.id_token ?? '').may).toEqual(['read', 'count'])
    expect((await userinfo(tokens)).may).toEqual(['read', 'count'])
  })

  it('adds nothing to minimal ID tokens, whose claims are in userinfo', async () => {
    const custom = { customClientMetadata: { idTokenClaims: 'minimal' } }
    const shop = await newApplication(operator, {
      ...custom,
      claims: { department: '$.customData.department' },
    })
    const tokens = await tokensFor(shop, { scope: 'openid' })
    expect(decodeJwt(tokens.id_token ?? '')).not.toHaveProperty('department')
    expect(await userinfo(tokens)).toMatchObject({ department: 'Research' })
  })

  it('takes effect, changes and ends with the next token', async () => {
    const shop = await newApplication(operator)
    const tokens = await tokensFor(shop, { scope: 'openid offline_access', prompt: 'consent' })
    expect(await userinfo(tokens)).toEqual({ sub: userId })
    await setClaims(`/applications/${shop.id}`, { plan: 'gold' })
    expect(decodeJwt((await refresh(shop, tokens)).id_token ?? '')).toMatchObject({ plan: 'gold' })
    await setClaims(`/applications/${shop.id}`, {})
    expect(await userinfo(tokens)).toEqual({ sub: userId })
  })
})

describe('the template of a resource', () => {
  it('adds claims to access tokens for it, also after a refresh, and to nothing else', async () => {
    const shop = await newApplication(operator)
    const form = { scope: 'openid offline_access read', prompt: 'consent', resource: [ORDERS, STOCK] }
    const tokens = await tokensFor(shop, form, fromOrders)
    const refreshed = await refresh(shop, tokens, fromOrders)
    for (const { access_token, id_token } of [tokens, refreshed]) {
      const claims = decodeJwt(access_token)
      expect(claims).toMatchObject({
        department: 'Research',
        permissions: ['read'],
        kind: 'api',
        aud: ORDERS,
      })
      expect(claims.roles2).toContain(roleName)
      expect(JSON.stringify(claims)).not.toContain('#internal')
      expect(claims).not.toHaveProperty('stockDepartment')
      expect(decodeJwt(id_token ?? '')).not.toHaveProperty('department')
    }
    const forStock = await refresh(shop, tokens, { resource: STOCK })
    expect(decodeJwt(forStock.access_token)).toMatchObject({ stockDepartment: 'Research', aud: STOCK })
    expect(decodeJwt(forStock.access_token)).not.toHaveProperty('department')
  })

  it('adds only constants to a machine’s token', async () => {
    const machine = await newApplication(operator, { type: 'MachineToMachine', oidcClientMetadata: {} })
    const token = await askForToken(app, machine, { grant_type: 'client_credentials', resource: ORDERS })
    const { department, roles2, permissions, kind } = decodeJwt(token.access_token)
    expect({ department, roles2, permissions, kind }).toEqual({ kind: 'api' })
  })

  it('is that of the target in a token exchange: nothing of the subject token is copied', async () => {
    const shop = await newApplication(operator)
    const agent = await newApplication(operator, {
      customClientMetadata: { tokenExchangeClients: [shop.id], tokenExchangeResources: [STOCK] },
    })
    const form = { scope: 'openid read count', resource: [ORDERS, STOCK] }
    for (const more of [{}, fromOrders]) {
      const subject = await tokensFor(shop, form, more)
      const exchanged = await askForToken(app, agent, {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: subject.access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        resource: STOCK,
      })
      const claims = decodeJwt(exchanged.access_token)
      expect(claims).toMatchObject({ stockDepartment: 'Research', aud: STOCK })
      expect(Object.keys(claims)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/^(department|roles2|kind|permissions)$/)]),
      )
    }
  })

  it('is ignored by introspection, which says nothing about the user', async () => {
    const shop = await newApplication(operator, { claims: { department: '$.customData.department' } })
    const tokens = await tokensFor(shop, { scope: 'openid roles' })
    const answer = await app.fetch('/oidc/token/introspection', {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${shop.id}:${shop.secret}`)}` },
      body: new URLSearchParams({ token: tokens.access_token }),
    })
    const body = (await answer.json()) as object
    expect(body).toMatchObject({ active: true, sub: userId })
    expect(body).not.toHaveProperty('department')
    expect(body).not.toHaveProperty('roles')
  })
})

describe('claims above 2 kB', () => {
  it('are left out of the token, which is issued, and named in the audit log and in the log of events', async () => {
    const visitor = await storeVisitor(app)
    const customData = { department: 'x'.repeat(2100) }
    expect((await operator.send('PATCH', `/users/${visitor.userId}`, { customData })).status).toBe(200)
    const shop = await newApplication(operator, { claims: { big: '$.customData.department', plan: 'gold' } })
    const { redemption } = await authorize(visitor.client, shop, toOrders)
    const lines = vi.spyOn(console, 'log')
    const tokens = await askForToken(app, shop, { ...redemption, ...fromOrders })
    expect(tokens).toMatchObject({ status: 200 })
    const idToken = decodeJwt(tokens.id_token ?? '')
    expect([idToken.big, idToken.plan, decodeJwt(tokens.access_token).department]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    const events = lines.mock.calls
      .map(([line]) => String(line))
      .filter((line) => line.includes('claims_omitted'))
    lines.mockRestore()
    expect(events).toHaveLength(2)
    expect(events.join()).not.toContain('xxx')
    expect(JSON.parse(events[1] ?? '')).toMatchObject({
      event: 'claims_omitted',
      applicationId: shop.id,
      names: ['big', 'plan'],
      size: 2124,
    })
    const logs = await operator.get(`/logs?applicationId=${shop.id}&logKey=ExchangeTokenBy.AuthorizationCode`)
    const [log] = (await logs.json()) as { payload: object }[]
    expect(log?.payload).toMatchObject({
      omittedClaims: [
        { names: ['department', 'roles2', 'permissions', 'kind'], size: expect.any(Number) },
        { names: ['big', 'plan'], size: 2124 },
      ],
    })
  })
})

describe('a third party', () => {
  const newPartner = (claims: object) =>
    newApplication(operator, { customClientMetadata: { isThirdParty: true }, claims })

  /** Requests an authorization and returns the text of the consent page's list, without deciding. */
  async function askedBy(application: Application, form: Form) {
    const answer = await browser.get(authorizationPath(application, form))
    const page = new URL(answer.headers.get('location') ?? '', ORIGIN)
    const html = await (await browser.get(page.pathname + page.search, { accept: 'text/html' })).text()
    const [requested = '', granted = ''] = (/<main.*<\/main>/s.exec(html)?.[0] ?? '').split('consent-granted')
    const entries = (part: string) =>
      [...part.matchAll(/<li>(.*?)<\/li>/gs)].map(([, text = '']) => text.replaceAll(/<[^>]*>/g, ''))
    return { asked: entries(requested), granted: entries(granted) }
  }

  const authorizationPath = ({ id }: Application, form: Form) => {
    const query = new URLSearchParams({
      client_id: id,
      redirect_uri: 'https://app.example/back',
      response_type: 'code',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      ...Object.fromEntries(Object.entries(form).map(([name, value]) => [name, String(value)])),
    })
    return `/oidc/auth?${query}`
  }

  it('gets the claims that its user has consented to, for the application and for the resource', async () => {
    const partner = await newPartner({ department: '$.customData.department', plan: 'gold' })
    expect((await askedBy(partner, toOrders)).asked).toEqual([
      'Know who you are',
      'See your roles and permissions',
      'See this detail about you: department',
      'See this detail about you: plan',
      'See this detail about you: roles2',
      'See this detail about you: kind',
      expect.stringContaining('Use API on your behalf'),
    ])
    const silent = await authorize(browser, partner, { ...toOrders, prompt: 'none' })
    expect(silent.error).toBe('consent_required')
    const tokens = await tokensFor(partner, toOrders, fromOrders)
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ department: 'Research', plan: 'gold' })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ department: 'Research', kind: 'api' })
    // The consent is remembered.
    expect((await authorize(browser, partner, { ...toOrders, prompt: 'none' })).error).toBeNull()
    const consents = await operator.get(`/users/${userId}/consents`)
    const listed = ((await consents.json()) as { application: { id: string }; claims: string[] }[]).find(
      ({ application }) => application.id === partner.id,
    )
    expect(listed?.claims.toSorted()).toEqual(['department', 'kind', 'permissions', 'plan', 'roles2'])
  })

  it('does not get a claim that was added, or gets other data, before its user has consented again', async () => {
    const partner = await newPartner({ department: '$.customData.department' })
    const form = { scope: 'openid offline_access', prompt: 'consent' }
    const tokens = await tokensFor(partner, form)
    expect(await userinfo(tokens)).toMatchObject({ department: 'Research' })

    await setClaims(`/applications/${partner.id}`, { department: '$.name', added: '$.username' })
    expect(await userinfo(tokens)).toEqual({ sub: userId })
    expect(decodeJwt((await refresh(partner, tokens)).id_token ?? '')).not.toHaveProperty('added')
    const silent = { scope: 'openid', prompt: 'none' }
    expect((await authorize(browser, partner, silent)).error).toBe('consent_required')
    expect(await askedBy(partner, { scope: 'openid' })).toEqual({
      asked: ['See this detail about you: department', 'See this detail about you: added'],
      granted: ['Know who you are', 'Keep this access while you’re not using it'],
    })
    expect(await userinfo(await tokensFor(partner, { scope: 'openid' }))).toMatchObject({
      department: 'Ada',
      added: username,
    })
    // The grant of the session now includes the new claims, so the earlier token does, too.
    expect(await userinfo(tokens)).toMatchObject({ department: 'Ada' })
  })

  it('gets what the user saw, even if the template changes while the consent page is open', async () => {
    const partner = await newPartner({ department: '$.customData.department' })
    const answer = await browser.get(authorizationPath(partner, { scope: 'openid' }))
    const interaction =
      new URL(answer.headers.get('location') ?? '', ORIGIN).searchParams.get('interaction') ?? ''
    await setClaims(`/applications/${partner.id}`, { department: '$.customData.secret' })
    const headers = { Interaction: interaction }
    const decided = await browser.send('POST', '/api/interaction/consent', { decision: 'allow' }, headers)
    const { redirectTo } = (await decided.json()) as { redirectTo: string }
    const resumed = await browser.get(redirectTo)
    // The user is asked about the other data.
    expect(resumed.headers.get('location')).toContain('/sign-in/consent')
  })
})

describe('an unregistered client', () => {
  it('gets the claims of a resource that its user saw, although its scopes are limited', async () => {
    const site = publish({ [AGENT]: () => Response.json(agentDocument) })
    try {
      const forAgents = await appForAgents({ scopes: ['openid'] })
      const visitor = await storeVisitor(forAgents)
      await giveRoles(operator, visitor.username, [stockRoleId])
      await operator.send('PATCH', `/users/${visitor.userId}`, { customData: { department: 'Sales' } })
      const request = await authorizationRequest({
        client_id: AGENT,
        redirect_uri: TO_AGENT,
        scope: 'openid count',
        resource: STOCK,
      })
      const page = new URL((await visitor.client.get(request.url)).headers.get('location') ?? '', ORIGIN)
      const html = await (
        await visitor.client.get(page.pathname + page.search, { accept: 'text/html' })
      ).text()
      expect(html.replaceAll(/<[^>]*>/g, '')).toContain('See this detail about you: stockDepartment')
      const headers = { Interaction: page.searchParams.get('interaction') ?? '' }
      const decided = await visitor.client.send(
        'POST',
        '/api/interaction/consent',
        { decision: 'allow' },
        headers,
      )
      const back = await resumeAuthorization(visitor.client, decided)
      const answer = await forAgents.fetch('/oidc/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: back.searchParams.get('code') ?? '',
          code_verifier: request.verifier,
          redirect_uri: TO_AGENT,
          client_id: AGENT,
          resource: STOCK,
        }),
      })
      const { access_token } = (await answer.json()) as TokenAnswer
      expect(decodeJwt(access_token)).toMatchObject({ stockDepartment: 'Sales', scope: 'count' })

      const refused = await authorizationRequest({
        client_id: AGENT,
        redirect_uri: TO_AGENT,
        scope: 'openid roles',
      })
      const location = (await visitor.client.get(refused.url)).headers.get('location') ?? ''
      expect(new URL(location).searchParams.get('error')).toBe('invalid_scope')
    } finally {
      site.restore()
    }
  })
})
