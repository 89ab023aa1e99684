import { beforeAll, describe, expect, it } from 'vitest'
import { OWNER_ROLE } from '../../../src/contract/organisations/organizations.ts'
import { DAY, HOUR } from '../../../src/contract/time.ts'
import { auditEntries } from '../../kit/audit-entries.ts'
import { newAdministrator } from '../../kit/clients/console-client.ts'
import {
  type CookieClient,
  freshName,
  newCookieClient,
  ORIGIN,
  PASSWORD,
} from '../../kit/clients/cookie-client.ts'
import { freshEmail } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import {
  membersOf,
  storeMembership,
  storeOrganization,
  storeOrganizationRole,
} from '../../kit/organisations/organizations.ts'
import { newReceiver } from '../../kit/receiver.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { openTenant } from '../../kit/tenant-fixture.ts'
import { everyMethod, setExperience, setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests invitations to organisations (spec/organisations#invitations). */

let app: TestApp
let operator: Operator
let acme: string
beforeAll(async () => {
  const setup = openTestApp()
  const many = { count: 1000, windowSeconds: 600 }
  await setTenantSettings(setup, {
    accountCentre: { enabled: true },
    allowPrivateTargets: true,
    limits: { newPasswordsPerNetwork: many, organizationInvitations: many },
  } as Parameters<typeof setTenantSettings>[1])
  const signUp = { identifiers: [], password: true, verify: false }
  // Registration is closed, because an invitation replaces the permission to register.
  await setExperience(setup, { methods: everyMethod, signUp, signInMode: 'SignIn' })
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
  acme = await storeOrganization()
})

type Invitation = { id: string; email: string; state: string; expiresAt: number; roleIds: string[] }
type Invited = Invitation & { token: string; organizationId: string }

async function invite(
  body: object = {},
  { by = operator, to = acme }: { by?: Pick<Operator, 'send'>; to?: string } = {},
): Promise<Invited> {
  const answer = await by.send('POST', `/organizations/${to}/invitations`, { email: freshEmail(), ...body })
  expect([answer.status, answer.ok ? '' : await answer.clone().text()]).toEqual([200, ''])
  const invitation = (await answer.json()) as Invitation
  return { ...invitation, organizationId: to, token: (await sentMail(invitation.email)).token }
}

/** Returns the newest message to an address, with the token of its link. */
async function sentMail(email: string) {
  const row = await app.env.DB.prepare(
    `select subject, body, html from dev_messages where "to" = ? and type = 'OrganizationInvitation'
    order by created_at desc, rowid desc`,
  )
    .bind(email)
    .first<{ subject: string; body: string; html: string }>()
  return { ...row, token: /organization-invitation\?token=(\w+)/.exec(row?.body ?? '')?.[1] ?? '' }
}

const PAGE = '/account/organization-invitation'
const open = async (token: string, client: CookieClient = newCookieClient(app)) => {
  const page = await client.get(`${PAGE}?token=${token}`)
  return { status: page.status, html: await page.text() }
}
const send = (client: CookieClient, token: string, intent: string, form: Record<string, string> = {}) =>
  client.post(PAGE, { token, intent, ...form }, { origin: ORIGIN })
const create = (token: string, client = newCookieClient(app)) =>
  send(client, token, 'create', { newPassword: PASSWORD, confirmPassword: PASSWORD })

const sql = (statement: string, ...values: (string | number)[]) =>
  app.env.DB.prepare(statement)
    .bind(...values)
    .run()

const accountOf = (email: string) =>
  app.env.DB.prepare('select id, email_verified from users where lower(primary_email) = lower(?)')
    .bind(email)
    .first<{ id: string; email_verified: number }>()

/** Stores a signed-in user with this verified address. */
async function visitorWith(email: string) {
  const visitor = await storeVisitor(app)
  await sql('update users set primary_email = ?, email_verified = 1 where id = ?', email, visitor.userId)
  return visitor
}

const stateOf = async ({ id, organizationId }: Invited) =>
  ((await (await operator.get(`/organizations/${organizationId}/invitations/${id}`)).json()) as Invitation)
    .state

const acceptances = async (invitationId: string) =>
  (await auditEntries(app.env.DB)).filter(
    ({ key, payload }) => key === 'Account.Invitation.Accept' && payload.invitationId === invitationId,
  )

/** Makes a stored member the inviter, as if the member had invited in the account centre. */
async function invitedByMember(roleIds: readonly string[], own: readonly string[]) {
  const { userId } = await storeVisitor(app)
  await storeMembership({ organizationId: acme, userId, roleIds: own })
  const invitation = await invite({ roleIds })
  await sql(
    "update organization_invitations set inviter_type = 'member', inviter_id = ? where id = ?",
    userId,
    invitation.id,
  )
  return { ...invitation, userId }
}

describe('an invitation to an organisation', () => {
  it('creates an account with the verified address, which is a member with the roles', async () => {
    const role = await storeOrganizationRole()
    const invitation = await invite({ roleIds: [role.id, role.id] })
    const { email, token } = invitation
    expect(invitation).toMatchObject({ state: 'pending', roleIds: [role.id], language: null })
    expect(Math.abs(invitation.expiresAt - Date.now() - 7 * DAY)).toBeLessThan(HOUR)
    const { html } = await open(token)
    expect(html).toContain('Join Acme')
    expect(html).toContain(`<bdi>${role.name}</bdi>`)
    expect((await create(token)).status).toBe(303)
    const account = await accountOf(email)
    expect(account?.email_verified).toBe(1)
    expect(await membersOf(acme)).toContainEqual({
      userId: account?.id,
      sources: 'invitation',
      roles: role.id,
    })
    expect(await stateOf(invitation)).toBe('accepted')
    const [entry] = await acceptances(invitation.id)
    expect(entry?.payload).toMatchObject({ organizationId: acme, userId: account?.id, result: 'Success' })
  })

  it('tells hooks about a new member and about the roles of one who was a member', async () => {
    const { url } = await newReceiver()
    const hook = { event: 'Organization.Membership.Updated', config: { url, retries: 0 } }
    const { id: hookId } = (await (await operator.send('POST', '/hooks', hook)).json()) as { id: string }
    const role = await storeOrganizationRole()
    const newcomer = await invite({ roleIds: [role.id] })
    await create(newcomer.token)
    const visited = await invite({ roleIds: [role.id] })
    const { client, userId } = await visitorWith(visited.email)
    await storeMembership({ organizationId: acme, userId, roleIds: [] })
    await send(client, visited.token, 'accept')
    const { results } = await app.env.DB.prepare('select payload from outbox where hook_id = ?')
      .bind(hookId)
      .all<{ payload: string }>()
    const change = (id: string | undefined) => [{ userId: id, roleIds: [role.id] }]
    const joined = (await accountOf(newcomer.email))?.id
    expect(results.map(({ payload }) => JSON.parse(payload))).toEqual([
      expect.objectContaining({ actor: { type: 'user', id: joined }, added: change(joined), updated: [] }),
      expect.objectContaining({ actor: { type: 'user', id: userId }, added: [], updated: change(userId) }),
    ])
    await operator.send('DELETE', `/hooks/${hookId}`)
  })

  it('is only shown by GET and HEAD', async () => {
    const invitation = await invite()
    const { client } = await visitorWith(invitation.email)
    expect((await open(invitation.token, client)).html).toContain('value="accept"')
    const head = await app.fetch(`${PAGE}?token=${invitation.token}&intent=accept`, { method: 'HEAD' })
    expect(head.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await stateOf(invitation)).toBe('pending')
  })

  it('makes one member and one successful audit entry when accepted twenty times at once', async () => {
    const to = await storeOrganization()
    const { id, email, token } = await invite({}, { to })
    const { client, userId } = await visitorWith(email)
    const uses = await Promise.all(Array.from({ length: 20 }, () => send(client, token, 'accept')))
    expect(uses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      303,
      ...Array.from({ length: 19 }, () => 404),
    ])
    expect(await membersOf(to)).toEqual([{ userId, sources: 'invitation', roles: null }])
    const results = (await acceptances(id)).map(({ payload }) => payload.result)
    expect(results.filter((result) => result === 'Success')).toHaveLength(1)
    expect(await uses.find(({ status }) => status === 404)?.text()).toContain('already used')
  })

  it('is never accepted by another account, which can continue without joining', async () => {
    const invitation = await invite()
    const other = await visitorWith(freshEmail())
    const { html } = await open(invitation.token, other.client)
    expect(html).toContain('for a different address')
    expect(html).not.toContain('value="accept"')
    expect((await send(other.client, invitation.token, 'accept')).status).toBe(422)
    const continued = await send(other.client, invitation.token, 'continue')
    expect([continued.status, continued.headers.get('location')]).toEqual([303, '/account'])
    const signIn = await send(other.client, invitation.token, 'signIn')
    const hint = new URL(signIn.headers.get('location') ?? '', ORIGIN).searchParams.get('login_hint')
    expect(hint).toBe(invitation.email)
    expect(await stateOf(invitation)).toBe('pending')
  })

  it('is not accepted by an account that has not verified the address, or that is suspended', async () => {
    const invitation = await invite()
    const { client, userId } = await visitorWith(invitation.email)
    await sql('update users set email_verified = 0 where id = ?', userId)
    expect((await send(client, invitation.token, 'accept')).status).toBe(422)
    await sql('update users set email_verified = 1, is_suspended = 1 where id = ?', userId)
    await send(client, invitation.token, 'accept')
    expect(await stateOf(invitation)).toBe('pending')
  })

  it('is not accepted by a form of another site', async () => {
    const invitation = await invite()
    const { client } = await visitorWith(invitation.email)
    const form = { token: invitation.token, intent: 'accept' }
    const answer = await client.post(PAGE, form, { origin: 'https://evil.example' })
    expect([answer.status, await stateOf(invitation)]).toEqual([403, 'pending'])
  })

  it('names the organisation and the inviter in the language of the invited person, and no clickable text', async () => {
    const to = await storeOrganization({ name: 'Win at evil.example/now' })
    const administrator = await newAdministrator(app, operator, ['admin-role'])
    await sql("update users set name = 'Ann <b>' where id = ?", administrator.id)
    const { email } = await visitorWith(freshEmail()).then(async ({ userId }) => {
      const address = freshEmail()
      await sql(
        `update users set primary_email = ?, profile = '{"locale":"fr"}' where id = ?`,
        address,
        userId,
      )
      return { email: address }
    })
    await invite({ email }, { to, by: administrator })
    const french = await sentMail(email)
    expect(french.subject).toMatch(/^Votre invitation à rejoindre Win at evil\.\u2060example\/\u2060now/)
    expect(french.html).toContain('Ann &#60;b&#62; vous invite')
    const german = await invite({ language: 'de' })
    expect((await sentMail(german.email)).body).toContain('Sie sind eingeladen, Acme bei')
  })
})

describe('the link of an invitation to an organisation says why it is refused', () => {
  it.each([
    {
      what: 'expired',
      statement: 'update organization_invitations set expires_at = 1 where id = ?',
      says: 'has expired',
    },
    {
      what: 'revoked',
      statement: 'update organization_invitations set revoked_at = 1 where id = ?',
      says: 'was revoked',
    },
    {
      what: 'used',
      statement: 'update organization_invitations set accepted_at = 1 where id = ?',
      says: 'already used',
    },
    {
      what: 'for a role that was deleted',
      statement:
        "delete from organization_roles where id = (select role_ids ->> '$[0]' from organization_invitations where id = ?)",
      says: 'no longer valid',
    },
    {
      what: 'to an organisation that was deleted',
      statement:
        'delete from organizations where id = (select organization_id from organization_invitations where id = ?)',
      says: 'already used',
    },
  ])('it is $what', async ({ statement, says }) => {
    const to = await storeOrganization()
    const { id, email, token } = await invite({ roleIds: [(await storeOrganizationRole()).id] }, { to })
    await sql(statement, id)
    const { status, html } = await open(token)
    expect([status, html]).toEqual([404, expect.stringContaining(says)])
    expect((await create(token)).status).toBe(404)
    expect([await accountOf(email), await membersOf(to)]).toEqual([null, []])
  })

  it('is replayed', async () => {
    const { email, token } = await invite()
    const { client } = await visitorWith(email)
    expect((await send(client, token, 'accept')).status).toBe(303)
    const replay = await send(client, token, 'accept')
    expect([replay.status, await replay.text()]).toEqual([404, expect.stringContaining('already used')])
  })

  it('is unknown in another tenant and on the page of other invitations', async () => {
    const { operator: theirs, site } = await openTenant(app, 'org-invitations')
    const tenantId = 'org-invitations'
    const to = await storeOrganization({ tenantId })
    const answer = await theirs.send('POST', `/organizations/${to}/invitations`, { email: freshEmail() })
    const { email } = (await answer.json()) as Invitation
    const { token } = await sentMail(email)
    expect((await site.fetch(`${PAGE}?token=${token}`)).status).toBe(200)
    expect((await open(token)).status).toBe(404)
    expect((await create(token)).status).toBe(404)
    expect((await site.fetch(`/account/invitation?token=${token}`)).status).toBe(404)
    expect((await theirs.get(`/organizations/${acme}/invitations`)).status).toBe(404)
  })

  it.each([
    { what: 'is unchanged', statement: 'select id from users where id = ?', works: true },
    { what: 'was removed', statement: 'delete from organization_users where user_id = ?', works: false },
    { what: 'was demoted', statement: 'delete from organization_user_roles where user_id = ?', works: false },
    { what: 'was deleted', statement: 'delete from users where id = ?', works: false },
    { what: 'was suspended', statement: 'update users set is_suspended = 1 where id = ?', works: false },
    {
      what: 'was signed out everywhere',
      statement: 'update users set revoked_at = 9e12 where id = ?',
      works: false,
    },
  ])('the inviting member $what', async ({ statement, works }) => {
    const manager = await storeOrganizationRole(['members:read', 'members:manage'])
    const role = await storeOrganizationRole(['members:read'])
    const { email, token, userId } = await invitedByMember([role.id], [manager.id])
    await sql(statement, userId)
    expect((await open(token)).html.includes('no longer valid')).toBe(!works)
    expect((await create(token)).status).toBe(works ? 303 : 404)
    expect((await accountOf(email)) !== null).toBe(works)
  })

  it.each([
    { what: 'owner role', roleOf: async () => OWNER_ROLE.id },
    { what: 'permission', roleOf: async () => (await storeOrganizationRole(['domains:manage'])).id },
  ])('gives a $what above the present authority of the inviting member', async ({ roleOf }) => {
    const manager = await storeOrganizationRole(['members:manage'])
    const { email, token } = await invitedByMember([await roleOf()], [manager.id])
    expect((await create(token)).status).toBe(404)
    expect(await accountOf(email)).toBeNull()
  })

  it('gives a role to which a scope was added that the inviting member lacks', async () => {
    const manager = await storeOrganizationRole(['members:manage'])
    const role = await storeOrganizationRole()
    const { token } = await invitedByMember([role.id], [manager.id])
    expect((await open(token)).status).toBe(200)
    await sql(
      "insert into organization_scopes (tenant_id, id, name) values ('default', ?, ?)",
      role.id,
      role.name,
    )
    await sql(
      "insert into organization_role_scopes (tenant_id, role_id, scope_id) values ('default', ?, ?)",
      role.id,
      role.id,
    )
    expect((await create(token)).status).toBe(404)
  })

  it('was sent by an administrator who may no longer change organisations', async () => {
    const administrator = await newAdministrator(app, operator, ['admin-role'])
    const { token } = await invite({}, { by: administrator })
    await operator.send('PUT', `/users/${administrator.id}/roles`, { roleIds: ['read-only-role'] })
    expect((await create(token)).status).toBe(404)
  })
})

describe('the management of invitations to an organisation', () => {
  const outcome = async (answer: Response) => [
    answer.status,
    ((await answer.json()) as { code: string }).code,
  ]
  const invitations = (organizationId = acme) => `/organizations/${organizationId}/invitations`

  it('replaces the open invitation of an address, whatever its letters', async () => {
    const email = `Ann.${freshName()}@Example.com`
    const first = await invite({ email })
    const second = await invite({ email: email.toUpperCase() })
    expect(second.email).toBe(email.toLowerCase())
    expect([await stateOf(first), await stateOf(second)]).toEqual(['revoked', 'pending'])
    expect((await open(first.token)).status).toBe(404)
    const racing = await Promise.all(Array.from({ length: 3 }, () => invite({ email })))
    const states = await Promise.all(racing.map(stateOf))
    expect(states.filter((state) => state === 'pending')).toHaveLength(1)
  })

  it('sends an invitation again, with a new link and the same lifetime', async () => {
    const { id, email, token, ...invitation } = await invite({ lifetimeSeconds: 3600 })
    const answer = await operator.send('POST', `${invitations()}/${id}/send`)
    const { expiresAt, state } = (await answer.json()) as Invitation
    expect([answer.status, state]).toEqual([200, 'pending'])
    expect(Math.abs(expiresAt - Date.now() - HOUR)).toBeLessThan(HOUR / 2)
    expect((await open(token)).status).toBe(404)
    expect((await create((await sentMail(email)).token)).status).toBe(303)
    expect((await operator.send('POST', `${invitations()}/${id}/send`)).status).toBe(404)
    expect(await stateOf({ id, email, token, ...invitation })).toBe('accepted')
  })

  it('revokes an invitation once, only in its own organisation', async () => {
    const other = await storeOrganization()
    const { id } = await invite()
    const revoke = async (of: string) => (await operator.send('DELETE', `${invitations(of)}/${id}`)).status
    expect([await revoke(other), await revoke(acme), await revoke(acme)]).toEqual([404, 204, 404])
    expect((await operator.get(`${invitations(other)}/${id}`)).status).toBe(404)
    const list = (await (await operator.get(`${invitations()}?state=revoked`)).json()) as Invitation[]
    expect(list.map((row) => row.id)).toContain(id)
    expect(list.every(({ state }) => state === 'revoked')).toBe(true)
  })

  it.each([
    { what: 'a padded role', body: { roleIds: [' owner'] }, refusal: [404, 'entity.not_exists_with_id'] },
    { what: 'a role by its name', body: { roleIds: ['Owner'] }, refusal: [404, 'entity.not_exists_with_id'] },
    { what: 'a number as a role', body: { roleIds: [1] }, refusal: [400, 'guard.invalid_input'] },
    {
      what: 'a role of the tenant',
      body: { roleIds: ['admin-role'] },
      refusal: [404, 'entity.not_exists_with_id'],
    },
    {
      what: 'two addresses',
      body: { email: 'a@b.example, c@d.example' },
      refusal: [400, 'guard.invalid_input'],
    },
  ])('refuses $what', async ({ body, refusal }) => {
    const answer = await operator.send('POST', invitations(), { email: freshEmail(), ...body })
    expect(await outcome(answer)).toEqual(refusal)
  })

  it('refuses an address that a member has verified, and an unknown organisation', async () => {
    const email = freshEmail()
    const { userId } = await visitorWith(email)
    await storeMembership({ organizationId: acme, userId, roleIds: ['owner'] })
    const answer = await operator.send('POST', invitations(), { email: email.toUpperCase() })
    expect(await outcome(answer)).toEqual([422, 'organization.already_member'])
    const unknown = await operator.send('POST', invitations('nothing'), { email })
    expect(await outcome(unknown)).toEqual([404, 'entity.not_exists_with_id'])
  })

  it('sends at most five links a day to an address, of all organisations', async () => {
    const email = freshEmail()
    const statuses = []
    for (let index = 0; index < 6; index++) {
      const to = await storeOrganization()
      statuses.push((await operator.send('POST', invitations(to), { email })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })
})
