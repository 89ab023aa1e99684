import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  decideOnDevice,
  enterCode,
  newDeviceApplication,
  poll,
  startDevice,
} from '../../kit/clients/device-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { organizationIn, redeem, visit } from '../../kit/clients/organization-client.ts'
import {
  type Application,
  askForToken,
  newApi,
  newApplication,
  readUserinfo,
  refreshTokens,
} from '../../kit/clients/token-client.ts'
import {
  AGENT,
  BACK as AGENT_BACK,
  agentDocument,
  appForAgents,
  publish,
} from '../../kit/clients/unregistered-client.ts'
import {
  addMachine,
  addOrganizationRole,
  freshId,
  removeMembership,
  storeMembership,
  storeOrganization,
  takeRoles,
} from '../../kit/organisations/organizations.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

const URN = 'urn:vestibule:organization:'

describe('an application that uses organisations', () => {
  let app: TestApp
  let operator: Operator
  let optional: Application
  let required: Application
  let none: Application
  let thirdParty: Application
  let api: { id: string; indicator: string; roleId: string; scopeIds: string[] }
  let role: string
  let acme: string
  let beta: string
  beforeAll(async () => {
    app = openTestApp()
    operator = await newOperator(app)
    const withMode = (organizationMode: string, more: object = {}) =>
      newApplication(operator, { customClientMetadata: { organizationMode, ...more } })
    optional = await withMode('optional')
    required = await withMode('required')
    none = await newApplication(operator)
    thirdParty = await withMode('optional', { isThirdParty: true })
    const created = await newApi(operator, `https://orders.example/${freshId()}`, ['read', 'write'])
    const scopes = await (await operator.get(`/resources/${created.id}/scopes`)).json()
    api = {
      ...created,
      scopeIds: (scopes as { id: string; name: string }[])
        .filter(({ name }) => name === 'read')
        .map(({ id }) => id),
    }
    role = await addOrganizationRole({ resourceScopeIds: api.scopeIds, scopeNames: ['reports'] })
    acme = await storeOrganization()
    beta = await storeOrganization({ name: 'Beta' })
  })

  async function newUser(...organizations: string[]) {
    const member = await storeVisitor(app)
    for (const id of organizations)
      await storeMembership({ organizationId: id, userId: member.userId, roleIds: [role] })
    return { browser: member.client, userId: member.userId }
  }

  it('gets the organisation that the user chooses on the page, and silently keeps it', async () => {
    const { browser } = await newUser(acme, beta)
    const first = await visit(browser, optional, {}, beta)
    expect(first.pages).toEqual(['/organization'])
    const tokens = await redeem(app, optional, first)
    expect(organizationIn(tokens.id_token)).toBe(beta)
    const again = await visit(browser, optional, { prompt: 'none' })
    expect(organizationIn((await redeem(app, optional, again)).id_token)).toBe(beta)
  })

  it('switches the organisation silently, and the tokens of the other tab remain valid', async () => {
    const { browser } = await newUser(acme, beta)
    const first = await redeem(app, optional, await visit(browser, optional, { organization: acme }))
    const switched = await visit(browser, optional, { organization: beta, prompt: 'none' })
    const second = await redeem(app, optional, switched)
    const personal = await redeem(
      app,
      optional,
      await visit(browser, optional, { organization: 'personal', prompt: 'none' }),
    )
    const organizations = await Promise.all(
      [first, second, personal].map(async (tokens) => (await readUserinfo(app, tokens)).org_id),
    )
    expect(organizations).toEqual([acme, beta, undefined])
  })

  it('ends the tokens of all tabs when the user signs out', async () => {
    const { browser } = await newUser(acme, beta)
    const tokens = [
      await redeem(app, optional, await visit(browser, optional, { organization: acme })),
      await redeem(app, optional, await visit(browser, optional, { organization: beta })),
    ]
    const page = await (await browser.get('/oidc/session/end')).text()
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? ''
    expect((await browser.post('/oidc/session/end/confirm', { xsrf, logout: 'yes' })).status).toBe(303)
    for (const { access_token } of tokens) {
      const headers = { authorization: `Bearer ${access_token}` }
      expect((await app.fetch('/oidc/me', { headers })).status).toBe(401)
    }
  })

  it('gets tokens for an API in the context of the organisation, with the scopes of its roles', async () => {
    const { browser, userId } = await newUser(acme)
    const form = { resource: api.indicator, scope: `openid offline_access read write ${URN}${acme}` }
    const tokens = await redeem(app, required, await visit(browser, required, form), {
      resource: api.indicator,
    })
    const claims = decodeJwt(tokens.access_token)
    expect(claims).toMatchObject({ aud: api.indicator, org_id: acme, scope: 'read' })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(600)
    const refresh = (current = tokens) => refreshTokens(app, required, current, { resource: api.indicator })
    const refreshed = await refresh()
    expect(decodeJwt(refreshed.access_token)).toMatchObject({ org_id: acme, scope: 'read' })
    await takeRoles(acme, userId)
    expect(decodeJwt((await refresh()).access_token).scope).toBeUndefined()
    await removeMembership(acme, userId)
    expect(await refresh()).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  it('gets tokens for the organisation itself', async () => {
    const { browser } = await newUser(acme)
    const resource = URN + acme
    const tokens = await redeem(
      app,
      optional,
      await visit(browser, optional, { resource, scope: 'openid reports' }),
      { resource },
    )
    expect(decodeJwt(tokens.access_token)).toMatchObject({ aud: resource, org_id: acme, scope: 'reports' })
  })

  it('gets no tenant roles in an organisation, and no built-in resources', async () => {
    const { client: browser, userId } = await storeVisitor(app)
    await storeMembership({ organizationId: acme, userId, roleIds: [] })
    await operator.send('POST', `/users/${userId}/roles`, { roleIds: [api.roleId] })
    const form = { organization: acme, resource: api.indicator, scope: 'openid read' }
    const tokens = await redeem(app, optional, await visit(browser, optional, form), {
      resource: api.indicator,
    })
    expect(decodeJwt(tokens.access_token).scope).toBeUndefined()
    const { back } = await visit(browser, optional, {
      organization: acme,
      resource: 'urn:vestibule:management',
    })
    expect(back.searchParams.get('error')).toBe('invalid_target')
  })

  it.each([
    ['none', 'acme', 'invalid_request'],
    ['required', 'personal', 'invalid_request'],
    ['optional', 'a b', 'invalid_request'],
    ['optional', 'unknown', 'access_denied'],
    ['required', 'beta', 'access_denied'],
  ])('with the setting %s and the organisation %s gets %s', async (mode, organization, error) => {
    const { browser } = await newUser(acme)
    const application = { none, optional, required }[mode] ?? none
    const ids: Record<string, string> = { acme, beta }
    const { back } = await visit(browser, application, { organization: ids[organization] ?? organization })
    expect(back.searchParams.get('error')).toBe(error)
  })

  it('refuses an unknown organisation and one of strangers with the same words', async () => {
    const { browser } = await newUser(acme)
    const answers = await Promise.all(
      [freshId(), beta].map(async (organization) => (await visit(browser, optional, { organization })).back),
    )
    const [one, other] = answers.map(({ searchParams }) => searchParams.get('error_description'))
    expect(one).toBe(other)
  })

  it('refuses users without an organisation if it requires one, and asks nobody else', async () => {
    const { browser } = await newUser()
    const { back } = await visit(browser, required)
    expect(back.searchParams.get('error_description')).toBe(
      'the application requires an organization, and the user is a member of none',
    )
    const visited = await visit(browser, optional)
    expect(visited.pages).toEqual([])
    expect(organizationIn((await redeem(app, optional, visited)).id_token)).toBeUndefined()
  })

  it('needs no further round trip for a silent sign-in, a switch, a code or a refresh with an API', async () => {
    const { browser } = await newUser(acme, beta)
    const request = { scope: 'openid offline_access read', resource: api.indicator }
    await visit(browser, optional, { ...request, organization: acme })
    const least = async (call: () => Promise<unknown>) => {
      const counts: number[] = []
      // A run may refresh cached values.
      for (let run = 0; run < 3; run++) {
        app.trips()
        await call()
        counts.push(app.trips().awaited)
      }
      return Math.min(...counts)
    }
    expect(await least(() => visit(browser, optional, { ...request, prompt: 'none' }))).toBe(2)
    const targets = [beta, acme, beta]
    const switching = () =>
      visit(browser, optional, { ...request, organization: targets.pop() ?? '', prompt: 'none' })
    expect(await least(switching)).toBe(2)
    const visits = [0, 1, 2].map(() => visit(browser, optional, request))
    const visited = await Promise.all(visits)
    const codes = [...visited]
    const form = { resource: api.indicator }
    const redeemNext = async () => {
      const next = codes.pop()
      return next && redeem(app, optional, next, form)
    }
    expect(await least(redeemNext)).toBe(2)
    const tokens = await redeem(app, optional, await visit(browser, optional, request), form)
    expect(await least(() => refreshTokens(app, optional, tokens, form))).toBe(2)
  })

  it('shows on the page of a device for which organisation it is connected', async () => {
    const television = await newDeviceApplication(operator, { organizationMode: 'required' })
    const { browser } = await newUser(acme)
    const started = await startDevice(app, television, { organization: acme })
    const confirmation = await enterCode(browser, started.user_code)
    const page = await (await browser.get(confirmation.headers.get('location') ?? '')).text()
    expect(page).toMatch(/For <bdi[^>]*>Acme<\/bdi>/)
    await decideOnDevice(browser, confirmation, 'allow')
    const tokens = await poll(app, television, started.device_code)
    expect(organizationIn(tokens.id_token)).toBe(acme)
  })

  it('answers interaction_required to a silent request that needs the choice', async () => {
    const { browser } = await newUser(acme, beta)
    const { back } = await visit(browser, required, { prompt: 'none' })
    expect(back.searchParams.get('error')).toBe('interaction_required')
  })

  it('asks again with prompt=select_organization', async () => {
    const { browser } = await newUser(acme, beta)
    await visit(browser, optional, {}, acme)
    const { pages, ...rest } = await visit(browser, optional, { prompt: 'select_organization' }, 'personal')
    expect(pages).toEqual(['/organization'])
    expect(organizationIn((await redeem(app, optional, { pages, ...rest })).id_token)).toBeUndefined()
  })

  it('asks for consent for each organisation as a third party', async () => {
    const { browser, userId } = await newUser(acme, beta)
    const form = { scope: 'openid profile' }
    expect((await visit(browser, thirdParty, form, acme)).pages).toEqual([
      '/organization',
      '/sign-in/consent',
    ])
    expect((await visit(browser, thirdParty, form)).pages).toEqual([])
    const other = await visit(browser, thirdParty, { ...form, organization: beta })
    expect(other.pages).toEqual(['/sign-in/consent'])
    expect(organizationIn((await redeem(app, thirdParty, other)).id_token)).toBe(beta)
    const { results } = await app.env.DB.prepare('select 1 from consents where user_id = ?')
      .bind(userId)
      .all()
    expect(results).toEqual([])
  })

  it('gets the scopes that the user allows it as a third party, without a choice of the organisation', async () => {
    const agent = await newApplication(operator, {
      customClientMetadata: { organizationMode: 'required', isThirdParty: true },
    })
    const { browser } = await newUser(acme)
    const form = { resource: api.indicator, scope: 'openid read' }
    const first = await visit(browser, agent, form)
    const tokens = await redeem(app, agent, first, { resource: api.indicator })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ org_id: acme, scope: 'read' })
    expect([first.pages, (await visit(browser, agent, form)).pages]).toEqual([['/sign-in/consent'], []])
  })

  it('gets the organisations of the user from userinfo, and the name of the current one on request', async () => {
    const { browser } = await newUser(acme, beta)
    const claims = JSON.stringify({ id_token: { org_name: null } })
    const visited = await visit(browser, optional, { organization: acme, claims })
    expect(decodeJwt((await redeem(app, optional, visited)).id_token ?? '').org_name).toBe('Acme')
    const tokens = await redeem(
      app,
      optional,
      await visit(browser, optional, { organization: acme, scope: 'openid organizations' }),
    )
    expect(decodeJwt(tokens.id_token ?? '').organizations).toBeUndefined()
    expect(await readUserinfo(app, tokens)).toMatchObject({
      org_id: acme,
      org_name: 'Acme',
      organizations: [
        { id: acme, name: 'Acme', roles: [role] },
        { id: beta, name: 'Beta', roles: [role] },
      ],
    })
  })

  it('of machines gets tokens for the organisations to which it belongs', async () => {
    const machine = await newApplication(operator, { type: 'MachineToMachine', oidcClientMetadata: {} })
    await addMachine(acme, machine.id, [role])
    const ask = (form: Record<string, string>) =>
      askForToken(app, machine, { grant_type: 'client_credentials', ...form })
    const forApi = await ask({ organization: acme, resource: api.indicator, scope: 'read write' })
    expect(decodeJwt(forApi.access_token)).toMatchObject({ org_id: acme, scope: 'read' })
    const forOrganization = await ask({ scope: `reports ${URN}${acme}` })
    expect(decodeJwt(forOrganization.access_token)).toMatchObject({
      aud: URN + acme,
      org_id: acme,
      scope: 'reports',
    })
    expect((await ask({ organization: beta, resource: api.indicator })).error).toBe('access_denied')
    expect((await ask({ resource: URN + beta })).error).toBe('access_denied')
    expect((await ask({ organization: acme, resource: URN + beta })).error).toBe('invalid_request')
  })

  it('tells introspection the organisation of an opaque token', async () => {
    const { browser, userId } = await newUser(acme)
    const tokens = await redeem(app, required, await visit(browser, required))
    const introspect = async () => {
      const response = await app.fetch('/oidc/token/introspection', {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${required.id}:${required.secret}`)}` },
        body: new URLSearchParams({ token: tokens.access_token }),
      })
      return response.json()
    }
    expect(tokens.expires_in).toBe(600)
    expect(await introspect()).toMatchObject({ active: true, org_id: acme })
    await removeMembership(acme, userId)
    expect(await introspect()).toEqual({ active: false })
  })
})

describe('an agent with a metadata document', () => {
  it('gets the organisation that its user chooses on the same page', async () => {
    const site = publish({ [AGENT]: () => Response.json(agentDocument) })
    onTestFinished(site.restore)
    const app = await appForAgents()
    const { client: browser, userId } = await storeVisitor(app)
    const acme = await storeOrganization()
    await storeMembership({ organizationId: acme, userId, roleIds: [] })
    const agent = { id: AGENT, secret: '' }
    const { pages, back, verifier } = await visit(browser, agent, { redirect_uri: AGENT_BACK }, acme)
    expect(pages).toEqual(['/organization', '/sign-in/consent'])
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: AGENT,
      code: back.searchParams.get('code') ?? '',
      code_verifier: verifier,
      redirect_uri: AGENT_BACK,
    })
    const tokens = await (await app.fetch('/oidc/token', { method: 'POST', body })).json()
    expect(organizationIn((tokens as { id_token?: string }).id_token)).toBe(acme)
  })
})
