import { beforeAll, describe, expect, it } from 'vitest'
import type { AcceptedPasskeys } from '../../../src/contract/passkeys/passkeys.ts'
import { DEMO_APP_ID } from '../../../src/contract/product.ts'
import { answerAt } from '../../journeys/social/upstream-sign-in.ts'
import {
  type AccountVisitor,
  ageSignIn,
  locationOf,
  proveSignIn,
  visitAccount,
} from '../../kit/account-centre.ts'
import { createPasskey } from '../../kit/authenticator.ts'
import {
  type CookieClient,
  newCookieClient,
  ORIGIN,
  PASSWORD,
  resumeAuthorization,
} from '../../kit/clients/cookie-client.ts'
import { freshEmail, receivedMessages } from '../../kit/clients/interaction-client.ts'
import { RP_ID } from '../../kit/clients/passkey-client.ts'
import { comeBack, installUpstream, newProviderAccount } from '../../kit/clients/social-client.ts'
import { compressedSize } from '../../kit/compressed-size.ts'
import { openInterruptedApp } from '../../kit/racing-app.ts'
import { codeOf, forgetUsedSteps, TWO_FACTORS } from '../../kit/second-factor.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTenant } from '../../kit/tenant-fixture.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests the account centre pages on which users manage their credentials and second factors
 * (spec/account-centre#sign-in-and-security).
 */

const settings = {
  accountCentre: { enabled: true },
  passkeys: { enabled: true, rpId: RP_ID, manageUrl: null, offer: false },
}

let app: TestApp
beforeAll(async () => {
  await setTenantSettings(openTestApp(), { ...settings, secondFactor: { policy: 'optional' } })
  await installUpstream(openTestApp({}, { hasCalmDatabase: true }), ['oidc', 'oidcFormPost', 'oidcFragment'])
  app = openTestApp({}, { hasCalmDatabase: true })
})

/** Returns the value of an attribute. */
function attributeOf(html: string, name: string): string {
  const [, escaped = ''] = new RegExp(`${name}="([^"]*)"`).exec(html) ?? []
  return escaped.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

const textOf = async (client: CookieClient, path: string) => (await client.get(path)).text()

/** Creates a passkey in the same way as the page's script. */
async function makePasskey(client: CookieClient, path = '/account/passkeys/new', of = client) {
  const options = JSON.parse(attributeOf(await textOf(of, path), 'data-passkey'))
  const { attestation } = await createPasskey(options, { origin: app.origin })
  const form = { intent: 'create', attestation: JSON.stringify(attestation) }
  return { id: attestation.id, answer: await client.post(path, form) }
}

/** Reads the secret on the page that sets up an authenticator app. */
async function invitation(client: CookieClient) {
  const html = await textOf(client, '/account/factors/app')
  const [, secret = ''] = /class="factor-text"[^>]*>([A-Z2-7 ]+)</.exec(html) ?? []
  return { secret: secret.replaceAll(' ', ''), enrolment: attributeOf(html, 'name="enrolment" value') }
}

async function setUpApp(client: CookieClient) {
  const { secret, enrolment } = await invitation(client)
  const form = { intent: 'enrol', enrolment, totpCode_0: await codeOf(secret) }
  const answer = await client.post('/account/factors/app', form)
  return { secret, enrolment, answer, codes: codesOn(await answer.clone().text()) }
}

const codesOn = (html: string) => [...html.matchAll(/<code>([^<]+)<\/code>/g)].map(([, code]) => code)

/** Signs in at the provider with the password and the authenticator app. */
async function proveBoth(client: CookieClient, request: Response, username: string, secret: string) {
  const page = await client.get(locationOf(request))
  const uid = new URL(locationOf(page), ORIGIN).searchParams.get('interaction') ?? ''
  const call = (method: string, path: string, body?: object) =>
    client.send(method, `/api/interaction${path}`, body, { Interaction: uid })
  await call('PUT', '', { event: 'SignIn', identifier: { username, password: PASSWORD } })
  expect((await call('POST', '/submit')).status).toBe(422)
  await forgetUsedSteps(app)
  expect((await call('PATCH', '/identifiers', { totpCode: await codeOf(secret) })).status).toBe(204)
  const { pathname, search } = await resumeAuthorization(client, await call('POST', '/submit'))
  return client.get(pathname + search)
}

/** Marks the session as signed in with two factors, which users with a passkey need. */
const raiseSession = (username: string) =>
  app.env.DB.prepare(
    `update oidc_model_instances set payload = json_set(payload, '$.acr', ?) where model_name = 'Session'
      and json_extract(payload, '$.accountId') = (select id from users where username = ?)`,
  )
    .bind(TWO_FACTORS, username)
    .run()

const auditedOf = async (username: string) => {
  const { results } = await app.env.DB.prepare(
    "select key from logs where json_extract(payload, '$.userId') = (select id from users where username = ?) and key like 'Account.%' order by created_at, rowid",
  )
    .bind(username)
    .all<{ key: string }>()
  return results.map(({ key }) => key)
}

const requestedLevel = (answer: Response) => {
  const { pathname, searchParams } = new URL(locationOf(answer), ORIGIN)
  return [answer.status, pathname, searchParams.get('max_age'), searchParams.get('acr_values')]
}

describe('a passkey', () => {
  it('is created, renamed and removed through forms, with audit entries and notices', async () => {
    const { client, username } = await storeVisitor(app)
    const email = freshEmail()
    await app.env.DB.prepare('update users set primary_email = ? where username = ?')
      .bind(email, username)
      .run()
    const { id, answer } = await makePasskey(client)
    await raiseSession(username)
    expect([answer.status, locationOf(answer)]).toEqual([303, '/account/passkeys'])

    const name = { intent: 'rename', id, [`name-${id}`]: ' Blue <key> ' }
    expect((await client.post('/account/passkeys', name)).status).toBe(303)
    const listed = await textOf(client, '/account/passkeys')
    expect(listed).toContain('Blue &lt;key&gt;')
    const accepted = (html: string) => JSON.parse(attributeOf(html, 'data-accepted')) as AcceptedPasskeys
    expect(accepted(listed)).toMatchObject({ rpId: RP_ID, name: username, credentialIds: [id] })

    expect((await client.post('/account/passkeys', { intent: 'remove', id })).status).toBe(303)
    expect(accepted(await textOf(client, '/account/passkeys')).credentialIds).toEqual([])
    expect(await auditedOf(username)).toEqual([
      'Account.Passkey.Create',
      'Account.Passkey.Update',
      'Account.Passkey.Delete',
    ])
    const notices = await receivedMessages(app, { email })
    expect(notices.map(({ type }) => type).sort()).toEqual([
      'PasskeyAdded',
      'PasskeyRemoved',
      'PasskeyRenamed',
    ])
  })

  it('cannot be removed by two concurrent requests if it is the last way to sign in', async () => {
    const { client, username } = await storeVisitor(app)
    await raiseSession(username)
    const both = [await makePasskey(client), await makePasskey(client)]
    await app.env.DB.prepare(
      'update users set password_encrypted = null, password_encryption_method = null where username = ?',
    )
      .bind(username)
      .run()
    const answers = await Promise.all(
      both.map(({ id }) => client.post('/account/passkeys', { intent: 'remove', id })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422])
    const [left] = [...(await textOf(client, '/account/passkeys')).matchAll(/id="passkey-/g)]
    expect(left).toBeDefined()
  })
})

describe('second factors', () => {
  it('are managed through forms that require both factors and show backup codes only once', async () => {
    const visitor = await storeVisitor(app)
    const { client, username } = visitor
    const first = await invitation(client)
    const wrong = await client.post('/account/factors/app', {
      intent: 'enrol',
      ...first,
      totpCode_0: '12345',
    })
    const refused = await wrong.text()
    expect([wrong.status, refused.includes('aria-invalid="true"')]).toEqual([422, true])
    expect(attributeOf(refused, 'name="enrolment" value')).toBe(first.enrolment)

    const { secret, answer, codes } = await setUpApp(client)
    expect([answer.status, new Set(codes).size]).toEqual([200, 10])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect([...client.cookies.keys()]).not.toContain('_account_flash')
    expect(codesOn(await textOf(client, '/account/factors'))).toEqual([])

    // The user signed in with one factor before setting up the second one.
    const renew = () => client.post('/account/factors', { intent: 'renew' })
    for (const path of [
      '/account/factors/app',
      '/account/factors/key',
      '/account/passkeys/new',
      '/account/password',
    ])
      expect([path, ...requestedLevel(await client.get(path))]).toEqual([
        path,
        302,
        '/oidc/auth',
        '600',
        TWO_FACTORS,
      ])
    const redirect = await renew()
    expect(requestedLevel(redirect)).toEqual([303, '/oidc/auth', '600', TWO_FACTORS])
    const back = await proveBoth(client, redirect, username, secret)
    expect([back.status, locationOf(back)]).toEqual([302, '/account/factors'])
    expect(await textOf(client, '/account/factors')).toContain('role="status"')
    const renewed = codesOn(await (await renew()).text())
    expect([renewed.length, renewed.some((code) => codes.includes(code))]).toEqual([10, false])

    expect((await makePasskey(client, '/account/factors/key')).answer.status).toBe(303)
    expect((await client.post('/account/factors', { intent: 'remove' })).status).toBe(303)
    const audited = ['Factor.Create', 'Factor.Update', 'Factor.Update', 'Passkey.Create', 'Factor.Delete']
    expect((await auditedOf(username)).slice(-4)).toEqual(audited.slice(-4).map((key) => `Account.${key}`))
    const key = /name="id" value="([^"]+)"/.exec(await textOf(client, '/account/factors'))?.[1] ?? ''
    expect((await client.post('/account/factors', { intent: 'removeKey', id: key })).status).toBe(303)
    expect(await textOf(client, '/account/factors')).not.toContain('name="id"')
  })

  it('are hidden if no policy requires one', async () => {
    const { client } = await storeVisitor(app)
    expect(await textOf(client, '/account/sign-in')).toContain('/account/factors')
    await setTenantSettings(app, settings)
    const calm = openTestApp({}, { hasCalmDatabase: true })
    const there = newCookieClient(calm)
    for (const [name, cookie] of client.cookies) there.cookies.set(name, cookie)
    expect(await textOf(there, '/account/sign-in')).not.toContain('/account/factors')
    for (const path of ['/account/factors/app', '/account/factors/key'])
      expect([path, (await there.get(path)).status]).toEqual([path, 422])
    await setTenantSettings(app, { ...settings, secondFactor: { policy: 'optional' } })
  })
})

it.each([
  { path: '/account/passkeys', hasScript: true },
  { path: '/account/passkeys/new', hasScript: true },
  { path: '/account/factors', hasScript: false },
  { path: '/account/factors/app', hasScript: true },
  { path: '/account/factors/key', hasScript: true },
])('$path makes one database round trip and is at most 14 kB', async ({ path, hasScript }) => {
  const { client } = await common()
  await client.get(path)
  app.trips()
  const answer = await client.get(path)
  expect([answer.status, app.trips()]).toEqual([200, { awaited: 1, afterwards: 0 }])
  const html = await answer.text()
  expect(compressedSize(html)).toBeLessThanOrEqual(14_000)
  expect(html.includes('<script')).toBe(hasScript)
})

let visiting: Promise<AccountVisitor> | undefined
const common = () => (visiting ??= storeVisitor(app))

describe('another user', () => {
  type Form = { path: string; form: Record<string, string>; status: number }

  /** Returns forms that refer to another user's credentials. */
  async function foreignForms(owner: AccountVisitor, stranger: AccountVisitor): Promise<Form[]> {
    await raiseSession(owner.username)
    const { id } = await makePasskey(owner.client)
    const key = await makePasskey(owner.client, '/account/factors/key')
    const browser =
      /name="id" value="([^"]+)"/.exec(await textOf(owner.client, '/account/browsers'))?.[1] ?? ''
    const { secret, enrolment } = await invitation(owner.client)
    const totpCode_0 = await codeOf(secret)
    const options = JSON.parse(
      attributeOf(await textOf(owner.client, '/account/passkeys/new'), 'data-passkey'),
    )
    const { attestation } = await createPasskey(options, { origin: app.origin })
    expect(stranger.username).not.toBe(owner.username)
    return [
      { path: '/account/passkeys', form: { intent: 'rename', id, [`name-${id}`]: 'Mine' }, status: 404 },
      { path: '/account/passkeys', form: { intent: 'remove', id }, status: 404 },
      { path: '/account/factors', form: { intent: 'removeKey', id: key.id }, status: 404 },
      { path: '/account/browsers', form: { intent: 'forget', id: browser }, status: 404 },
      { path: '/account/identities', form: { intent: 'unlink', id: 'google' }, status: 404 },
      { path: '/account/factors/app', form: { intent: 'enrol', enrolment, totpCode_0 }, status: 404 },
      {
        path: '/account/passkeys/new',
        form: { intent: 'create', attestation: JSON.stringify(attestation) },
        status: 422,
      },
    ]
  }

  it('cannot change the owner’s credentials, even across tenants and sites', async () => {
    const owner = await storeVisitor(app)
    await app.env.DB.prepare(`update users set identities = '{"google":{"userId":"ada"}}' where username = ?`)
      .bind(owner.username)
      .run()
    const stranger = await common()
    const forms = await foreignForms(owner, stranger)
    const send = async (client: CookieClient, headers?: Record<string, string>) =>
      Promise.all(forms.map(async ({ path, form }) => client.post(path, form, headers)))
    const before = await ownedBy(owner)

    const refused = await send(stranger.client)
    expect(refused.map(({ status }) => status)).toEqual(forms.map(({ status }) => status))
    const crossSite = await send(owner.client, {
      'sec-fetch-site': 'cross-site',
      origin: 'https://evil.example',
    })
    expect(new Set(crossSite.map(({ status }) => status))).toEqual(new Set([403]))

    const signIn = [303, '/oidc/auth', null, null]
    for (const answer of await send(newCookieClient(app))) expect(requestedLevel(answer)).toEqual(signIn)
    const beta = await openTenant(app, 'credentials-beta')
    const there = newCookieClient(beta.site)
    for (const [name, cookie] of owner.client.cookies) there.cookies.set(name, cookie)
    for (const answer of await send(there)) expect(requestedLevel(answer)).toEqual(signIn)

    await ageSignIn(app, owner.client, 11 * 60)
    const proof = [303, '/oidc/auth', '600', TWO_FACTORS]
    const harmless = ['rename', 'forget']
    for (const { path, form } of forms.filter(({ form }) => !harmless.includes(form.intent ?? '')))
      expect([path, ...requestedLevel(await owner.client.post(path, form))]).toEqual([path, ...proof])
    expect(await ownedBy(owner)).toEqual(before)
  })

  const ownedBy = async ({ username }: AccountVisitor) =>
    app.env.DB.prepare(
      `select identities, (select group_concat(name || credential_id) from passkeys where user_id = users.id) as passkeys,
        (select count(*) from totp_factors where user_id = users.id) as apps,
        (select count(*) from trusted_browsers where user_id = users.id) as browsers from users where username = ?`,
    )
      .bind(username)
      .first()
})

describe('linking an account at a provider', () => {
  const IDENTITIES = '/account/identities'
  /** Signs in at the provider and returns the path to which the provider's response redirects. */
  async function answerOf(
    client: CookieClient,
    providerAccount: { id: string } | null,
    { id = 'oidc', search = '' } = {},
  ): Promise<string> {
    const page = await client.post(IDENTITIES + search, { intent: 'link', id })
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toContain('http-equiv="refresh"')
    const uri = attributeOf(html.slice(html.indexOf('class="passing-link"')), '<a href')
    const back = await comeBack(client, await answerAt(uri, providerAccount))
    expect(back.pathname).toBe(`${IDENTITIES}/answer/${id}`)
    return back.pathname + back.search
  }
  const isLinked = async (client: CookieClient) =>
    (await textOf(client, IDENTITIES)).includes('value="unlink"')

  it.each(['oidcFormPost', 'oidcFragment'])('works with a response from %s', async (id) => {
    const { client } = await storeVisitor(app)
    const answer = await answerOf(client, await newProviderAccount(), { id })
    const linked = await client.get(answer)
    expect([linked.status, locationOf(linked), await isLinked(client)]).toEqual([303, IDENTITIES, true])
  })

  it('requires JavaScript only if the response is in the URL fragment', async () => {
    const { client } = await storeVisitor(app)
    await client.post(IDENTITIES, { intent: 'link', id: 'oidcFragment' })
    const back = await client.get('/callback/oidcFragment')
    expect(locationOf(back)).toBe(`${IDENTITIES}/answer/oidcFragment?`)
    const page = await client.get(locationOf(back))
    const html = await page.text()
    expect([page.status, html.includes('data-answer="oidcFragment"'), /<script[^>]+src=/.test(html)]).toEqual(
      [200, true, true],
    )
    expect(client.cookies.has('_account_link')).toBe(true)
    // No account is being linked in another browser, so there the response is treated as a sign-in.
    expect(locationOf(await newCookieClient(app).get('/callback/oidcFragment'))).toBe(
      '/sign-in/social/oidcFragment?',
    )
  })

  it('keeps the link back to the application after a rejected response and a new sign-in', async () => {
    const { client, username } = await storeVisitor(app)
    const search = `?${new URLSearchParams({ client_id: DEMO_APP_ID, redirect_uri: `${app.origin}/demo-app`, state: 'a' })}`
    const denied = await client.get(await answerOf(client, null, { search }))
    const html = await denied.text()
    expect([denied.status >= 400, html.includes(`href="${app.origin}/demo-app?state=a"`)]).toEqual([
      true,
      true,
    ])
    const late = await answerOf(client, await newProviderAccount(), { search })
    await ageSignIn(app, client, 11 * 60)
    const redirect = await client.get(late)
    const proved = await proveSignIn(client, await client.get(locationOf(redirect)), { username })
    expect(locationOf(await client.get(proved))).toBe(IDENTITIES + search)
  })

  it('requires a new sign-in if the session was revoked meanwhile, without revealing the identity', async () => {
    const visitor = await storeVisitor(app)
    const answer = await answerOf(visitor.client, await newProviderAccount())
    const linkElsewhere = () =>
      app.env.DB.prepare(
        `update users set revoked_at = 1, identities = '{"oidc":{"userId":"1"}}' where username = ?`,
      )
        .bind(visitor.username)
        .run()
    const client = newCookieClient(openInterruptedApp('Account.Identity.Create', linkElsewhere))
    for (const [name, cookie] of visitor.client.cookies) client.cookies.set(name, cookie)
    expect(requestedLevel(await client.get(answer))).toEqual([302, '/oidc/auth', '600', null])
  })

  it('works only once, and only in the browser in which it was started', async () => {
    const visitor = await storeVisitor(app)
    const { client } = visitor
    const email = freshEmail()
    await app.env.DB.prepare('update users set primary_email = ? where username = ?')
      .bind(email, visitor.username)
      .run()
    const ann = await newProviderAccount()
    const answer = await answerOf(client, ann)
    const stranger = await common()
    expect((await stranger.client.get(answer)).status).toBe(400)
    const foreign = newCookieClient(app)
    for (const [name, cookie] of stranger.client.cookies) foreign.cookies.set(name, cookie)
    const linkCookie = client.cookies.get('_account_link')
    if (linkCookie) foreign.cookies.set('_account_link', linkCookie)
    expect((await foreign.get(answer)).status).toBe(400)
    expect([await isLinked(foreign), await isLinked(client)]).toEqual([false, false])

    const linked = await client.get(answer)
    expect([linked.status, locationOf(linked)]).toEqual([303, IDENTITIES])
    const listed = await textOf(client, IDENTITIES)
    expect([listed.includes('Ann Lovelace'), listed.split('value="link"').length]).toEqual([true, 3])
    const unasked = await client.get(answer)
    expect([unasked.status, (await unasked.text()).includes(`action="${IDENTITIES}"`)]).toEqual([400, true])
    expect((await client.get(`${IDENTITIES}/answer/%E0%A4%A?state=account.x`)).status).toBe(400)
    const entries = await auditedOf(visitor.username)
    expect(entries.filter((key) => key === 'Account.Identity.Create')).toHaveLength(1)
    expect(await auditedOf(visitor.username)).toContain('Account.Identity.Create')
    const oidc = /(?<=name="id" value=")[^"]+/.exec(listed)?.[0] ?? ''
    expect((await client.post(IDENTITIES, { intent: 'unlink', id: oidc })).status).toBe(303)
    const notices = await receivedMessages(app, { email })
    expect(notices.map(({ type }) => type)).toEqual(['IdentitiesChanged', 'IdentitiesChanged'])
    expect((await client.get(await answerOf(client, ann))).status).toBe(303)

    // Another user cannot link this provider account, and nothing is linked after a denial or with an outdated sign-in.
    const taken = await stranger.client.get(await answerOf(stranger.client, ann))
    const page = await taken.text()
    expect([taken.status, page.includes('already linked to an account')]).toEqual([422, true])
    const denied = await stranger.client.get(await answerOf(stranger.client, null))
    expect([denied.status >= 400, await isLinked(stranger.client)]).toEqual([true, false])
    const late = await answerOf(stranger.client, await newProviderAccount())
    await ageSignIn(app, stranger.client, 11 * 60)
    expect(requestedLevel(await stranger.client.get(late)).slice(1)).toEqual(['/oidc/auth', '600', null])
    const again = await stranger.client.post(IDENTITIES, { intent: 'link', id: 'oidc' })
    expect(requestedLevel(again)).toEqual([303, '/oidc/auth', '600', null])
    visiting = undefined
  })
})

it('the account centre lists and removes identities and remembered browsers', async () => {
  const { client, username } = await storeVisitor(app)
  await visitAccount(app, { username })
  await app.env.DB.prepare(
    `update users set identities = '{"google":{"userId":"g-1","details":{"name":"Ada <L>"}}}' where username = ?`,
  )
    .bind(username)
    .run()
  const listed = await textOf(client, '/account/identities')
  expect(listed).toContain('Ada &lt;L>'.replace('>', '&gt;'))
  expect((await client.post('/account/identities', { intent: 'unlink', id: 'google' })).status).toBe(303)
  const [id = ''] = /(?<=name="id" value=")[^"]+/.exec(await textOf(client, '/account/browsers')) ?? []
  const countOf = async () =>
    [...(await textOf(client, '/account/browsers')).matchAll(/value="forget"/g)].length
  expect(await countOf()).toBe(2)
  expect((await client.post('/account/browsers', { intent: 'forget', id })).status).toBe(303)
  expect(await countOf()).toBe(1)
  expect((await client.post('/account/browsers', { intent: 'forgetAll' })).status).toBe(303)
  expect(await countOf()).toBe(0)
  expect(await auditedOf(username)).toEqual([
    'Account.Identity.Delete',
    'Account.TrustedBrowser.Delete',
    'Account.TrustedBrowser.Delete',
  ])
})
