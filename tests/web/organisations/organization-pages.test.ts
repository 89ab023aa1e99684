import { beforeAll, describe, expect, it, vi } from 'vitest'
import { randomId } from '../../../src/storage/ids.ts'
import { ageSignIn, locationOf } from '../../kit/account-centre.ts'
import { auditEntries } from '../../kit/audit-entries.ts'
import type { CookieClient } from '../../kit/clients/cookie-client.ts'
import { freshEmail, outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { compressedSize } from '../../kit/compressed-size.ts'
import {
  storeMembership,
  storeOrganization,
  storeOrganizationRole,
} from '../../kit/organisations/organizations.ts'
import { fieldsOf, formWith } from '../../kit/page-forms.ts'
import { storeMember, storeVisitor } from '../../kit/stored-session.ts'
import { setTenantSettings } from '../../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the pages about organisations, without JavaScript (spec/organisations#account-centre). */

let app: TestApp
let adminRole: string
beforeAll(async () => {
  await setTenantSettings(openTestApp(), {
    accountCentre: { enabled: true },
    organizations: { usersMayCreate: true, mostPerUser: 2, accessTokenTtl: 600 },
  })
  app = openTestApp({}, { hasCalmDatabase: true })
  adminRole = (await storeOrganizationRole(['members:read', 'members:manage'], 'admin')).id
})

/** Stores an organisation with these members, each with the ids of the roles. Returns its id. */
async function newOrganization(name: string, members: Readonly<Record<string, readonly string[]>> = {}) {
  const id = await storeOrganization({ name })
  for (const [userId, roleIds] of Object.entries(members))
    await storeMembership({ organizationId: id, userId, roleIds })
  return id
}

const LIST = '/account/organizations'
const htmlOf = async (client: CookieClient, path: string) => (await client.get(path)).text()
const namesOn = (html: string) =>
  [...html.matchAll(/href="\/account\/organizations\/[\w-]+".*?<bdi>(.*?)<\/bdi>/gs)].map(([, name]) => name)

/** Sends a form with its own fields, as a browser does. */
async function submit(
  client: CookieClient,
  path: string,
  intent: string,
  typed: Record<string, string> = {},
) {
  const form = formWith(intent, await htmlOf(client, path))
  if (form === undefined) throw new Error(`${path} has no form ${intent}`)
  return client.post(path, { ...fieldsOf(form), ...typed, intent })
}

describe('a user', () => {
  it('creates an organisation, sees it as its owner, and deletes it by typing its name', async () => {
    const { client } = await storeVisitor(app)
    const created = await submit(client, `${LIST}?edit=new`, 'create', { name: ' Acme Ltd. ' })
    const path = locationOf(created)
    expect([created.status, path]).toEqual([303, expect.stringMatching(/^\/account\/organizations\/\w{21}$/)])
    const page = await htmlOf(client, path)
    expect(page).toContain('Organization created.')
    expect(page).toMatch(/<h1><bdi>Acme Ltd.<\/bdi><\/h1>/)
    expect(namesOn(await htmlOf(client, LIST))).toEqual(['Acme Ltd.'])

    const wrong = await submit(client, `${path}?edit=delete`, 'delete', { confirm: 'Acme' })
    const again = await wrong.text()
    expect(wrong.status).toBe(422)
    expect(again).toContain('Type Acme Ltd. to delete the organization.')
    expect(again).toContain('value="Acme"')
    const deleted = await submit(client, `${path}?edit=delete`, 'delete', { confirm: 'acme ltd.' })
    expect([deleted.status, locationOf(deleted)]).toEqual([303, LIST])
    expect(await htmlOf(client, LIST)).toContain('The organization Acme Ltd. has been deleted.')
    expect((await client.get(path)).status).toBe(404)
  })

  it('creates at most as many organisations as the tenant allows, also with two forms at once', async () => {
    const { client } = await storeVisitor(app)
    await submit(client, `${LIST}?edit=new`, 'create', { name: 'First' })
    const answers = await Promise.all(
      ['Second', 'Third'].map((name) => submit(client, `${LIST}?edit=new`, 'create', { name })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 422])
    expect(namesOn(await htmlOf(client, LIST))).toHaveLength(2)
  })

  it.each([
    { of: 'control characters', name: 'Acme\u0000\u202eLtd' },
    { of: '10,000 characters', name: 'a'.repeat(10_000) },
    { of: 'nothing', name: '  ' },
  ])('gets the reason next to the field for a name of $of, and loses nothing', async ({ name }) => {
    const { client } = await storeVisitor(app)
    const refused = await client.post(LIST, { intent: 'create', name })
    const html = await refused.text()
    expect(refused.status).toBe(422)
    expect(html).toMatch(/<p class="field-problem" id="name-problem" role="alert">The Name is invalid/)
    if (name.length > 100) expect(html).toContain(`value="${name}"`)
  })

  it('leaves an organisation, unless nobody else owns it', async () => {
    const owner = await storeVisitor(app)
    const guest = await storeVisitor(app)
    const id = await newOrganization('Leaving', { [owner.userId]: ['owner'], [guest.userId]: [] })
    const path = `${LIST}/${id}`
    const left = await submit(guest.client, `${path}?edit=leave`, 'leave')
    expect([left.status, locationOf(left)]).toEqual([303, LIST])
    const refused = await submit(owner.client, `${path}?edit=leave`, 'leave')
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('An organization needs at least one owner.'),
    ])
    // Refusals are recorded after the response.
    await vi.waitFor(async () => {
      const entries = (await auditEntries(app.env.DB)).filter(({ payload }) => payload.organizationId === id)
      expect(entries.map(({ key, payload }) => [key, payload.userId, payload.result])).toEqual([
        ['Account.OrganizationMember.Delete', guest.userId, 'Success'],
        ['Account.OrganizationMember.Delete', owner.userId, 'Error'],
      ])
    })
  })
})

/** Gives a user a verified address. */
async function setEmail(userId: string, email = freshEmail()): Promise<string> {
  await app.env.DB.prepare('update users set primary_email = ? where id = ?').bind(email, userId).run()
  return email
}

describe('a member who manages others', () => {
  it('invites an address, whose owner accepts on the page, joins, and is in the log', async () => {
    const [admin, guest] = [await storeVisitor(app), await storeVisitor(app)]
    const email = await setEmail(guest.userId)
    const id = await newOrganization('Inviting', { [admin.userId]: ['owner'] })
    const path = `${LIST}/${id}/invitations`
    const typed = { email: email.toUpperCase(), roleIds: adminRole }
    const invited = await submit(admin.client, path, 'invite', typed)
    expect([invited.status, locationOf(invited)]).toEqual([303, path])
    expect(await htmlOf(admin.client, path)).toContain(`Invitation sent to ${typed.email}.`)
    const list = await htmlOf(guest.client, LIST)
    expect(list).toMatch(/<bdi id="invitation-\w+">Inviting<\/bdi>.*?admin/s)
    const accepted = await submit(guest.client, LIST, 'accept')
    expect([accepted.status, locationOf(accepted)]).toEqual([303, `${LIST}/${id}`])
    expect(await htmlOf(guest.client, `${LIST}/${id}`)).toContain('You’re now a member.')
    expect(await htmlOf(admin.client, path)).not.toContain('value="resend"')
    // The roles that an invitation gave can be taken away again.
    const form = { intent: 'changeRoles', id: guest.userId }
    expect((await admin.client.post(`${LIST}/${id}/members`, form)).status).toBe(303)
    expect((await guest.client.get(`${LIST}/${id}/members`)).status).toBe(403)

    const log = await htmlOf(admin.client, `${LIST}/${id}/activity`)
    const titles = [...log.matchAll(/account-row-title">(.*?)</g)].map(([, title]) => title)
    expect(titles).toEqual(['Roles of a member changed', 'Member joined', 'Invitation sent'])
    expect(log).toContain(`<bdi>${email}</bdi>`)
    expect((await guest.client.get(`${LIST}/${id}/activity`)).status).toBe(403)
  })

  it('sees nothing in the log that happened in a deleted organisation with the same id', async () => {
    const [former, owner] = [await storeVisitor(app), await storeVisitor(app)]
    const id = await newOrganization('Former', { [former.userId]: ['owner'] })
    await submit(former.client, `${LIST}/${id}/settings`, 'save', { name: 'Renamed' })
    expect(await htmlOf(former.client, `${LIST}/${id}/activity`)).toContain('account-row-title')
    const operator = await newOperator(app)
    await operator.send('DELETE', `/organizations/${id}`)
    await operator.send('POST', '/organizations', { id, name: 'Next', ownerId: owner.userId })
    const log = await htmlOf(owner.client, `${LIST}/${id}/activity`)
    const titles = [...log.matchAll(/account-row-title">(.*?)</g)].map(([, title]) => title)
    expect(titles).toEqual(['Organization created'])
  })

  it('sends an invitation again, revokes it, and its owner declines the next one', async () => {
    const [admin, guest] = [await storeVisitor(app), await storeVisitor(app)]
    const email = await setEmail(guest.userId)
    const id = await newOrganization('Revoking', { [admin.userId]: ['owner'] })
    const path = `${LIST}/${id}/invitations`
    await submit(admin.client, path, 'invite', { email })
    for (const intent of ['resend', 'revoke'])
      expect((await submit(admin.client, path, intent)).status).toBe(303)
    expect(await htmlOf(guest.client, LIST)).not.toContain('Revoking')
    await submit(admin.client, path, 'invite', { email })
    expect((await submit(guest.client, LIST, 'decline')).status).toBe(303)
    expect(await htmlOf(admin.client, path)).not.toContain('value="resend"')
  })

  it('keeps what was typed if the form is rejected, or after the sign-in that it needs', async () => {
    const { client, userId } = await storeVisitor(app)
    const path = `${LIST}/${await newOrganization('Typing', { [userId]: ['owner'] })}/invitations`
    const wrong = await submit(client, path, 'invite', { email: 'nobody', roleIds: adminRole })
    const html = await wrong.text()
    expect([wrong.status, html.includes('The Email is invalid')]).toEqual([422, true])
    const form = formWith('invite', html) ?? ''
    expect(fieldsOf(form)).toMatchObject({ email: 'nobody', roleIds: adminRole })
    await ageSignIn(app, client, 1_000)
    const answer = await submit(client, path, 'invite', { email: freshEmail(), roleIds: adminRole })
    expect([answer.status, locationOf(answer)]).toEqual([303, expect.stringContaining('max_age=600')])
  })
})

describe('the settings of an organisation', () => {
  it('are changed by its form, and emptied fields are removed', async () => {
    const { client, userId } = await storeVisitor(app)
    const id = await newOrganization('Settings', { [userId]: ['owner'] })
    const path = `${LIST}/${id}/settings`
    const brand = { logo: 'https://acme.example/logo.svg', color: '#336699', isPublic: 'true' }
    await submit(client, path, 'save', { name: 'New name', description: 'Tools', ...brand })
    const policy = { secondFactor: 'required', sessionMaxAgeSeconds: '3600', methods: 'password' }
    await submit(client, path, 'savePolicy', { ...policy, networks: '203.0.113.0/24\n2001:db8::/32' })
    const row = () =>
      app.env.DB.prepare('select name, description, brand, policy from organizations where id = ?')
        .bind(id)
        .first<Record<string, string>>()
    expect(await row()).toEqual({
      name: 'New name',
      description: 'Tools',
      brand: JSON.stringify({ logo: brand.logo, color: brand.color, isPublic: true }),
      policy: JSON.stringify({
        methods: ['password'],
        secondFactor: 'required',
        sessionMaxAgeSeconds: 3600,
        networks: ['203.0.113.0/24', '2001:db8::/32'],
      }),
    })
    const { name, ...stored } = fieldsOf(formWith('save', await htmlOf(client, path)) ?? '')
    expect({ name, ...stored }).toEqual({ name: 'New name', description: 'Tools', logoDark: '', ...brand })
    const emptied = Object.fromEntries(Object.keys(stored).map((field) => [field, '']))
    await client.post(path, { name: 'New name', ...emptied, intent: 'save' })
    await client.post(path, { intent: 'savePolicy' })
    expect(await row()).toMatchObject({ description: null, policy: '{}' })
  })

  it.each([
    { intent: 'save', field: 'logo', value: 'javascript:alert(1)' },
    { intent: 'save', field: 'color', value: 'red;background:url(x)' },
    { intent: 'save', field: 'description', value: 'a'.repeat(10_000) },
    { intent: 'savePolicy', field: 'networks', value: '203.0.113.0/33' },
    { intent: 'savePolicy', field: 'sessionMaxAgeSeconds', value: '1' },
    { intent: 'savePolicy', field: 'methods', value: 'magic' },
  ])('are not changed by $value as $field', async ({ intent, field, value }) => {
    const { client, userId } = await storeVisitor(app)
    const path = `${LIST}/${await newOrganization('Strict', { [userId]: ['owner'] })}/settings`
    const refused = await client.post(path, { name: 'Strict', intent, [field]: value })
    const html = await refused.text()
    expect([refused.status, html.includes(' is invalid')]).toEqual([422, true])
    if (field !== 'methods') expect(html).toContain(value)
  })
})

describe('the domains of an organisation', () => {
  it('are added with the record to create, and removed, and let others join once they are proved', async () => {
    const [owner, guest] = [await storeVisitor(app), await storeVisitor(app)]
    const id = await newOrganization('Proving', { [owner.userId]: ['owner'] })
    const path = `${LIST}/${id}/domains`
    const wrong = await submit(owner.client, path, 'add', { domain: 'not a domain' })
    expect([wrong.status, (await wrong.text()).includes('The Domain is invalid')]).toEqual([422, true])
    const mail = await submit(owner.client, path, 'add', { domain: 'gmail.com' })
    expect([
      mail.status,
      (await mail.text()).includes('id="domain-problem" role="alert">This domain'),
    ]).toEqual([422, true])
    const domain = `d${randomId(8).toLowerCase()}.example.org`
    await setEmail(guest.userId, `grace@${domain}`)
    expect((await submit(owner.client, path, 'add', { domain: domain.toUpperCase() })).status).toBe(303)
    const html = await htmlOf(owner.client, path)
    expect(html).toContain(`<code dir="ltr">_vestibule.${domain}</code>`)
    expect(html).toMatch(/<code dir="ltr">vestibule-domain=\w{32}<\/code>/)
    expect(await htmlOf(guest.client, LIST)).not.toContain('Proving')

    await app.env.DB.prepare('update organization_domains set verified_at = 1 where domain = ?')
      .bind(domain)
      .run()
    const change = await submit(owner.client, path, 'change', { join: 'suggest', roleIds: adminRole })
    expect(change.status).toBe(303)
    expect(fieldsOf(formWith('change', await htmlOf(owner.client, path)) ?? '')).toEqual({
      id: domain,
      join: 'suggest',
      roleIds: adminRole,
    })
    expect(await htmlOf(guest.client, LIST)).toContain(`For everyone with an address at ${domain}`)
    const joined = await submit(guest.client, LIST, 'join')
    expect([joined.status, locationOf(joined)]).toEqual([303, `${LIST}/${id}`])
    expect((await guest.client.get(`${LIST}/${id}/members`)).status).toBe(200)
    expect((await submit(owner.client, path, 'remove')).status).toBe(303)
    expect(await htmlOf(owner.client, path)).toContain('There are no domains yet.')
  })
})

describe('the section of organisations', () => {
  it('exists for members, and for everyone if users may create organisations', async () => {
    const closed = openTestApp({}, { hasCalmDatabase: true })
    await setTenantSettings(closed, { accountCentre: { enabled: true } })
    const { client, userId } = await storeVisitor(closed)
    const hasSection = async () => (await htmlOf(client, '/account/data')).includes(`href="${LIST}"`)
    expect(await hasSection()).toBe(false)
    const empty = await htmlOf(client, LIST)
    expect([empty.includes('edit=new'), empty.includes('You don’t belong')]).toEqual([false, true])
    expect((await client.post(LIST, { intent: 'create', name: 'Acme' })).status).toBe(403)
    await storeMembership({ organizationId: await newOrganization('Ours'), userId })
    expect(await hasSection()).toBe(true)
    const { client: other } = await storeVisitor(app)
    expect(await htmlOf(other, '/account')).toContain(`href="${LIST}"`)
  })

  it('needs one round trip and 14 kB, even with 120 organisations', async () => {
    const { client, userId } = await storeVisitor(app)
    for (let count = 0; count < 120; count++)
      await storeMembership({
        organizationId: await newOrganization(`Organisation ${count} of ${crypto.randomUUID()}`),
        userId,
      })
    await client.get(LIST)
    app.trips()
    const html = await htmlOf(client, LIST)
    expect(app.trips()).toEqual({ awaited: 1, afterwards: 0 })
    expect(namesOn(html)).toHaveLength(120)
    expect(compressedSize(html)).toBeLessThanOrEqual(14_000)
  })
})

describe('the pages of an organisation', () => {
  it('do not exist for others, whatever they send', async () => {
    const owner = await storeVisitor(app)
    const stranger = await storeVisitor(app)
    const id = await newOrganization('Secret', { [owner.userId]: ['owner'] })
    const answers = await Promise.all([
      stranger.client.get(`${LIST}/${id}`),
      stranger.client.get(`${LIST}/unknown`),
      stranger.client.get(`${LIST}/%2e%2e`),
      stranger.client.post(`${LIST}/${id}`, { intent: 'delete', confirm: 'Secret' }),
      stranger.client.post(`${LIST}/${id}`, { intent: 'leave' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    for (const answer of answers) expect(await answer.text()).not.toContain('Secret')
  })

  it('are deleted only by an owner who has signed in recently', async () => {
    const { client, userId } = await storeVisitor(app)
    const id = await newOrganization('Kept', { [userId]: [adminRole] })
    const path = `${LIST}/${id}`
    expect(formWith('delete', await htmlOf(client, `${path}?edit=delete`))).toBeUndefined()
    expect((await client.post(path, { intent: 'delete', confirm: 'Kept' })).status).toBe(403)
    await storeMembership({ organizationId: id, userId, roleIds: ['owner'] })
    await ageSignIn(app, client, 1_000)
    const answer = await submit(client, `${path}?edit=delete`, 'delete', { confirm: 'Kept' })
    expect([answer.status, locationOf(answer)]).toEqual([303, expect.stringContaining('max_age=600')])
    expect((await client.get(path)).status).toBe(200)
  })
})

it('applications of the user list, create and leave organisations', async () => {
  const { call } = await storeMember(app, { scope: 'openid organizations' })
  const created = await call('POST', '/organizations', { name: 'Made by an app' })
  const organization = await created.json()
  expect([created.status, organization]).toEqual([
    200,
    { id: expect.any(String), name: 'Made by an app', roles: [{ id: 'owner', name: 'owner' }] },
  ])
  expect(await (await call('GET', '/organizations')).json()).toEqual([organization])
  const { id } = organization as { id: string }
  const leave = async () => outcomeOf(await call('DELETE', `/organizations/${id}`))
  expect(await leave()).toEqual([422, 'organization.last_owner'])
  await storeMembership({ organizationId: id, userId: (await storeVisitor(app)).userId, roleIds: ['owner'] })
  expect(await leave()).toEqual([204, null])
  expect(await leave()).toEqual([403, 'organization.not_member'])
  expect((await call('POST', '/organizations', { name: 'a\u0000b' })).status).toBe(400)
  const narrow = await storeMember(app, { scope: 'openid profile' })
  expect(await outcomeOf(await narrow.call('GET', '/organizations'))).toEqual([403, 'auth.forbidden'])
})
