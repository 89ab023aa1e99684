import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { commitChange, notAudited } from '../../../src/storage/commit.ts'
import { openD1 } from '../../../src/storage/d1.ts'
import { randomId } from '../../../src/storage/ids.ts'
import { endMembershipAuthorizations } from '../../../src/storage/organisations/membership-authorizations.ts'
import { removeMember } from '../../../src/storage/organisations/memberships.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { redeem, visit } from '../../kit/clients/organization-client.ts'
import {
  type Application,
  askForToken,
  newApi,
  newApplication,
  refreshTokens,
} from '../../kit/clients/token-client.ts'
import {
  addOrganizationRole,
  storeMembership,
  storeOrganization,
} from '../../kit/organisations/organizations.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

const API = 'https://ended.example'

describe('a member who is removed', () => {
  let app: TestApp
  let operator: Operator
  let shop: Application
  let bank: Application
  let agent: Application
  let role: string
  beforeAll(async () => {
    app = openTestApp()
    operator = await newOperator(app)
    const { id } = await newApi(operator, API, ['read'])
    const scopes = (await (await operator.get(`/resources/${id}/scopes`)).json()) as { id: string }[]
    role = await addOrganizationRole({ resourceScopeIds: scopes.map((scope) => scope.id) })
    const using = (more: object) =>
      newApplication(operator, { customClientMetadata: { organizationMode: 'required', ...more } })
    shop = await using({ backchannelLogoutUri: 'https://shop.example/logout' })
    bank = await using({
      backchannelLogoutUri: 'https://bank.example/logout',
      backchannelLogoutSessionRequired: true,
    })
    agent = await newApplication(operator, {
      customClientMetadata: { tokenExchangeClients: [shop.id], tokenExchangeResources: [API] },
    })
  })

  const form = { scope: 'openid offline_access read', resource: API }

  async function newUser() {
    const { client: browser, userId } = await storeVisitor(app)
    const [acme, beta] = [await storeOrganization(), await storeOrganization()]
    for (const organizationId of [acme, beta])
      await storeMembership({ organizationId, userId, roleIds: [role] })
    return { browser, userId, acme, beta }
  }

  /** Removes the member with the statements that a use case combines. */
  async function remove(organizationId: string, userId: string) {
    const db = openD1(app.env.DB)
    const member = { tenantId: 'default', organizationId, userId }
    const ended = { ...member, userIds: [userId], issuer: 'https://id.example/oidc', now: Date.now() }
    return commitChange(db, {
      tenantId: 'default',
      audit: notAudited('a test'),
      statements: { ...endMembershipAuthorizations(db, ended), member: removeMember(db, member) },
    })
  }

  async function logoutEvents(userId: string) {
    const { results } = await app.env.DB.prepare(
      "select application_id as application, payload from outbox where json_extract(payload, '$.sub') = ?",
    )
      .bind(userId)
      .all<{ application: string; payload: string }>()
    return results.map(({ application, payload }) => ({ application, ...JSON.parse(payload) }))
  }

  it('loses everything that was issued for the organisation, on every path, and nothing else', async () => {
    const { browser, userId, acme, beta } = await newUser()
    const sign = async (organization: string) =>
      redeem(app, shop, await visit(browser, shop, { ...form, organization }))
    const [ours, theirs] = [await sign(acme), await sign(beta)]
    const jwt = (await refreshTokens(app, shop, ours, { resource: API })).access_token
    expect(decodeJwt(jwt).org_id).toBe(acme)
    await remove(acme, userId)

    const userinfo = ({ access_token }: { access_token: string }) =>
      app.fetch('/oidc/me', { headers: { authorization: `Bearer ${access_token}` } })
    expect((await userinfo(ours)).status).toBe(401)
    expect((await userinfo(theirs)).status).toBe(200)
    const account = await app.fetch('/api/me', { headers: { authorization: `Bearer ${ours.access_token}` } })
    expect(account.status).toBe(401)
    expect((await refreshTokens(app, shop, ours)).error).toBe('invalid_grant')
    expect((await refreshTokens(app, shop, theirs)).status).toBe(200)
    const exchanged = await askForToken(app, agent, {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      subject_token: jwt,
      resource: API,
    })
    expect(exchanged.error).toBe('invalid_request')
    const silent = await visit(browser, shop, { ...form, organization: acme, prompt: 'none' })
    expect(silent.back.searchParams.get('error')).toBe('access_denied')
  })

  it('cannot redeem a code that was issued before', async () => {
    const { browser, userId, acme } = await newUser()
    const visited = await visit(browser, shop, { ...form, organization: acme })
    await remove(acme, userId)
    expect((await redeem(app, shop, visited)).error).toBe('invalid_grant')
  })

  it('gets nothing back from a deleted organisation if there is a new one with its id', async () => {
    const { browser, userId } = await newUser()
    const id = randomId()
    const create = async () => {
      await operator.send('POST', '/organizations', { id, name: 'Acme' })
      await operator.send('POST', `/organizations/${id}/users`, { userIds: [userId] })
    }
    await create()
    const tokens = await redeem(app, shop, await visit(browser, shop, { ...form, organization: id }))
    await operator.send('DELETE', `/organizations/${id}`)
    await create()
    expect((await refreshTokens(app, shop, tokens)).error).toBe('invalid_grant')
  })

  it('gets no tokens for the organisation in an application that no longer uses any', async () => {
    const former = await newApplication(operator, { customClientMetadata: { organizationMode: 'optional' } })
    const { browser, acme } = await newUser()
    const tokens = await redeem(app, former, await visit(browser, former, { ...form, organization: acme }))
    const personal = await redeem(
      app,
      former,
      await visit(browser, former, { ...form, organization: 'personal' }),
    )
    const none = { customClientMetadata: { organizationMode: 'none' } }
    await operator.send('PATCH', `/applications/${former.id}`, none)
    expect((await refreshTokens(app, former, tokens)).error).toBe('invalid_grant')
    expect((await refreshTokens(app, former, personal)).status).toBe(200)
  })

  it('is signed out of the applications that acted for the organisation, and of no others', async () => {
    const { browser, userId, acme, beta } = await newUser()
    await redeem(app, shop, await visit(browser, shop, { organization: acme }))
    const { id_token } = await redeem(app, bank, await visit(browser, bank, { organization: acme }))
    await visit(browser, shop, { organization: beta })
    await remove(acme, userId)
    const events = await logoutEvents(userId)
    const issuer = `${app.origin}/oidc`
    expect(events.toSorted((a, b) => (a.sid ?? '').localeCompare(b.sid ?? ''))).toEqual([
      { application: shop.id, sub: userId, issuer },
      { application: bank.id, sub: userId, issuer, sid: decodeJwt(id_token ?? '').sid },
    ])
  })

  it('is signed out of these applications when the organisation is deleted', async () => {
    const { browser, userId, acme, beta } = await newUser()
    const tokens = await redeem(app, shop, await visit(browser, shop, { ...form, organization: acme }))
    await redeem(app, bank, await visit(browser, bank, { organization: beta }))
    expect((await operator.send('DELETE', `/organizations/${acme}`)).status).toBe(204)
    const informed = await logoutEvents(userId)
    expect(informed.map(({ application }) => application)).toEqual([shop.id])
    expect((await refreshTokens(app, shop, tokens)).error).toBe('invalid_grant')
    const grants = await app.env.DB.prepare(
      "select count(*) as n from oidc_model_instances where model_name = 'Grant' and payload ->> '$.organizationId' = ?",
    )
      .bind(acme)
      .first('n')
    expect(grants).toBe(0)
  })

  it('finds the third parties of an organisation among the consents, and can withdraw them', async () => {
    const thirdParty = await newApplication(operator, {
      customClientMetadata: { organizationMode: 'required', isThirdParty: true },
    })
    const { browser, userId, acme } = await newUser()
    const tokens = await redeem(app, thirdParty, await visit(browser, thirdParty, { organization: acme }))
    const consents = async () => (await operator.get(`/users/${userId}/consents`)).json()
    expect(await consents()).toMatchObject([{ application: { id: thirdParty.id }, scopes: ['openid'] }])
    const withdrawn = await operator.send('DELETE', `/users/${userId}/consents/${thirdParty.id}`)
    expect(withdrawn.status).toBe(204)
    expect(await consents()).toEqual([])
    const headers = { authorization: `Bearer ${tokens.access_token}` }
    expect((await app.fetch('/oidc/me', { headers })).status).toBe(401)
  })
})
