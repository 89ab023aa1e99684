import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { DEMO_APP_ID } from '../../src/contract/product.ts'
import { accountTasks } from '../../src/domain/account/account-link.ts'
import { findFormAction } from '../../src/web/account/pages.ts'
import { type AccountVisitor, ageSignIn, locationOf, proveSignIn } from '../kit/account-centre.ts'
import { createPasskey } from '../kit/authenticator.ts'
import { authorizationRequest, freshName, newCookieClient, ORIGIN } from '../kit/clients/cookie-client.ts'
import { codeTo, freshEmail, wrongCode } from '../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { RP_ID } from '../kit/clients/passkey-client.ts'
import { codeOf } from '../kit/second-factor.ts'
import { storeVisitor } from '../kit/stored-session.ts'
import { pairsOf } from '../kit/sweep.ts'
import { openTenant } from '../kit/tenant-fixture.ts'
import { everyMethod, setExperience, setTenantSettings } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'

/** Applications link to pages of the account centre, which redirect back to them (spec/account-centre#linking). */

const HOME = 'https://shop.example.com/account?tab=security'
const CALLBACK = 'https://shop.example.com/callback'
const BYE = 'https://shop.example.com/bye'
const LOOPBACK = 'http://127.0.0.1/back'
const SCHEME = 'com.example.app://back'

let app: TestApp
let operator: Operator
let ids: Record<'shop' | 'native' | 'partner' | 'machine' | 'foreign', string>
let visitor: AccountVisitor

beforeAll(async () => {
  await setExperience(openTestApp(), { methods: everyMethod })
  await setTenantSettings(openTestApp(), {
    accountCentre: { enabled: true },
    passkeys: { enabled: true, rpId: RP_ID, manageUrl: null, offer: false },
    secondFactor: { policy: 'optional' },
  })
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
  const foreign = await openTenant(app, 'links-beta')
  ids = {
    shop: await register(operator, 'Corner Shop', [HOME, CALLBACK]),
    native: await register(operator, 'Pocket', [LOOPBACK, SCHEME], { type: 'Native' }),
    partner: await register(operator, 'Partner', [HOME], { customClientMetadata: { isThirdParty: true } }),
    machine: await register(operator, 'Robot', [HOME], { type: 'MachineToMachine' }),
    foreign: await register(foreign.operator, 'Elsewhere', [HOME]),
  }
  visitor = await storeVisitor(app)
}, 60_000)

async function register(
  { send }: Operator,
  name: string,
  redirectUris: string[],
  more = {},
): Promise<string> {
  const oidcClientMetadata = {
    redirectUris,
    postLogoutRedirectUris: redirectUris.includes(CALLBACK) ? [BYE] : [],
  }
  const answer = await send('POST', '/applications', { name, type: 'SPA', oidcClientMetadata, ...more })
  return ((await answer.json()) as { id: string }).id
}

const linkTo = (path: string, parameters: Record<string, string>) =>
  `${path}?${new URLSearchParams(parameters)}`
const shopLink = (path: string, more = {}) =>
  linkTo(path, { client_id: ids.shop, redirect_uri: HOME, state: 'a&b', ...more })

const attributeOf = (html: string, name: string) =>
  (new RegExp(`${name}="([^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** Returns the URL of the link back to the application. */
const backOn = (html: string) =>
  /href="([^"]+)"><svg[^>]*><path[^>]*><\/path><\/svg>Back to /.exec(html)?.[1]?.replaceAll('&amp;', '&') ??
  null
const textOf = async (path: string) => (await visitor.client.get(path)).text()
const formTargets = (answer: Response) =>
  /form-action ([^;]+)/.exec(answer.headers.get('content-security-policy') ?? '')?.[1]

describe('an invalid link to the account centre', () => {
  type Case = { how: string; redirect: string; client?: keyof typeof ids | ''; more?: string }
  const cases: Case[] = [
    { how: 'an address of another application', redirect: LOOPBACK },
    { how: 'an address below a registered one', redirect: `${CALLBACK}/more` },
    { how: 'a registered address with another query', redirect: `${CALLBACK}?more=1` },
    { how: 'the prefix of a registered address', redirect: 'https://shop.example.com/' },
    { how: 'a registered address with a fragment', redirect: `${CALLBACK}#more` },
    { how: 'a registered address in capitals', redirect: CALLBACK.replace('shop', 'SHOP') },
    {
      how: 'a host that begins with a registered one',
      redirect: 'https://shop.example.com.evil.example/callback',
    },
    { how: 'an address with user information', redirect: 'https://shop.example.com@evil.example/callback' },
    {
      how: 'the registered address with user information',
      redirect: 'https://a:b@shop.example.com/callback',
    },
    { how: 'a javascript: address', redirect: 'javascript:alert(1)' },
    { how: 'a data: address', redirect: 'data:text/html,hello' },
    { how: 'an address without a scheme', redirect: '//shop.example.com/callback' },
    { how: 'one of our own paths', redirect: '/account' },
    { how: 'an address with backslashes', redirect: 'https:\\\\shop.example.com\\callback' },
    { how: 'an address with a line break', redirect: `${CALLBACK}\r\nset-cookie: a=b` },
    {
      how: 'another port if the application is not native',
      redirect: 'https://shop.example.com:8443/callback',
    },
    { how: 'no redirect URI', redirect: '' },
    { how: 'a second redirect URI', redirect: HOME, more: '&redirect_uri=https%3A%2F%2Fevil.example' },
    { how: 'a second client', redirect: HOME, more: `&client_id=${DEMO_APP_ID}` },
    { how: 'a state that is too long for a cookie', redirect: HOME, more: `&state=${'a'.repeat(2_048)}` },
    { how: 'no client', client: '', redirect: HOME },
    { how: 'an application of another tenant', client: 'foreign', redirect: HOME },
    { how: 'a machine-to-machine application', client: 'machine', redirect: HOME },
    {
      how: 'a loopback address with another path',
      client: 'native',
      redirect: 'http://127.0.0.1:4711/other',
    },
    { how: 'another loopback host', client: 'native', redirect: 'http://localhost:4711/back' },
    {
      how: 'a host that begins with a loopback address',
      client: 'native',
      redirect: 'http://127.0.0.1.evil.example/back',
    },
    {
      how: 'a loopback address with user information',
      client: 'native',
      redirect: 'http://127.0.0.1:1@evil.example/back',
    },
    { how: 'another host with the scheme of an app', client: 'native', redirect: 'com.example.app://evil' },
  ]

  type Way = { by: string; send(path: string, name: string): Promise<Response> }
  const ways: Way[] = [
    { by: 'a browser without a session', send: (path) => newCookieClient(app).get(path) },
    { by: 'the user', send: (path) => visitor.client.get(path) },
    { by: 'a form', send: (path, name) => visitor.client.post(path, { intent: 'save', name }) },
  ]
  it.each(pairsOf(env.TEST_SWEEP, cases, ways).map(([each, way]) => ({ ...each, ...way })))(
    'is rejected and has no effect if it is requested by $by and has $how',
    async ({ redirect, client = 'shop', more = '', send: request }) => {
      const parameters = {
        ...(client && { client_id: ids[client] }),
        ...(redirect && { redirect_uri: redirect }),
      }
      const path = linkTo('/account/profile', parameters) + more
      const name = freshName()
      const answer = await request(path, name)
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      expect(formTargets(answer)).toMatch(/^'self'(?: http:\/\/localhost:8787)?$/)
      const html = await answer.text()
      expect(html).toContain('oidc.invalid_redirect_uri')
      expect(backOn(html)).toBeNull()
      expect(await textOf('/account/profile')).not.toContain(name)
    },
  )

  it.each(['', 'nobody', 'account-centre', 'management', 'a'.repeat(200)])(
    'is rejected if its client is "%s"',
    async (id) => {
      const answer = await visitor.client.get(linkTo('/account', { client_id: id, redirect_uri: HOME }))
      expect(answer.status).toBe(400)
    },
  )
})

it.each([
  { client: 'shop', redirect: HOME, allowed: true },
  { client: 'shop', redirect: `${CALLBACK}?more=1`, allowed: false },
  { client: 'native', redirect: SCHEME, allowed: true },
  { client: 'native', redirect: LOOPBACK, allowed: true },
  { client: 'native', redirect: 'http://127.0.0.1:4711/back', allowed: true },
  { client: 'native', redirect: 'http://localhost:4711/back', allowed: false },
  { client: 'native', redirect: 'https://127.0.0.1:4711/back', allowed: false },
  { client: 'shop', redirect: 'https://shop.example.com:443/callback', allowed: false },
] as const)(
  'the account centre compares the redirect URI $redirect as the authorization endpoint does',
  async ({ client, redirect, allowed }) => {
    const { url } = await authorizationRequest({ client_id: ids[client], redirect_uri: redirect })
    const response = await newCookieClient(app).get(url)
    const linked = await visitor.client.get(
      linkTo('/account', { client_id: ids[client], redirect_uri: redirect }),
    )
    expect([response.status !== 400, linked.status === 200]).toEqual([allowed, allowed])
  },
)

describe('the redirect back to the application', () => {
  it('survives a sign-in, a rejected form and a code for another verification, without JavaScript', async () => {
    const path = shopLink('/account/email')
    const client = newCookieClient(app)
    const redirect = await client.get(path)
    const { username } = visitor
    const back = await proveSignIn(client, await client.get(locationOf(redirect)), { username })
    expect(locationOf(await client.get(back))).toBe(path)
    const page = await client.get(path)
    expect(formTargets(page)).toBe("'self' https://shop.example.com")
    const html = await page.text()
    expect(backOn(html)).toBe(`${HOME}&account_result=cancelled&state=a%26b`)
    const action =
      /<form class="account-card[^>]* action="(\/account\/email[^"]*)"/
        .exec(html)?.[1]
        ?.replaceAll('&amp;', '&') ?? ''
    expect(action).toBe(path)

    const refused = await client.post(action, { intent: 'send', identifier: 'nothing' })
    expect([refused.status, formTargets(refused)]).toEqual([422, "'self' https://shop.example.com"])
    expect(backOn(await refused.text())).toBe(`${HOME}&account_result=cancelled&state=a%26b`)

    await ageSignIn(app, client, 11 * 60)
    const email = freshEmail()
    const old = await client.post(action, { intent: 'send', identifier: email })
    expect(new URL(locationOf(old), ORIGIN).pathname).toBe('/oidc/auth')
    const proved = await proveSignIn(client, await client.get(locationOf(old)), { username })
    expect(locationOf(await client.get(proved))).toBe(path)
    expect(await (await client.get(path)).text()).toContain(`value="${email}"`)

    const sent = await client.post(action, { intent: 'send', identifier: email })
    const next = locationOf(sent)
    expect(next).toBe(shopLink('/account/email/code'))
    expect(await (await client.get(next)).text()).toContain(action.replaceAll('&', '&amp;'))
    const code = await codeTo(app, { email })
    expect((await client.post(next, { intent: 'prove', code_0: wrongCode(code) })).status).toBe(400)
    expect(locationOf(await client.post(next, { intent: 'resend' }))).toBe(next)
    await client.get(next)
    const done = await client.post(next, { intent: 'prove', code_0: await codeTo(app, { email }) })
    expect([done.status, locationOf(done)]).toEqual([303, `${HOME}&account_result=completed&state=a%26b`])
    expect([client.cookies.has('_account_flash'), client.cookies.has('_account_address')]).toEqual([
      false,
      false,
    ])
  })

  it.each([
    {
      client: 'shop',
      redirect: BYE,
      to: `${BYE}?account_result=completed`,
      target: 'https://shop.example.com',
    },
    {
      client: 'native',
      redirect: SCHEME,
      to: `${SCHEME}?account_result=completed`,
      target: 'com.example.app:',
    },
    {
      client: 'native',
      redirect: 'http://127.0.0.1:4711/back',
      to: 'http://127.0.0.1:4711/back?account_result=completed',
      target: 'http://127.0.0.1:4711',
    },
    // The result is not sent to a third party.
    { client: 'partner', redirect: HOME, to: HOME, target: 'https://shop.example.com' },
  ] as const)('goes to $to for the application "$client"', async ({ client, redirect, to, target }) => {
    const path = linkTo('/account/profile', { client_id: ids[client], redirect_uri: redirect })
    const page = await visitor.client.get(path)
    expect(formTargets(page)).toBe(`'self' ${target}`)
    expect(backOn(await page.text())).toBe(to.replace('completed', 'cancelled'))
    const done = await visitor.client.post(path, { intent: 'save', name: 'Ada' })
    expect([done.status, done.headers.get('location')]).toEqual([303, to])
  })

  it('happens after a passkey or an authenticator app is added', async () => {
    const { client } = visitor
    const path = shopLink('/account/passkeys/new')
    const html = await textOf(path)
    expect(html).toContain(shopLink('/account/factors/app').replaceAll('&', '&amp;'))
    const options = JSON.parse(attributeOf(html, 'data-passkey'))
    const { attestation } = await createPasskey(options, { origin: app.origin })
    const form = { intent: 'create', attestation: JSON.stringify(attestation) }
    const made = await client.post(path, form)
    expect([made.status, locationOf(made)]).toEqual([303, `${HOME}&account_result=completed&state=a%26b`])

    const setUp = shopLink('/account/factors/app')
    const other = await storeVisitor(app)
    const page = await (await other.client.get(setUp)).text()
    const secret = (/class="factor-text"[^>]*>([A-Z2-7 ]+)</.exec(page)?.[1] ?? '').replaceAll(' ', '')
    const enrolment = attributeOf(page, 'name="enrolment" value')
    const totpCode_0 = await codeOf(secret)
    const codes = await other.client.post(setUp, { intent: 'enrol', enrolment, totpCode_0 })
    // The backup codes are shown only once, so the browser is not redirected automatically.
    const codesPage = await codes.text()
    const completed = `href="${HOME}&amp;account_result=completed&amp;state=a%26b"`
    expect([codes.status, codesPage.split(completed).length, codesPage.includes('cancelled')]).toEqual([
      200,
      3,
      false,
    ])
  })

  it('is only a link, without a result, on a page with several actions', async () => {
    const page = shopLink('/account/browsers')
    expect(backOn(await textOf(page))).toBe(`${HOME}&state=a%26b`)
    const done = await visitor.client.post(page, { intent: 'forgetAll' })
    expect([done.status, locationOf(done)]).toEqual([303, page])
    expect(await textOf(page)).toContain('role="status"')
  })

  it('happens immediately if the account centre page is unavailable', async () => {
    const keep = (fields: object, more = {}) =>
      setTenantSettings(app, {
        accountCentre: { enabled: true, fields },
        passkeys: { enabled: true, rpId: RP_ID, manageUrl: null, offer: false },
        secondFactor: { policy: 'optional' },
        ...more,
      })
    const unavailable = `${HOME}&account_result=unavailable&state=a%26b`
    const opened = async (path: string, client = newCookieClient(openTestApp())) => {
      const answer = await client.get(shopLink(path))
      return [answer.status, locationOf(answer)]
    }
    const asVisitor = () => {
      const client = newCookieClient(openTestApp())
      for (const [name, cookie] of visitor.client.cookies) client.cookies.set(name, cookie)
      return client
    }
    await keep({ email: 'off', phone: 'readOnly', password: 'readOnly', passkeys: 'off', sessions: 'off' })
    for (const page of ['email', 'email/code', 'phone', 'password', 'passkeys/new', 'sessions'])
      expect([page, ...(await opened(`/account/${page}`))]).toEqual([page, 302, unavailable])
    await keep({ name: 'off', username: 'off', profile: 'readOnly' })
    expect(await opened('/account/profile')).toEqual([302, unavailable])
    // The user can still change other fields of the profile.
    await keep({ name: 'off', username: 'off' })
    expect((await opened('/account/profile', asVisitor()))[0]).toBe(200)
    // Uploads and passkeys are not configured, but the server detects this only after the sign-in.
    await keep({}, { passkeys: { enabled: false, rpId: RP_ID, manageUrl: null, offer: false } })
    for (const page of ['picture', 'passkeys/new'])
      expect([page, ...(await opened(`/account/${page}`, asVisitor()))]).toEqual([page, 302, unavailable])

    // Without a link, or with a link for a third party or to an unregistered URI, users see an error page.
    await keep({ email: 'off' })
    const others = [
      linkTo('/account/email', { client_id: ids.partner, redirect_uri: HOME }),
      linkTo('/account/email', { client_id: ids.shop, redirect_uri: 'https://evil.example' }),
      '/account/email',
    ]
    for (const path of others) {
      const answer = await newCookieClient(openTestApp()).get(path)
      expect([answer.status >= 400, answer.headers.get('location')]).toEqual([true, null])
    }
    await keep({})
  })

  it('happens when the user cancels the sign-in, but not after other errors', async () => {
    const decline = async (path: string, more = {}) => {
      const client = newCookieClient(app)
      const page = new URL(locationOf(await client.get(locationOf(await client.get(path)))), ORIGIN)
      const headers = { Interaction: page.searchParams.get('interaction') ?? '' }
      const cancelled = await client.send('DELETE', '/api/interaction', undefined, { ...headers, ...more })
      const { redirectTo } = (await cancelled.json()) as { redirectTo: string }
      const callback = locationOf(await client.get(redirectTo.replace(ORIGIN, '')))
      expect(callback).toMatch(/^\/account\/callback\?.*error=oidc\.aborted/)
      return { client, callback, answer: await client.get(callback) }
    }
    const { client, callback, answer } = await decline(shopLink('/account/password'))
    expect([answer.status, locationOf(answer)]).toEqual([302, `${HOME}&account_result=cancelled&state=a%26b`])
    // The redirect works only once, and only in the browser that followed the link.
    for (const browser of [client, newCookieClient(app)])
      expect((await browser.get(callback)).headers.get('location')).toBeNull()
    const partner = linkTo('/account/password', { client_id: ids.partner, redirect_uri: HOME })
    expect(locationOf((await decline(partner)).answer)).toBe(HOME)
    const begun = newCookieClient(app)
    const first = locationOf(await begun.get(shopLink('/account/password')))
    const state = new URL(first, ORIGIN).searchParams.get('state')
    const failed = await begun.get(`/account/callback?error=server_error&state=${state}`)
    expect([failed.status, failed.headers.get('location')]).toEqual([400, null])
    const unlinked = await decline('/account/password')
    expect([unlinked.answer.status, unlinked.answer.headers.get('location')]).toEqual([400, null])
    expect(await unlinked.answer.text()).toContain('href="/account"')
  })

  it('does not happen if the redirect URI has been removed from the application', async () => {
    const path = linkTo('/account/password', { client_id: ids.native, redirect_uri: LOOPBACK })
    const client = newCookieClient(app)
    const first = locationOf(await client.get(path))
    const state = new URL(first, ORIGIN).searchParams.get('state')
    const changed = await operator.send('PATCH', `/applications/${ids.native}`, {
      oidcClientMetadata: { redirectUris: [SCHEME], postLogoutRedirectUris: [] },
    })
    expect(changed.status).toBe(200)
    const fresh = newCookieClient(openTestApp())
    for (const [name, cookie] of client.cookies) fresh.cookies.set(name, cookie)
    const answer = await fresh.get(`/account/callback?error=access_denied&state=${state}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(await answer.text()).toContain('oidc.invalid_redirect_uri')
  })

  it('also works for the demo application, which has no database row', async () => {
    const home = `${ORIGIN}/demo-app`
    const page = await visitor.client.get(linkTo('/account', { client_id: DEMO_APP_ID, redirect_uri: home }))
    expect(backOn(await page.text())).toBe(home)
  })
})

it.each(accountTasks)(
  'the task of the linkable page $path can be completed with an existing form',
  ({ endsAt, intent }) => {
    expect(findFormAction(endsAt, intent)).toBeDefined()
  },
)

it('an additional database round trip is needed only for an application’s first link', async () => {
  const path = '/account/profile'
  const fresh = openTestApp({}, { hasCalmDatabase: true })
  const client = newCookieClient(fresh)
  for (const [name, cookie] of visitor.client.cookies) client.cookies.set(name, cookie)
  const tripsOf = async (address: string) => {
    fresh.trips()
    expect((await client.get(address)).status).toBe(200)
    return fresh.trips().awaited
  }
  await client.get(path)
  const link = shopLink(path)
  expect([await tripsOf(path), await tripsOf(link), await tripsOf(link)]).toEqual([1, 2, 1])
})
