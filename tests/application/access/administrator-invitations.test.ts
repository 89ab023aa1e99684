import { beforeAll, describe, expect, it } from 'vitest'
import { MINUTE } from '../../../src/contract/time.ts'
import { visitAccount } from '../../kit/account-centre.ts'
import { newAdministrator } from '../../kit/clients/console-client.ts'
import {
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  PASSWORD,
} from '../../kit/clients/cookie-client.ts'
import { freshEmail } from '../../kit/clients/interaction-client.ts'
import { asOperator, newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTenant } from '../../kit/tenant-fixture.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the single-use links that invite administrators (spec/account-centre#invitations, ADR-0124). */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  await setTenantSettings(openTestApp(), { accountCentre: { enabled: true } })
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})

type Invitation = { url: string; roleId: string; email: string | null; expiresAt: number }

async function invite(
  body: object = {},
  by: Pick<Operator, 'send'> = operator,
): Promise<Invitation & { path: string }> {
  const answer = await by.send('POST', '/administrator-invitations', body)
  expect(answer.status).toBe(200)
  const invitation: Invitation = await answer.json()
  const { pathname, search } = new URL(invitation.url)
  return { ...invitation, path: pathname + search }
}

const tokenOf = (path: string) => new URL(path, ORIGIN).searchParams.get('token') ?? ''

const send = (client: CookieClient, path: string, intent: string, form: Record<string, string> = {}) =>
  client.post('/account/invitation', { token: tokenOf(path), intent, ...form }, { origin: ORIGIN })

const passwords = { newPassword: PASSWORD, confirmPassword: PASSWORD }
const common = { newPassword: '1qaz2wsx', confirmPassword: '1qaz2wsx' }
const create = (client: CookieClient, path: string, identifier = freshName(), more = {}) =>
  send(client, path, 'create', { identifier, ...passwords, ...more })

async function administrators(): Promise<Record<string, string | number | null>[]> {
  const { results } = await app.env.DB.prepare(
    `select username, primary_email, email_verified, role_id from users join users_roles on user_id = users.id
     where role_id = 'admin-role' and users.tenant_id = 'default' order by users.created_at`,
  ).all<Record<string, string | number | null>>()
  return results
}

/** Follows the redirects from a form to the last page, as a browser would. */
async function follow(client: CookieClient, answer: Response): Promise<string[]> {
  const visited: string[] = []
  for (let next: Response = answer; next.headers.has('location'); ) {
    const { pathname, search } = new URL(next.headers.get('location') ?? '', ORIGIN)
    visited.push(pathname.replace(/^(\/oidc\/auth)\/.*/, '$1/:uid'))
    if (pathname === '/console') break
    next = await client.get(pathname + search)
  }
  return visited
}

describe('an invitation', () => {
  it('creates an administrator account and signs it in', async () => {
    const client = newCookieClient(app)
    const { path, url, expiresAt } = await invite()
    expect(new URL(url).origin).toBe(ORIGIN)
    expect(expiresAt - Date.now()).toBeGreaterThan(9 * MINUTE)
    expect(expiresAt - Date.now()).toBeLessThanOrEqual(10 * MINUTE)
    const username = freshName()
    const answer = await create(client, path, username)
    expect([answer.status, await follow(client, answer)]).toEqual([303, ['/account/callback', '/console']])
    expect(await administrators()).toContainEqual(
      expect.objectContaining({ username, role_id: 'admin-role' }),
    )
    // The provider has a session, so applications do not require another sign-in.
    expect((await client.get('/account')).status).toBe(200)
    expect(await (await client.get('/account/activity')).text()).toContain('class="account-')
  })

  it('remains valid after its page is opened, and is kept out of caches, search indexes and referrers', async () => {
    const { path } = await invite({ email: 'ann@example.com' })
    for (const _ of [1, 2]) {
      const page = await newCookieClient(app).get(path)
      expect(page.status).toBe(200)
      expect(Object.fromEntries(page.headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
      const html = await page.text()
      expect(html).toContain('Become an administrator')
      // The page names the address and the role.
      expect(html).toContain('<bdi>ann@example.com</bdi>')
      expect(html).toContain('<bdi>owner</bdi>')
      expect(html).not.toMatch(/<script(?! type="speculationrules")/)
    }
    expect((await create(newCookieClient(app), path)).status).toBe(303)
  })

  it('creates only one administrator when used six times concurrently', async () => {
    const { path } = await invite()
    const before = (await administrators()).length
    const visitors = await Promise.all(Array.from({ length: 2 }, () => storeVisitor(app)))
    const uses = [
      ...Array.from({ length: 4 }, () => create(newCookieClient(app), path)),
      ...visitors.map(({ client }) => send(client, path, 'accept')),
    ]
    const statuses = (await Promise.all(uses)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([303, ...Array.from({ length: 5 }, () => 404)])
    expect((await administrators()).length).toBe(before + 1)
  })

  it('grants the role to the signed-in account shown on its page', async () => {
    const { client, username } = await storeVisitor(app)
    const { path } = await invite()
    expect(await (await client.get(path)).text()).toContain(`signed in as <bdi>${username}</bdi>`)
    const accepted = await send(client, path, 'accept')
    expect([accepted.status, accepted.headers.get('location')]).toEqual([303, '/console'])
    expect((await administrators()).map((row) => row.username)).toContain(username)
    // The link works only once.
    expect((await send(client, path, 'accept')).status).toBe(404)
    expect((await client.get(path)).status).toBe(404)
  })

  it('names its sender and its expiry', async () => {
    const owner = await newAdministrator(app, operator, ['admin-role'])
    const [user] = (await administrators()).slice(-1)
    const { path, expiresAt } = await invite({}, owner)
    const html = await (await newCookieClient(app).get(path)).text()
    expect(html).toContain(`Invited by <bdi class="strong">${user?.username}</bdi>`)
    expect(html).toContain(`Valid until <time dateTime="${new Date(expiresAt).toISOString()}">`)
    // Nobody sent the invitation of an application.
    const { path: ofApplication } = await invite()
    expect(await (await newCookieClient(app).get(ofApplication)).text()).not.toContain('Invited by')
  })

  it('does not grant the role to an account other than the one shown on its page', async () => {
    const [named, other] = [await storeVisitor(app), await storeVisitor(app)]
    const { path } = await invite()
    const page = await (await named.client.get(path)).text()
    const [, account = ''] = page.match(/name="account" value="([^"]+)"/) ?? []
    const refused = await send(other.client, path, 'accept', { account })
    expect([refused.status, refused.headers.get('location')]).toEqual([303, path])
    expect((await administrators()).map((row) => row.username)).not.toContain(other.username)
    expect((await send(named.client, path, 'accept', { account })).headers.get('location')).toBe('/console')
  })

  it('lets an existing user sign in first, even if another user is signed in', async () => {
    const { client } = await storeVisitor(app)
    const { path } = await invite()
    const answer = await send(client, path, 'signIn')
    const { pathname, searchParams } = new URL(answer.headers.get('location') ?? '', ORIGIN)
    expect([answer.status, pathname, searchParams.get('prompt')]).toEqual([303, '/oidc/auth', 'login'])
    const stranger = newCookieClient(app)
    const redirect = await send(stranger, path, 'accept')
    expect(redirect.headers.get('location')).toContain('/oidc/auth?')
    const back = await visitAccount(app, { path: '/account' })
    expect((await back.client.get(path)).status).toBe(200)
  })

  it('stores the invited email address as unverified, because the link was not sent to it', async () => {
    const email = freshEmail()
    const username = freshName()
    await create(newCookieClient(app), (await invite({ email })).path, username)
    expect(await administrators()).toContainEqual(
      expect.objectContaining({ username, primary_email: email, email_verified: 0 }),
    )
  })

  it('creates the account with the invited address if users register with one, whatever the form says', async () => {
    const [named, typed] = [freshEmail(), freshEmail()]
    await setExperience(app, {
      methods: everyMethod,
      signUp: { identifiers: ['email'], password: true, verify: true },
    })
    const other = openTestApp({ ENVIRONMENT: 'development' }, { hasCalmDatabase: true })
    const { path } = await invite({ email: named })
    const client = newCookieClient(other)
    expect(await (await client.get(path)).text()).not.toContain('name="identifier"')
    const created = await create(client, path, typed)
    expect((await follow(client, created)).at(-1)).toBe('/console')
    expect(await administrators()).toContainEqual(
      expect.objectContaining({ username: null, primary_email: named, email_verified: 0 }),
    )
    await setExperience(app, {
      methods: everyMethod.slice(0, 1),
      signUp: { identifiers: ['username'], password: true, verify: false },
    })
  })

  it('works even if registration and the account centre are disabled', async () => {
    await setExperience(app, { signInMode: 'SignIn' })
    await setTenantSettings(app, { accountCentre: { enabled: false } })
    const other = openTestApp({}, { hasCalmDatabase: true })
    const { path } = await invite()
    const client = newCookieClient(other)
    expect((await client.get('/account')).status).toBe(404)
    expect((await follow(client, await create(client, path))).at(-1)).toBe('/console')
    await setExperience(app, { signInMode: 'SignInAndRegister' })
    await setTenantSettings(app, { accountCentre: { enabled: true } })
  })
})

describe('the form for a new administrator', () => {
  it.each([
    { what: 'an invalid username', form: { identifier: '7up' }, status: 422, says: 'Username' },
    { what: 'no password', form: { newPassword: '' }, status: 422, says: 'Password is required' },
    { what: 'a password that breaks the rules', form: { newPassword: 'ab' }, status: 422, says: 'password' },
    {
      what: 'a common password',
      form: common,
      status: 422,
      says: 'data breach',
    },
    { what: 'two different passwords', form: { confirmPassword: 'x' }, status: 422, says: 'match' },
  ])('rejects $what and keeps the link valid', async ({ form, status, says }) => {
    const { path } = await invite()
    const client = newCookieClient(app)
    const refused = await create(client, path, freshName(), form)
    const html = await refused.text()
    expect(refused.status).toBe(status)
    expect(html.toLowerCase()).toContain(says.toLowerCase())
    expect(html).not.toContain(PASSWORD)
    expect((await create(client, path)).status).toBe(303)
  })

  it('rejects a taken username and keeps the link valid', async () => {
    const { username } = await storeVisitor(app)
    const { path } = await invite()
    const client = newCookieClient(app)
    const refused = await create(client, path, username)
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining(username)])
    expect((await create(client, path)).status).toBe(303)
  })

  it('requires and records agreement to the tenant’s terms', async () => {
    await app.env.DB.prepare(
      "update sign_in_experiences set terms_of_use_url = 'https://acme.example/terms' where tenant_id = 'default'",
    ).run()
    const other = openTestApp({}, { hasCalmDatabase: true })
    const { path } = await invite()
    const client = newCookieClient(other)
    const name = freshName()
    const refused = await create(client, path, name)
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('https://acme.example/terms'),
    ])
    expect((await create(client, path, name, { termsAgreement: 'on' })).status).toBe(303)
    const row = await app.env.DB.prepare('select terms_agreement from users where username = ?')
      .bind(name)
      .first<{ terms_agreement: string }>()
    expect(JSON.parse(row?.terms_agreement ?? '{}')).toMatchObject({
      termsOfUseUrl: 'https://acme.example/terms',
    })
    await app.env.DB.prepare(
      "update sign_in_experiences set terms_of_use_url = null where tenant_id = 'default'",
    ).run()
  })

  it('is accepted only from our own page, and only with a known intent', async () => {
    const { path } = await invite()
    const client = newCookieClient(app)
    const form = { token: tokenOf(path), intent: 'create', identifier: freshName(), ...passwords }
    const foreign = await client.post('/account/invitation', form, { origin: 'https://evil.example' })
    const unknown = await send(client, path, 'destroy')
    const put = await client.send('PUT', '/account/invitation', undefined, { origin: ORIGIN })
    expect([foreign.status, unknown.status, put.status]).toEqual([403, 400, 405])
    expect((await create(client, path)).status).toBe(303)
  })
})

describe('an invalid invitation', () => {
  const refused = async (at: TestApp, path: string) => {
    const client = newCookieClient(at)
    const page = await client.get(path)
    const form = await create(client, path)
    const html = await page.text()
    expect(html).toContain('Ask the person who invited you for a new link.')
    // The command is shown only to developers.
    expect(html).toContain('npm run admin -- invite')
    return [page.status, form.status]
  }

  it.each(['', 'x', 'A'.repeat(43), `${'é'.repeat(9)}`])(
    'is rejected if its token is unknown: "%s"',
    async (token) => {
      expect(await refused(app, `/account/invitation?${new URLSearchParams({ token })}`)).toEqual([404, 404])
    },
  )

  it('reveals no command in production', async () => {
    const production = openTestApp({ ENVIRONMENT: 'production' })
    const page = await newCookieClient(production).get('/account/invitation?token=x')
    const html = await page.text()
    expect(html).toContain('Ask the person who invited you for a new link.')
    expect(html).not.toContain('npm run')
  })

  it('is rejected after ten minutes', async () => {
    const { path } = await invite()
    await app.env.DB.prepare('update invitations set expires_at = expires_at - 600001').run()
    expect(await refused(app, path)).toEqual([404, 404])
  })

  it('is rejected in another tenant, and its token cannot be read from the database', async () => {
    const { site, operator: theirs } = await openTenant(app, 'invitations')
    const { path } = await invite({}, theirs)
    expect(await refused(app, path)).toEqual([404, 404])
    expect((await newCookieClient(site).get(path)).status).toBe(200)
    const { results } = await app.env.DB.prepare('select * from invitations').all()
    expect(JSON.stringify(results)).not.toContain(tokenOf(path))
  })

  it.each([
    ['is unchanged', 'select id from users where id = ?', 303],
    ['is no longer an owner', 'delete from users_roles where user_id = ?', 404],
    ['was suspended', 'update users set is_suspended = true where id = ?', 404],
    ['was signed out everywhere', 'update users set revoked_at = 9e12 where id = ?', 404],
  ])('is rejected unless the inviting owner can still invite: the owner %s', async (_, statement, status) => {
    const owner = await newAdministrator(app, operator, ['admin-role'])
    const { path } = await invite({}, owner)
    await app.env.DB.prepare(statement).bind(owner.id).run()
    expect((await create(newCookieClient(app), path)).status).toBe(status)
  })

  it('is rejected for a user who has been suspended meanwhile', async () => {
    const { client, username } = await storeVisitor(app)
    const { path } = await invite()
    await app.env.DB.prepare('update users set is_suspended = 1 where username = ?').bind(username).run()
    const redirect = await send(client, path, 'accept')
    expect([redirect.status, redirect.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/oidc/auth?'),
    ])
    expect((await administrators()).map((row) => row.username)).not.toContain(username)
  })
})

describe('inviting an administrator', () => {
  it.each([
    { body: { roleId: 'user' }, status: 422, code: 'guard.invalid_input' },
    { body: { roleId: 'nobody' }, status: 404, code: 'entity.not_exists_with_id' },
    { body: { email: 'no address' }, status: 400, code: 'guard.invalid_input' },
    { body: { days: 365 }, status: 400, code: 'guard.invalid_input' },
  ])('rejects $body', async ({ body, status, code }) => {
    const answer = await operator.send('POST', '/administrator-invitations', body)
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([status, code])
  })

  it('requires a token for the management API', async () => {
    const nobody = asOperator(app, 'x')
    expect((await nobody.send('POST', '/administrator-invitations', {})).status).toBe(401)
  })

  it('writes an audit entry for each step, without the link', async () => {
    const { path } = await invite()
    const client = newCookieClient(app)
    await create(client, path, freshName(), common)
    await create(client, path)
    const { results } = await app.env.DB.prepare(
      `select key, payload from logs where key in ('Management.Invitation.Create', 'Account.Invitation.Accept')
       order by created_at desc, id desc limit 3`,
    ).all<{ key: string; payload: string }>()
    expect(results.map(({ key, payload }) => [key, JSON.parse(payload).result]).toSorted()).toEqual([
      ['Account.Invitation.Accept', 'Error'],
      ['Account.Invitation.Accept', 'Success'],
      ['Management.Invitation.Create', 'Success'],
    ])
    expect(JSON.stringify(results)).not.toContain(tokenOf(path))
    expect(
      JSON.parse(results.find(({ payload }) => payload.includes('Success'))?.payload ?? '{}'),
    ).toMatchObject({
      roleIds: ['admin-role'],
    })
  })
})
