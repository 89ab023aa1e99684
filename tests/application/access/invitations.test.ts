import { beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../../src/contract/time.ts'
import { newAdministrator } from '../../kit/clients/console-client.ts'
import {
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  PASSWORD,
} from '../../kit/clients/cookie-client.ts'
import { freshEmail } from '../../kit/clients/interaction-client.ts'
import {
  asOperator,
  machineToken,
  newMachine,
  newOperator,
  type Operator,
} from '../../kit/clients/management-client.ts'
import { newReceiver } from '../../kit/receiver.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTenant } from '../../kit/tenant-fixture.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests invitations by email (spec/management#invitations, spec/account-centre#invitations, ADR-0184). */

let app: TestApp
let operator: Operator
/** The sign-up settings do not matter for the address, but administrators of these tests have only usernames. */
const signUp = { identifiers: [], password: true, verify: false }
beforeAll(async () => {
  const setup = openTestApp()
  await setTenantSettings(setup, {
    accountCentre: { enabled: true },
    allowPrivateTargets: true,
    limits: { ...generous },
  } as Parameters<typeof setTenantSettings>[1])
  // Registration is closed, because an invitation replaces the permission to register.
  await setExperience(setup, { methods: everyMethod, signUp, signInMode: 'SignIn' })
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})
const generous = {
  newPasswordsPerNetwork: { count: 1000, windowSeconds: 600 },
  codeSendsPerNetwork: { count: 1000, windowSeconds: 3600 },
}

type Invitation = { id: string; url: string | null; expiresAt: number; state: string; kind: string }

async function invite(
  body: object = {},
  by: Pick<Operator, 'send'> = operator,
): Promise<Invitation & { email: string; token: string }> {
  const email = freshEmail()
  const answer = await by.send('POST', '/invitations', { email, ...body })
  expect([answer.status, answer.ok ? '' : await answer.clone().text()]).toEqual([200, ''])
  const invitation = (await answer.json()) as Invitation & { email: string }
  const token = invitation.url === null ? await sentToken(invitation.email) : tokenOf(invitation.url)
  return { ...invitation, token }
}

const tokenOf = (text: string) => /\?token=(\w+)/.exec(text)?.[1] ?? ''

/** Returns the token of the newest link that was sent to an address. */
async function sentToken(email: string): Promise<string> {
  const row = await app.env.DB.prepare(
    `select body from dev_messages where "to" = ? and type = 'Invitation' order by created_at desc, rowid desc`,
  )
    .bind(email)
    .first<{ body: string }>()
  return tokenOf(row?.body ?? '')
}

const pageOf = (token: string) => `/account/invitation?token=${token}`
const open = async (client: CookieClient, token: string) => {
  const page = await client.get(pageOf(token))
  return { status: page.status, html: await page.text() }
}

const send = (client: CookieClient, token: string, intent: string, form: Record<string, string> = {}) =>
  client.post('/account/invitation', { token, intent, ...form }, { origin: ORIGIN })

const passwords = { newPassword: PASSWORD, confirmPassword: PASSWORD }
const create = (token: string, form: object = {}, client = newCookieClient(app)) =>
  send(client, token, 'create', { ...passwords, ...form })

type Account = { id: string; email_verified: number; name: string | null; profile: string; roles: string }
const accountOf = (email: string) =>
  app.env.DB.prepare(
    `select id, email_verified, name, profile, (select group_concat(role_id) from users_roles where user_id = users.id) as roles
     from users where lower(primary_email) = lower(?)`,
  )
    .bind(email)
    .first<Account>()

const states = async (): Promise<Record<string, string>> => {
  const list = (await (await operator.get('/invitations?page_size=100')).json()) as Invitation[]
  return Object.fromEntries(list.map(({ id, state }) => [id, state]))
}

const newRole = async (scopeIds: string[] = []) =>
  (await (
    await operator.send('POST', '/roles', { name: freshName(), description: 'x', scopeIds })
  ).json()) as { id: string; name: string }

const sql = (statement: string, ...values: (string | number)[]) =>
  app.env.DB.prepare(statement)
    .bind(...values)
    .run()

describe('an invitation by email', () => {
  it('creates an account with the verified address, the names and the roles', async () => {
    const role = await newRole()
    const { email, token, ...invitation } = await invite({
      roleIds: [role.id],
      name: 'Ann Lee',
      givenName: 'Ann',
      lifetimeSeconds: 7 * 86_400,
    })
    expect(invitation).toMatchObject({ url: null, state: 'pending', kind: 'user' })
    expect(Math.abs(invitation.expiresAt - Date.now() - 7 * DAY)).toBeLessThan(HOUR)
    const { html } = await open(newCookieClient(app), token)
    expect(html).toContain(`<bdi>${email}</bdi>`)
    expect(html).toContain(`<bdi>${role.name}</bdi>`)
    expect(html).toMatch(/Valid until <time[^>]*>[^<]*(?:UTC|GMT)/)
    const answer = await create(token, { identifier: 'somebody@else.example' })
    expect(answer.status).toBe(303)
    expect(await accountOf(email)).toMatchObject({
      email_verified: 1,
      name: 'Ann Lee',
      profile: '{"givenName":"Ann"}',
      roles: role.id,
    })
    expect(await accountOf('somebody@else.example')).toBeNull()
    expect((await states())[invitation.id]).toBe('accepted')
  })

  it('signs the new user in and shows the account', async () => {
    const client = newCookieClient(app)
    const { token } = await invite()
    let answer = await create(token, {}, client)
    const visited = []
    while (answer.headers.has('location')) {
      const { pathname, search } = new URL(answer.headers.get('location') ?? '', ORIGIN)
      visited.push(pathname)
      answer = await client.get(pathname + search)
    }
    expect([visited.at(-1), answer.status]).toEqual(['/account', 200])
  })

  it('is not changed by opening its link', async () => {
    const { id, token } = await invite()
    for (const client of [newCookieClient(app), (await storeVisitor(app)).client])
      expect((await open(client, token)).status).toBe(200)
    expect((await states())[id]).toBe('pending')
  })

  it('has one effect when accepted five times concurrently', async () => {
    const { email, token } = await invite()
    const uses = await Promise.all(Array.from({ length: 5 }, () => create(token)))
    expect(uses.map(({ status }) => status).toSorted()).toEqual([
      303,
      ...Array.from({ length: 4 }, () => 404),
    ])
    expect((await accountOf(email))?.email_verified).toBe(1)
    expect(await uses.find(({ status }) => status === 404)?.text()).toContain('already used')
  })

  it('gives the roles to the account that has the address, after a sign-in, and to no other', async () => {
    const role = await newRole()
    const [invited, other] = [await storeVisitor(app), await storeVisitor(app)]
    const { email, token } = await invite({ roleIds: [role.id] })
    await sql('update users set primary_email = ? where id = ?', email.toUpperCase(), invited.userId)
    const { html } = await open(other.client, token)
    // The address has an account, so the page offers only to sign in.
    expect([html.includes('value="accept"'), html.includes('value="create"')]).toEqual([false, false])
    const foreign = await send(other.client, token, 'accept')
    expect([foreign.status, await foreign.text()]).toEqual([
      422,
      expect.stringContaining('different address'),
    ])
    const signIn = await send(newCookieClient(app), token, 'signIn')
    expect(new URL(signIn.headers.get('location') ?? '', ORIGIN).searchParams.get('login_hint')).toBe(email)

    expect((await open(invited.client, token)).html).toContain('value="accept"')
    const accepted = await send(invited.client, token, 'accept')
    expect([accepted.status, accepted.headers.get('location')]).toEqual([303, '/account'])
    expect(await accountOf(email)).toMatchObject({ id: invited.userId, roles: role.id })
    expect((await send(invited.client, token, 'accept')).status).toBe(404)
  })

  it('does not trust an address that the account has not verified', async () => {
    const { client, userId } = await storeVisitor(app)
    const { email, token } = await invite()
    await sql('update users set primary_email = ?, email_verified = 0 where id = ?', email, userId)
    expect((await open(client, token)).html).not.toContain('value="accept"')
    expect((await send(client, token, 'accept')).status).toBe(422)
  })

  it('needs no password if users sign up without one', async () => {
    await setExperience(app, { signUp: { ...signUp, password: false } })
    const other = openTestApp({}, { hasCalmDatabase: true })
    const { email, token } = await invite()
    const client = newCookieClient(other)
    expect((await open(client, token)).html).not.toContain('newPassword')
    const answer = await send(client, token, 'create')
    expect(answer.headers.get('location')).toContain(`login_hint=${encodeURIComponent(email)}`)
    expect((await accountOf(email))?.email_verified).toBe(1)
    await setExperience(app, { signUp })
  })

  it('tells hooks about a registration, and stores no link', async () => {
    const hook = { event: 'PostRegister', config: { url: (await newReceiver()).url, retries: 0 } }
    const { id: hookId } = (await (await operator.send('POST', '/hooks', hook)).json()) as { id: string }
    const { email, token } = await invite()
    await create(token)
    const { results } = await app.env.DB.prepare('select payload from outbox where hook_id = ?')
      .bind(hookId)
      .all<{ payload: string }>()
    expect(results.map(({ payload }) => JSON.parse(payload))).toEqual([
      expect.objectContaining({
        event: 'PostRegister',
        user: expect.objectContaining({ primaryEmail: email }),
      }),
    ])
    await operator.send('DELETE', `/hooks/${hookId}`)
    for (const table of ['invitations', 'logs', 'service_logs', 'outbox']) {
      const rows = await app.env.DB.prepare(`select * from ${table}`).all()
      expect(JSON.stringify(rows.results)).not.toContain(token)
    }
  })

  it('writes the message in the chosen language', async () => {
    const { email } = await invite({ language: 'de' })
    const row = await app.env.DB.prepare('select subject, body from dev_messages where "to" = ?')
      .bind(email)
      .first<{ subject: string; body: string }>()
    expect(row?.subject).toMatch(/^Ihre Einladung zu /)
    expect(row?.body).toMatch(/bis .*UTC/)
  })
})

describe('the link of an invitation says why it is refused', () => {
  it.each([
    { what: 'expired', statement: 'update invitations set expires_at = 1 where id = ?', says: 'has expired' },
    { what: 'revoked', statement: 'update invitations set revoked_at = 1 where id = ?', says: 'was revoked' },
    { what: 'used', statement: 'update invitations set accepted_at = 1 where id = ?', says: 'already used' },
    {
      what: 'for a role that was deleted',
      statement: "delete from roles where id = (select role_ids ->> '$[0]' from invitations where id = ?)",
      says: 'no longer valid',
    },
  ])('it is $what', async ({ statement, says }) => {
    const { id, email, token } = await invite({ roleIds: [(await newRole()).id] })
    await sql(statement, id)
    const { status, html } = await open(newCookieClient(app), token)
    expect([status, html]).toEqual([404, expect.stringContaining(says)])
    const form = await create(token)
    expect([form.status, await form.text()]).toEqual([404, expect.stringContaining(says)])
    expect(await accountOf(email)).toBeNull()
  })

  it('an invitation of another tenant is unknown', async () => {
    const { operator: theirs } = await openTenant(app, 'email-invitations')
    const email = freshEmail()
    const answer = await theirs.send('POST', '/invitations', { email })
    expect(answer.status).toBe(200)
    const token = await sentToken(email)
    expect(token).toHaveLength(43)
    expect((await open(newCookieClient(app), token)).status).toBe(404)
    expect((await create(token)).status).toBe(404)
  })

  it.each([
    { what: 'is unchanged', statement: 'select id from users where id = ?', works: true },
    { what: 'was deleted', statement: 'delete from users where id = ?', works: false },
    { what: 'was suspended', statement: 'update users set is_suspended = 1 where id = ?', works: false },
    { what: 'lost the role', statement: 'delete from users_roles where user_id = ?', works: false },
    {
      what: 'was signed out everywhere',
      statement: 'update users set revoked_at = 9e12 where id = ?',
      works: false,
    },
  ])('the inviter $what', async ({ statement, works }) => {
    const supporter = await newAdministrator(app, operator, ['support-role'])
    const { email, token } = await invite({}, supporter)
    await sql(statement, supporter.id)
    const { html } = await open(newCookieClient(app), token)
    expect(html.includes('no longer valid')).toBe(!works)
    expect((await create(token)).status).toBe(works ? 303 : 404)
    expect((await accountOf(email)) !== null).toBe(works)
  })

  it('the role has gained scopes that the inviter lacks', async () => {
    const role = await newRole()
    const supporter = await newAdministrator(app, operator, ['support-role'])
    const { token } = await invite({ roleIds: [role.id] }, supporter)
    await operator.send('POST', `/roles/${role.id}/scopes`, { scopeIds: ['users-write'] })
    expect((await open(newCookieClient(app), token)).status).toBe(200)
    await operator.send('POST', `/roles/${role.id}/scopes`, { scopeIds: ['settings-write'] })
    expect((await create(token)).status).toBe(404)
  })

  it('the inviting application was deleted', async () => {
    const machine = await newMachine(operator, 'admin-role')
    const { id, token } = await invite(
      { roleIds: ['support-role'] },
      asOperator(app, await machineToken(app, machine)),
    )
    expect((await open(newCookieClient(app), token)).status).toBe(200)
    expect((await operator.send('DELETE', `/applications/${machine.id}`)).status).toBe(204)
    expect((await create(token)).status).toBe(404)
    expect((await states())[id]).toBe('pending')
  })

  it('the inviter of an administrator is no longer an owner', async () => {
    const owner = await newAdministrator(app, operator, ['admin-role'])
    const { kind, token } = await invite({ roleIds: ['support-role'] }, owner)
    expect([kind, (await open(newCookieClient(app), token)).html]).toEqual([
      'administrator',
      expect.stringContaining('<bdi>support</bdi>'),
    ])
    // A supporter has all scopes of the role, but only owners invite administrators.
    await operator.send('PUT', `/users/${owner.id}/roles`, { roleIds: ['support-role'] })
    expect((await create(token)).status).toBe(404)
  })
})

describe('a copied link', () => {
  it('has to be proven with a link that is sent to the address', async () => {
    const { id, email, token } = await invite({ delivery: 'link', roleIds: ['support-role'] })
    expect(await sentToken(email)).toBe('')
    const client = newCookieClient(app)
    const { html } = await open(client, token)
    expect([html.includes('value="create"'), html.includes('value="send"')]).toEqual([false, true])
    // Forged forms have no effect.
    expect((await create(token)).status).toBe(404)
    const visitor = await storeVisitor(app)
    await sql('update users set primary_email = ? where id = ?', email, visitor.userId)
    expect((await send(visitor.client, token, 'accept')).status).toBe(404)
    await sql('update users set primary_email = null where id = ?', visitor.userId)

    const sent = await send(client, token, 'send')
    expect([sent.status, await sent.text()]).toEqual([200, expect.stringContaining('sent a link to')])
    const proving = await sentToken(email)
    expect(proving).not.toBe(token)
    expect((await create(proving)).status).toBe(303)
    expect(await accountOf(email)).toMatchObject({ email_verified: 1, roles: 'support-role' })
    expect((await states())[id]).toBe('accepted')
  })

  it('sends at most five links to an address', async () => {
    const { token } = await invite({ delivery: 'link' })
    const client = newCookieClient(app)
    const statuses = []
    for (let index = 0; index < 6; index++) statuses.push((await send(client, token, 'send')).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  it('is short-lived and proves no address as long as no message can be sent', async () => {
    const production = openTestApp({ ENVIRONMENT: 'production' }, { hasCalmDatabase: true })
    const theirs = await newOperator(production)
    const email = freshEmail()
    const refused = async (body: object) => {
      const answer = await theirs.send('POST', '/invitations', { email, ...body })
      return [answer.status, ((await answer.json()) as { code: string }).code]
    }
    expect(await refused({})).toEqual([400, 'connector.not_found'])
    expect(await refused({ delivery: 'link' })).toEqual([400, 'connector.not_found'])
    const { token } = await invite({ email, delivery: 'link', lifetimeSeconds: 3600 }, theirs)
    expect((await create(token)).status).toBe(303)
    expect((await accountOf(email))?.email_verified).toBe(0)
  })
})

describe('the management of invitations', () => {
  it('sends an invitation again, with a new link and a new lifetime', async () => {
    const { id, email, token } = await invite({ lifetimeSeconds: 3600 })
    await sql('update invitations set expires_at = 1 where id = ?', id)
    const answer = await operator.send('POST', `/invitations/${id}/resend`)
    const { expiresAt, state } = (await answer.json()) as Invitation
    expect([answer.status, state]).toEqual([200, 'pending'])
    expect(Math.abs(expiresAt - Date.now() - HOUR)).toBeLessThan(HOUR / 2)
    expect((await open(newCookieClient(app), token)).status).toBe(404)
    expect((await create(await sentToken(email))).status).toBe(303)
    expect((await operator.send('POST', `/invitations/${id}/resend`)).status).toBe(404)
  })

  it('names the inviter with the types of actors in the audit log', async () => {
    const supporter = await newAdministrator(app, operator, ['support-role'])
    const invitedBy = { type: 'administrator', id: supporter.id }
    expect(await invite({}, supporter)).toMatchObject({ invitedBy })
    expect(await invite()).toMatchObject({ invitedBy: { type: 'application' } })
  })

  it('revokes an invitation, once', async () => {
    const { id, token } = await invite()
    const revoke = async () => (await operator.send('DELETE', `/invitations/${id}`)).status
    expect([await revoke(), await revoke()]).toEqual([204, 404])
    expect((await create(token)).status).toBe(404)
    const list = (await (await operator.get('/invitations?state=revoked')).json()) as Invitation[]
    expect(list.map((row) => row.id)).toContain(id)
    expect(list.every(({ state }) => state === 'revoked')).toBe(true)
  })

  it('gives nobody more authority than the inviter has', async () => {
    const supporter = await newAdministrator(app, operator, ['support-role'])
    const role = await newRole(['settings-write'])
    const statusOf = async (roleIds: string[]) =>
      (await supporter.send('POST', '/invitations', { email: freshEmail(), roleIds })).status
    expect([await statusOf(['support-role']), await statusOf([role.id]), await statusOf([])]).toEqual([
      403, 403, 200,
    ])
    const { id } = await invite({ roleIds: ['read-only-role'] })
    expect([
      (await supporter.send('DELETE', `/invitations/${id}`)).status,
      (await supporter.send('POST', `/invitations/${id}/resend`)).status,
      (await operator.send('POST', '/invitations', { email: freshEmail(), roleIds: ['nothing'] })).status,
    ]).toEqual([403, 403, 404])
  })

  it.each([{ lifetimeSeconds: 3599 }, { lifetimeSeconds: 604_801 }, { email: 'nobody' }, { language: 'xx' }])(
    'rejects %o',
    async (body) => {
      const answer = await operator.send('POST', '/invitations', { email: freshEmail(), ...body })
      expect(answer.status).toBe(400)
    },
  )

  it('is swept after 30 days, and erased with the account of the invited person or the inviter', async () => {
    const supporter = await newAdministrator(app, operator, ['support-role'])
    const [old, recent, accepted, sent] = [
      await invite(),
      await invite(),
      await invite(),
      await invite({}, supporter),
    ]
    await sql('update invitations set expires_at = ? where id = ?', Date.now() - 30 * DAY - 1, old.id)
    await sql('update invitations set expires_at = ? where id = ?', Date.now() - 29 * DAY, recent.id)
    await create(accepted.token)
    const account = await accountOf(accepted.email)
    for (const id of [account?.id, supporter.id])
      expect((await operator.send('DELETE', `/users/${id}`)).status).toBe(204)
    const again = await invite({ email: accepted.email })
    const [verified, unverified] = [await invite(), await invite()]
    for (const { email } of [verified, unverified]) {
      const owner = { primaryEmail: email, emailVerified: email === verified.email }
      const { id } = (await (await operator.send('POST', '/users', owner)).json()) as { id: string }
      expect((await operator.send('DELETE', `/users/${id}`)).status).toBe(204)
    }
    await app.sweep()
    const { results } = await app.env.DB.prepare('select id from invitations').all<{ id: string }>()
    const remaining = results.map(({ id }) => id)
    const isRemaining = [old, recent, accepted, sent, again].map(({ id }) => remaining.includes(id))
    expect(isRemaining).toEqual([false, true, false, false, true])
    // Somebody else may have been invited at an address that the account only claimed.
    expect([verified, unverified].map(({ id }) => remaining.includes(id))).toEqual([false, true])
  })

  it('records who invited and who accepted', async () => {
    const { id, token } = await invite()
    await create(token, { newPassword: '1qaz2wsx', confirmPassword: '1qaz2wsx' })
    await create(token)
    const { results } = await app.env.DB.prepare(
      "select key, payload ->> '$.result' as result from logs where payload ->> '$.invitationId' = ? order by key, result",
    )
      .bind(id)
      .all()
    expect(results).toEqual([
      { key: 'Account.Invitation.Accept', result: 'Error' },
      { key: 'Account.Invitation.Accept', result: 'Success' },
      { key: 'Management.Invitation.Create', result: 'Success' },
    ])
  })
})
