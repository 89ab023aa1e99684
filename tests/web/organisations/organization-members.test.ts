import { beforeAll, describe, expect, it } from 'vitest'
import { type AccountVisitor, ageSignIn, locationOf } from '../../kit/account-centre.ts'
import { auditEntries } from '../../kit/audit-entries.ts'
import type { CookieClient } from '../../kit/clients/cookie-client.ts'
import { freshEmail } from '../../kit/clients/interaction-client.ts'
import { compressedSize } from '../../kit/compressed-size.ts'
import {
  storeMembership,
  storeOrganization,
  storeOrganizationRole,
} from '../../kit/organisations/organizations.ts'
import { fieldsOf, formWith } from '../../kit/page-forms.ts'
import { storeVisitor } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/**
 * Tests the page of an organisation's members, and that the forms of all pages about organisations refuse what the
 * user's roles do not permit (spec/organisations#account-centre).
 */

type Visitor = AccountVisitor & { userId: string }

let app: TestApp
let adminRole: string
let readerRole: string
beforeAll(async () => {
  await setTenantSettings(openTestApp(), { accountCentre: { enabled: true } })
  app = openTestApp({}, { hasCalmDatabase: true })
  adminRole = (await storeOrganizationRole(['members:read', 'members:manage'], 'admin of members')).id
  readerRole = (await storeOrganizationRole(['members:read'], 'reader of members')).id
})

const newVisitor = (): Promise<Visitor> => storeVisitor(app)
const htmlOf = async (client: CookieClient, path: string) => (await client.get(path)).text()

/** An organisation with an owner, an administrator of members, and a member who may only see them. */
async function newTeam() {
  const [owner, admin, reader] = [await newVisitor(), await newVisitor(), await newVisitor()]
  const id = await storeOrganization({ name: 'Team' })
  await storeMembership({ organizationId: id, userId: owner.userId, roleIds: ['owner'] })
  await storeMembership({ organizationId: id, userId: admin.userId, roleIds: [adminRole] })
  await storeMembership({ organizationId: id, userId: reader.userId, roleIds: [readerRole] })
  return { id, path: `/account/organizations/${id}`, owner, admin, reader }
}

const rolesOf = async (organizationId: string, { userId }: Visitor) => {
  const rows = await app.env.DB.prepare(
    'select role_id from organization_user_roles where organization_id = ? and user_id = ? order by role_id',
  )
    .bind(organizationId, userId)
    .all<{ role_id: string }>()
  return rows.results.map((row) => row.role_id)
}

describe('the page of members', () => {
  it('changes the roles of a member and removes the member', async () => {
    const { id, path, owner, reader } = await newTeam()
    const page = await htmlOf(owner.client, `${path}/members`)
    expect(page.match(/id="member-/g)).toHaveLength(3)
    const form = page.split('<form').find((text) => text.includes(`value="${reader.userId}"`)) ?? ''
    expect(fieldsOf(form)).toEqual({ id: reader.userId, roleIds: readerRole })
    const change = { intent: 'changeRoles', id: reader.userId, roleIds: adminRole }
    const saved = await owner.client.post(`${path}/members`, change)
    expect([saved.status, locationOf(saved)]).toEqual([303, `${path}/members`])
    expect(await rolesOf(id, reader)).toEqual([adminRole])
    const removed = await owner.client.post(`${path}/members`, { intent: 'remove', id: reader.userId })
    expect(removed.status).toBe(303)
    expect((await reader.client.get(path)).status).toBe(404)
    const log = await htmlOf(owner.client, `${path}/activity`)
    const pattern = `Member removed</span>.*?${reader.username}.*?By <bdi>${owner.username}</bdi>`
    expect(log).toMatch(new RegExp(pattern, 's'))
  })

  it('shows pages of 20 and finds members, in one round trip and 14 kB', async () => {
    const { id, path, owner } = await newTeam()
    for (let count = 0; count < 22; count++)
      await storeMembership({ organizationId: id, userId: (await newVisitor()).userId, roleIds: [adminRole] })
    await owner.client.get(`${path}/members`)
    app.trips()
    const first = await htmlOf(owner.client, `${path}/members`)
    expect(app.trips()).toEqual({ awaited: 1, afterwards: 0 })
    expect(first.match(/id="member-/g)).toHaveLength(20)
    expect(compressedSize(first)).toBeLessThanOrEqual(14_000)
    expect(first).toContain(`href="${path}/members?page=2"`)
    const second = await htmlOf(owner.client, `${path}/members?page=2`)
    expect(second.match(/id="member-/g)).toHaveLength(5)
    const search = await htmlOf(owner.client, `${path}/members?q=${owner.username.toUpperCase()}`)
    expect(search.match(/id="member-/g)).toHaveLength(1)
    const none = await htmlOf(owner.client, `${path}/members?q=%25_"nobody`)
    expect(none).toContain('No members match your search.')
  })

  it('lets nobody but owners take the owner role, and never the last owner’s', async () => {
    const { id, path, owner, admin } = await newTeam()
    const page = await htmlOf(admin.client, `${path}/members`)
    const form = page.split('<form').find((text) => text.includes(`value="${owner.userId}"`)) ?? ''
    expect(form).toContain('<input type="hidden" name="roleIds" value="owner"/>')
    const take = { intent: 'changeRoles', id: owner.userId }
    expect((await admin.client.post(`${path}/members`, take)).status).toBe(403)
    const last = await owner.client.post(`${path}/members`, take)
    expect([last.status, (await last.text()).includes('needs at least one owner')]).toEqual([422, true])
    expect(await rolesOf(id, owner)).toEqual(['owner'])
  })

  it('keeps an owner when the last two leave at once', async () => {
    const { id, path, owner, admin } = await newTeam()
    await storeMembership({ organizationId: id, userId: admin.userId, roleIds: ['owner'] })
    const answers = await Promise.all(
      [owner, admin].map(({ client }) => client.post(path, { intent: 'leave' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422])
  })
})

describe('a hostile form', () => {
  const forms = [
    ['', { intent: 'delete', confirm: 'Team' }],
    ['/members', { intent: 'changeRoles', id: '{member}', roleIds: '{reader}' }],
    ['/members', { intent: 'remove', id: '{member}' }],
    ['/invitations', { intent: 'invite', email: 'eve@example.com', roleIds: '{reader}' }],
    ['/invitations', { intent: 'resend', id: '{invitation}' }],
    ['/invitations', { intent: 'revoke', id: '{invitation}' }],
    ['/domains', { intent: 'add', domain: 'evil.example.com' }],
    ['/domains', { intent: 'check', id: '{domain}' }],
    ['/domains', { intent: 'change', id: '{domain}', join: 'automatic', roleIds: '{reader}' }],
    ['/domains', { intent: 'remove', id: '{domain}' }],
    ['/settings', { intent: 'save', name: 'Evil' }],
    ['/settings', { intent: 'savePolicy', networks: '0.0.0.0/0' }],
  ] as const

  /** Sends every form as this user. `foreign` replaces the id of the organisation in the path. */
  async function sendAll(client: CookieClient, { id, reader }: Awaited<ReturnType<typeof newTeam>>) {
    const invitation = await storeInvitation(id, reader.userId)
    const values: Record<string, string> = {
      '{member}': reader.userId,
      '{reader}': readerRole,
      '{invitation}': invitation,
      '{domain}': await storeDomain(id),
    }
    return Promise.all(
      forms.map(async ([page, form]) => {
        const fields = Object.entries(form).map(([name, value]) => [name, values[value] ?? value])
        const answer = await client.post(`/account/organizations/${id}${page}`, Object.fromEntries(fields))
        return [`${page} ${form.intent}`, answer.status]
      }),
    )
  }

  const stateOf = async (id: string) => {
    const tables = ['organizations', 'organization_users', 'organization_user_roles']
    const rows = tables.map((table) => {
      const column = table === 'organizations' ? 'id' : 'organization_id'
      return app.env.DB.prepare(`select * from ${table} where ${column} = ?`).bind(id).all()
    })
    return (await Promise.all(rows)).map(({ results }) => results)
  }

  const refusedWith = (status: number) => forms.map(([page, { intent }]) => [`${page} ${intent}`, status])

  it('of a member without the permission is refused, changes nothing, and is audited', async () => {
    const team = await newTeam()
    const before = await stateOf(team.id)
    expect(await sendAll(team.reader.client, team)).toEqual(refusedWith(403))
    expect(await stateOf(team.id)).toEqual(before)
    await expect
      .poll(async () => {
        const entries = await auditEntries(app.env.DB)
        return entries.filter(
          ({ payload }) => payload.userId === team.reader.userId && payload.result === 'Error',
        ).length
      })
      .toBe(forms.length)
  })

  it('of a stranger is refused as if the organisation did not exist', async () => {
    const team = await newTeam()
    const before = await stateOf(team.id)
    expect(await sendAll((await newVisitor()).client, team)).toEqual(refusedWith(404))
    expect(await stateOf(team.id)).toEqual(before)
  })

  it('of an owner reaches no member, invitation or role of another organisation', async () => {
    const [own, foreign] = [await newTeam(), await newTeam()]
    const before = await stateOf(foreign.id)
    const invitation = await storeInvitation(foreign.id, foreign.owner.userId)
    const domain = await storeDomain(foreign.id)
    const { client } = own.owner
    const statuses = await Promise.all(
      [
        client.post(`${own.path}/members`, { intent: 'remove', id: foreign.reader.userId }),
        client.post(`${own.path}/members`, {
          intent: 'changeRoles',
          id: foreign.reader.userId,
          roleIds: 'owner',
          organizationId: foreign.id,
        }),
        client.post(`${own.path}/invitations`, { intent: 'resend', id: invitation }),
        client.post(`${own.path}/domains`, { intent: 'check', id: domain }),
        client.post(`${own.path}/domains`, { intent: 'change', id: domain, join: 'off' }),
        client.post(`${own.path}/domains`, { intent: 'remove', id: domain }),
        client.post(`${own.path}/invitations`, { intent: 'revoke', id: invitation }),
        client.post(`${own.path}/members`, {
          intent: 'changeRoles',
          id: own.reader.userId,
          roleIds: ' owner',
        }),
        client.post(`${own.path}/members`, {
          intent: 'changeRoles',
          id: own.reader.userId,
          roleIds: 'OWNER',
        }),
      ].map(async (answer) => (await answer).status),
    )
    expect(statuses).toEqual(statuses.map(() => 404))
    expect(await stateOf(foreign.id)).toEqual(before)
    expect(await rolesOf(own.id, own.reader)).toEqual([readerRole])
  })

  it('cannot give a role above one’s own', async () => {
    const { id, path, admin, reader } = await newTeam()
    const strongRole = (await storeOrganizationRole(['domains:manage'], 'domains')).id
    for (const roleIds of ['owner', strongRole]) {
      const change = { intent: 'changeRoles', id: reader.userId, roleIds }
      expect((await admin.client.post(`${path}/members`, change)).status).toBe(403)
      const invite = { intent: 'invite', email: freshEmail(), roleIds }
      expect((await admin.client.post(`${path}/invitations`, invite)).status).toBe(403)
    }
    expect(await rolesOf(id, reader)).toEqual([readerRole])
  })

  it('from a page that is older than one’s own demotion is refused', async () => {
    const { path, owner, admin, reader } = await newTeam()
    const form = formWith('changeRoles', await htmlOf(admin.client, `${path}/members`)) ?? ''
    await owner.client.post(`${path}/members`, {
      intent: 'changeRoles',
      id: admin.userId,
      roleIds: readerRole,
    })
    const stale = { ...fieldsOf(form), id: reader.userId, roleIds: adminRole, intent: 'changeRoles' }
    const refused = await admin.client.post(`${path}/members`, stale)
    expect([refused.status, (await refused.text()).includes('Your role in this organization')]).toEqual([
      403,
      true,
    ])
  })

  it('of another site is refused, and so is one without a recent sign-in', async () => {
    const { id, path, owner, reader } = await newTeam()
    const change = { intent: 'remove', id: reader.userId }
    const foreign = await owner.client.post(`${path}/members`, change, { origin: 'https://evil.example' })
    expect(foreign.status).toBe(403)
    await ageSignIn(app, owner.client, 1_000)
    for (const form of [change, { ...change, intent: 'changeRoles' }]) {
      const answer = await owner.client.post(`${path}/members`, form)
      expect([answer.status, locationOf(answer)]).toEqual([303, expect.stringContaining('max_age=600')])
    }
    expect(await rolesOf(id, reader)).toEqual([readerRole])
  })

  it('that is sent twice has the effect of one', async () => {
    const { path, owner, reader } = await newTeam()
    const change = { intent: 'remove', id: reader.userId }
    await Promise.all([1, 2].map(() => owner.client.post(`${path}/members`, change)))
    const entries = (await auditEntries(app.env.DB)).filter(
      ({ payload }) => payload.memberId === reader.userId,
    )
    expect(entries.filter(({ payload }) => payload.result === 'Success')).toHaveLength(1)
  })

  it('accepts no invitation to another address, and none twice', async () => {
    const { id, path, owner } = await newTeam()
    const [guest, thief] = [await newVisitor(), await newVisitor()]
    const email = freshEmail()
    await setEmail(guest, email, true)
    await setEmail(thief, freshEmail(), true)
    await owner.client.post(`${path}/invitations`, { intent: 'invite', email })
    const invitation = String(
      await app.env.DB.prepare('select id from organization_invitations where email = ?')
        .bind(email)
        .first('id'),
    )
    const accept = (visitor: Visitor, intent = 'accept') =>
      visitor.client.post('/account/organizations', { intent, id: invitation })
    for (const intent of ['accept', 'decline']) expect((await accept(thief, intent)).status).toBe(404)
    await setEmail(guest, email, false)
    for (const intent of ['accept', 'decline']) expect((await accept(guest, intent)).status).toBe(404)
    await setEmail(guest, email, true)
    const answers = await Promise.all([1, 2, 3].map(() => accept(guest)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404])
    expect(await rolesOf(id, guest)).toEqual([])
  })

  const setEmail = ({ userId }: Visitor, email: string, isVerified: boolean) =>
    app.env.DB.prepare('update users set primary_email = ?, email_verified = ? where id = ?')
      .bind(email, isVerified ? 1 : 0, userId)
      .run()
})

/** Stores an open invitation of a member. Returns its id. */
async function storeInvitation(organizationId: string, inviterId: string): Promise<string> {
  const id = crypto.randomUUID().slice(0, 21)
  await app.env.DB.prepare(
    `insert into organization_invitations (tenant_id, id, organization_id, email, role_ids, digest, inviter_type,
      inviter_id, created_at, sent_at, expires_at) values ('default', ?1, ?2, ?3, '[]', ?1, 'member', ?4, ?5, ?5, ?5 + 1e8)`,
  )
    .bind(id, organizationId, freshEmail(), inviterId, Date.now())
    .run()
  return id
}

/** Stores a domain that the organisation has not proved. Returns it. */
async function storeDomain(organizationId: string): Promise<string> {
  const domain = `${crypto.randomUUID()}.example.com`
  await app.env.DB.prepare(
    `insert into organization_domains (tenant_id, organization_id, domain, token, created_at)
     values ('default', ?, ?, 'token', ?)`,
  )
    .bind(organizationId, domain, Date.now())
    .run()
  return domain
}
