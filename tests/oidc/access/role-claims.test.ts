import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { type CookieClient, freshName } from '../../kit/clients/cookie-client.ts'
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
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the scope `roles` (spec/provider#role-claims). */

const ORDERS = `https://${freshName()}.example`
const STOCK = `https://${freshName()}.example`

let app: TestApp
let operator: Operator
let shop: Application
let browser: CookieClient
let userId: string
let roles: { orders: string; stock: string }
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  shop = await newApplication(operator)
  const orders = await newApi(operator, ORDERS, ['read', 'write'])
  const stock = await newApi(operator, STOCK, ['count'])
  roles = { orders: orders.roleId, stock: stock.roleId }
  const visitor = await storeVisitor(app)
  browser = visitor.client
  userId = await giveRoles(operator, visitor.username, [roles.orders, roles.stock, 'read-only-role'])
})

const nameOf = async (roleId: string): Promise<string> => {
  const { name } = (await (await operator.get(`/roles/${roleId}`)).json()) as { name: string }
  return name
}
const bothNames = async () => (await Promise.all([nameOf(roles.orders), nameOf(roles.stock)])).toSorted()

async function tokensFor(application: Application, form: Form, more: Form = {}): Promise<TokenAnswer> {
  const { redemption } = await authorize(browser, application, form)
  const tokens = await askForToken(app, application, { ...redemption, ...more })
  expect(tokens).toMatchObject({ status: 200 })
  return tokens
}

const refresh = (application: Application, tokens: TokenAnswer, more?: Form) =>
  refreshTokens(app, application, tokens, more)
const userinfo = (tokens: TokenAnswer) => readUserinfo(app, tokens)

const OFFLINE = {
  scope: 'openid roles offline_access read count',
  prompt: 'consent',
  resource: [ORDERS, STOCK],
}

describe('the scope roles', () => {
  it('releases the names of roles, without internal ones, and the granted scopes by resource', async () => {
    const tokens = await tokensFor(shop, { scope: 'openid roles read count', resource: [ORDERS, STOCK] })
    const expected = { roles: await bothNames(), permissions: { [ORDERS]: ['read'], [STOCK]: ['count'] } }
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject(expected)
    expect(await userinfo(tokens)).toEqual({ sub: userId, ...expected })
  })

  it('adds the names of roles to access tokens, whose scopes are in the claim scope', async () => {
    const tokens = await tokensFor(
      shop,
      { scope: 'openid roles read', resource: ORDERS },
      { resource: ORDERS },
    )
    const claims = decodeJwt(tokens.access_token)
    expect(claims).toMatchObject({ roles: await bothNames(), scope: 'read', aud: ORDERS })
    expect(claims).not.toHaveProperty('permissions')
  })

  it('is necessary', async () => {
    const { access_token, id_token } = await tokensFor(
      shop,
      { scope: 'openid profile read', resource: ORDERS },
      { resource: ORDERS },
    )
    for (const token of [access_token, id_token ?? '']) {
      expect(decodeJwt(token)).not.toHaveProperty('roles')
      expect(decodeJwt(token)).not.toHaveProperty('permissions')
    }
  })

  it('returns empty claims for a user without roles', async () => {
    const visitor = await storeVisitor(app)
    const { redemption } = await authorize(visitor.client, shop, { scope: 'openid roles' })
    const tokens = await askForToken(app, shop, redemption)
    expect(await userinfo(tokens)).toEqual({ sub: visitor.userId, roles: [], permissions: {} })
  })

  it('can be replaced by the parameter claims', async () => {
    const claims = JSON.stringify({ id_token: { roles: null } })
    const tokens = await tokensFor(shop, { scope: 'openid', claims })
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ roles: await bothNames() })
    expect(decodeJwt(tokens.id_token ?? '')).not.toHaveProperty('permissions')
    expect(await userinfo(tokens)).toEqual({ sub: userId })
  })

  it('is left out of minimal ID tokens, and available from userinfo', async () => {
    const minimal = await newApplication(operator, { customClientMetadata: { idTokenClaims: 'minimal' } })
    const tokens = await tokensFor(minimal, { scope: 'openid roles' })
    expect(decodeJwt(tokens.id_token ?? '')).not.toHaveProperty('roles')
    expect(await userinfo(tokens)).toMatchObject({ roles: await bothNames() })
  })

  it('is dropped from a refresh that does not name it', async () => {
    const tokens = await tokensFor(shop, OFFLINE)
    const narrow = await refresh(shop, tokens, { scope: 'openid read', resource: ORDERS })
    expect(decodeJwt(narrow.access_token)).not.toHaveProperty('roles')
    const wide = await refresh(shop, tokens, { resource: ORDERS })
    expect(decodeJwt(wide.access_token)).toMatchObject({ roles: await bothNames() })
  })

  it('requires the consent of a third party’s user', async () => {
    const partner = await newApplication(operator, { customClientMetadata: { isThirdParty: true } })
    const silent = await authorize(browser, partner, { scope: 'openid roles', prompt: 'none' })
    expect(silent.error).toBe('consent_required')
    const tokens = await tokensFor(partner, { scope: 'openid roles' })
    expect(await userinfo(tokens)).toMatchObject({ roles: await bothNames() })
    // An access token of a later request without the scope has no roles, although the grant includes them.
    const later = await tokensFor(partner, { scope: 'openid read', resource: ORDERS }, { resource: ORDERS })
    expect(decodeJwt(later.access_token)).not.toHaveProperty('roles')
  })

  it('does not outlast a role: the next token and userinfo are without it', async () => {
    const other = await storeVisitor(app)
    const id = await giveRoles(operator, other.username, [roles.orders])
    const { redemption } = await authorize(other.client, shop, OFFLINE)
    const tokens = await askForToken(app, shop, redemption)
    const name = await nameOf(roles.orders)
    expect(await userinfo(tokens)).toMatchObject({ roles: [name] })

    expect((await operator.send('DELETE', `/users/${id}/roles/${roles.orders}`)).status).toBe(204)
    expect(await userinfo(tokens)).toMatchObject({ roles: [] })
    const refreshed = await refresh(shop, tokens, { resource: ORDERS })
    expect(decodeJwt(refreshed.access_token)).toMatchObject({ roles: [] })
    expect(decodeJwt(refreshed.id_token ?? '')).toMatchObject({ roles: [] })
  })
})

describe('an exchanged token', () => {
  const exchange = (agent: Application, subject: string) =>
    askForToken(app, agent, {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: subject,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      resource: STOCK,
    })
  const newAgent = () =>
    newApplication(operator, {
      customClientMetadata: { tokenExchangeClients: [shop.id], tokenExchangeResources: [STOCK] },
    })

  it.each(['openid roles count', 'openid count'])(
    'has roles exactly if its subject token does (%s)',
    async (scope) => {
      const agent = await newAgent()
      const form = { scope, resource: [ORDERS, STOCK] }
      const opaque = await tokensFor(shop, form)
      const jwt = await tokensFor(shop, form, { resource: ORDERS })
      for (const { access_token } of [opaque, jwt]) {
        const exchanged = await exchange(agent, access_token)
        expect(exchanged).toMatchObject({ status: 200 })
        expect(decodeJwt(exchanged.access_token).roles).toEqual(
          scope.includes('roles') ? await bothNames() : undefined,
        )
      }
    },
  )
})

describe('round trips to the database', () => {
  const awaitedBy = async (call: () => Promise<TokenAnswer>) => {
    app.trips()
    const value = await call()
    expect(value).toMatchObject({ status: 200 })
    return { value, awaited: app.trips().awaited }
  }

  it.each(['openid offline_access', 'openid roles offline_access'])(
    'are 2 for a code and 2 for a refresh with the scope %s',
    async (scope) => {
      // The first run fills the caches.
      await tokensFor(shop, { scope, prompt: 'consent' })
      const { redemption } = await authorize(browser, shop, { scope, prompt: 'consent' })
      const redeemed = await awaitedBy(() => askForToken(app, shop, redemption))
      const refreshed = await awaitedBy(() => refresh(shop, redeemed.value))
      expect([redeemed.awaited, refreshed.awaited]).toEqual([2, 2])
      app.trips()
      await userinfo(redeemed.value)
      expect(app.trips().awaited).toBe(1)
    },
  )
})
