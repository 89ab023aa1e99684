import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  PASSWORD,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { asOperator, machineToken, newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'
import {
  atTokenEndpoint,
  authorizationResult,
  basicHeader,
  type ClientApplication,
  codeGrant,
  newClient,
} from '../../security/parties.ts'

/** Tests that only permitted applications can obtain a management token from an administrator's session. */

const MANAGEMENT = 'urn:vestibule:management-api'
const SERVICES = 'urn:vestibule:services'
const demo: ClientApplication = { id: 'demo-app', secret: '', redirectUri: `${ORIGIN}/demo-app` }

let app: TestApp
let operator: Operator
let console: ClientApplication
let shop: ClientApplication
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  console = await newClient(app, 'SPA', { custom: { allowedBuiltInResources: [MANAGEMENT] } })
  shop = await newClient(app, 'SPA', { redirectUri: 'https://other.example/back' })
})

const forManagement = { scope: 'openid all', resource: MANAGEMENT }
const requestOf = (
  { id, redirectUri }: ClientApplication,
  parameters: Record<string, string> = forManagement,
) => authorizationRequest({ client_id: id, redirect_uri: redirectUri, ...parameters })

/** Creates a browser in which an administrator has just signed in to the shop. */
async function administrator(): Promise<{ browser: CookieClient; id: string; username: string }> {
  const username = freshName()
  const created = await operator.send('POST', '/users', { username, password: PASSWORD })
  const { id } = (await created.json()) as { id: string }
  await operator.send('POST', '/roles/admin-role/users', { userIds: [id] })
  const browser = newCookieClient(app)
  const uid = await openSignInPage(browser, await requestOf(shop, {}))
  await resumeAuthorization(browser, await signIn(browser, uid, username))
  return { browser, id, username }
}

/** Makes an authorization request with `prompt=none`, and returns its code or its error. */
async function silently(browser: CookieClient, client: ClientApplication, more: Record<string, string> = {}) {
  const request = await requestOf(client, { ...forManagement, prompt: 'none', ...more })
  const answer = await browser.get(request.url)
  const { searchParams } = new URL(answer.headers.get('location') ?? '')
  return { request, error: searchParams.get('error'), code: searchParams.get('code') ?? '' }
}

async function ageSignIn(userId: string, seconds: number): Promise<void> {
  await app.env.DB.prepare(
    `update oidc_model_instances set payload = json_set(payload,
      iif(model_name = 'Session', '$.loginTs', '$.authTime'),
      coalesce(payload ->> '$.loginTs', payload ->> '$.authTime') - ?)
     where account_id = ? and model_name in ('Session', 'RefreshToken')`,
  )
    .bind(seconds, userId)
    .run()
}

describe('a management token for a signed-in administrator', () => {
  it('[ASVS-8.2.1-3] is not issued to the demo application or to applications without the permission', async () => {
    const { browser } = await administrator()
    for (const client of [demo, shop]) {
      for (const resource of [MANAGEMENT, SERVICES]) {
        expect((await silently(browser, client, { resource })).error).toBe('invalid_target')
        const { to } = await authorizationResult(app, client, { ...forManagement, resource })
        expect(to?.searchParams.get('error')).toBe('invalid_target')
      }
    }
    expect((await silently(browser, console, { resource: SERVICES })).error).toBe('invalid_target')
  })

  it('is issued to an application with the permission, and stops working when the permission is removed', async () => {
    const client = await newClient(app, 'SPA', { custom: { allowedBuiltInResources: [MANAGEMENT] } })
    const { browser } = await administrator()
    const { request, code } = await silently(browser, client)
    const grant = { ...codeGrant(client, { code, request }), resource: MANAGEMENT }
    const { tokens } = await atTokenEndpoint(app, grant)
    const user = asOperator(app, tokens.access_token)
    expect((await user.get('/users')).status).toBe(200)

    await operator.send('PATCH', `/applications/${client.id}`, {
      customClientMetadata: { allowedBuiltInResources: [SERVICES] },
    })
    expect((await user.get('/users')).status).toBe(403)
  })

  it('[ASVS-8.2.1-4] requires a sign-in within the last hour', async () => {
    const { browser, id, username } = await administrator()
    await ageSignIn(id, 3_500)
    expect((await silently(browser, console)).code).not.toBe('')
    await ageSignIn(id, 200)
    expect((await silently(browser, console)).error).toBe('login_required')
    // Other resources and applications continue to use the session.
    expect((await silently(browser, console, { scope: 'openid', resource: '' })).code).not.toBe('')

    const request = await requestOf(console)
    const page = new URL((await browser.get(request.url)).headers.get('location') ?? '', ORIGIN)
    expect(page.pathname).toBe('/sign-in/account')
    const uid = page.searchParams.get('interaction') ?? ''
    const back = await resumeAuthorization(browser, await signIn(browser, uid, username))
    expect(back.searchParams.get('code')).toBeTruthy()
  })

  it('[ASVS-8.2.1-5] can be refreshed only within an hour after the sign-in', async () => {
    const { browser, id } = await administrator()
    const request = await requestOf(console, {
      resource: MANAGEMENT,
      scope: 'openid all offline_access',
      prompt: 'consent',
    })
    const uid = await openSignInPage(browser, request)
    const consented = await browser.send('POST', '/api/interaction/consent', undefined, { Interaction: uid })
    const code = (await resumeAuthorization(browser, consented)).searchParams.get('code') ?? ''
    const redeemed = await atTokenEndpoint(app, codeGrant(console, { code, request }))
    const refresh = (token = '', resource = '') =>
      atTokenEndpoint(app, {
        grant_type: 'refresh_token',
        client_id: console.id,
        refresh_token: token,
        ...(resource && { resource }),
      })

    const { tokens: fresh } = await refresh(redeemed.tokens.refresh_token, MANAGEMENT)
    expect((await asOperator(app, fresh.access_token).get('/users')).status).toBe(200)
    await ageSignIn(id, 3_601)
    expect((await refresh(fresh.refresh_token, MANAGEMENT)).tokens.error).toBe('invalid_target')
    const { results } = await app.env.DB.prepare(
      "select id from oidc_model_instances where model_name = 'RefreshToken' and account_id = ? and consumed_at is null",
    )
      .bind(id)
      .all()
    expect(results.length).toBe(1)
    expect((await refresh(fresh.refresh_token)).status).toBe(200)
  })
})

describe('a list of allowed resources', () => {
  const own = ['https://one.example/api', 'https://two.example/api'] as const
  beforeAll(async () => {
    for (const indicator of own) await operator.send('POST', '/resources', { name: 'API', indicator })
  })

  it('[RFC9700-2.3-4] restricts an application that could otherwise request any of the tenant’s resources', async () => {
    const limited = await newClient(app, 'SPA', { custom: { allowedResources: [own[0]] } })
    const { browser } = await administrator()
    const error = async (client: ClientApplication, resource: string) =>
      (await silently(browser, client, { scope: 'openid', resource })).error
    expect([await error(limited, own[0]), await error(limited, own[1])]).toEqual([null, 'invalid_target'])
    expect([await error(shop, own[0]), await error(shop, own[1])]).toEqual([null, null])
  })

  it('also restricts a machine-to-machine application, but not its access to built-in resources through roles', async () => {
    const created = await operator.send('POST', '/applications', {
      name: 'Robot',
      type: 'MachineToMachine',
      customClientMetadata: { allowedResources: [own[0]] },
    })
    const { id } = (await created.json()) as { id: string }
    const promoted = await operator.send('PATCH', `/applications/${id}`, { isAdmin: true })
    const robot = (await promoted.json()) as ClientApplication
    const ask = (resource: string) =>
      atTokenEndpoint(app, { grant_type: 'client_credentials', resource }, basicHeader(robot))
    expect((await ask(own[0])).status).toBe(200)
    expect((await ask(own[1])).tokens.error).toBe('invalid_target')
    const token = await machineToken(app, robot)
    expect((await asOperator(app, token).get('/users')).status).toBe(200)
  })
})
