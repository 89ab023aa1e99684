import { beforeAll, describe, expect, it } from 'vitest'
import { freshName } from '../../kit/clients/cookie-client.ts'
import {
  asOperator,
  machineToken,
  newMachine,
  newOperator,
  type Operator,
} from '../../kit/clients/management-client.ts'
import { newReceiver } from '../../kit/receiver.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests the calls on organisations, their members and their template (spec/organisations#api). */

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp({}, { hasCalmDatabase: true })
  operator = await newOperator(app)
})

async function create(path: string, body: object): Promise<string> {
  const response = await operator.send('POST', path, body)
  if (!response.ok) throw new Error(`${path} ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}
const read = async <T>(path: string, by = operator): Promise<T> => (await (await by.get(path)).json()) as T
const call = async (method: string, path: string, body?: object) => {
  const response = await operator.send(method, path, body)
  if (!response.ok) throw new Error(`${method} ${path} ${await response.text()}`)
  return response
}
const newUser = (name = freshName()) =>
  create('/users', { username: name, primaryEmail: `${name}@example.com` })

type Member = { user: { id: string }; roles: { id: string; sources: string[] }[]; sources: string[] }
const idsOf = (members: Member[]) => members.map(({ user }) => user.id)

describe('an organisation', () => {
  it('is rejected with a policy that no member could meet, or a logo that pages could not load', async () => {
    const path = `/organizations/${await create('/organizations', { name: 'Acme' })}`
    for (const [field, fields] of [
      [['policy', 'methods'], { policy: { methods: ['social'] } }],
      [['brand', 'logo'], { brand: { logo: 'http://files.example.com/logo.svg' } }],
      [['brand', 'logoDark'], { brand: { logoDark: 'https://[2001:db8::1]/logo.svg' } }],
    ] as const)
      for (const [method, target, body] of [
        ['POST', '/organizations', { name: 'Globex', ...fields }],
        ['PATCH', path, fields],
      ] as const) {
        const response = await operator.send(method, target, body)
        expect(response.status).toBe(422)
        expect(await response.json()).toMatchObject({
          code: 'guard.invalid_input',
          data: { issues: [{ path: field }] },
        })
      }
    expect(await read(path)).toMatchObject({ policy: {}, brand: {} })
  })

  it('is created with an owner, found by a search, changed field by field, and deleted', async () => {
    const ownerId = await newUser()
    const body = { name: 'Acme', customData: { a: 1 }, policy: { networks: ['10.1.2.3/8'] }, ownerId }
    const id = await create('/organizations', body)
    const path = `/organizations/${id}`
    expect(await read(path)).toMatchObject({
      ...{ id, name: 'Acme', description: null, customData: { a: 1 }, brand: {}, createdBy: null },
      policy: { networks: ['10.0.0.0/8'] },
    })
    await call('PATCH', path, { description: 'A customer', customData: { b: 2 } })
    expect(await read(path)).toMatchObject({ description: 'A customer', customData: { b: 2 }, name: 'Acme' })
    await call('PATCH', path, { description: '' })
    expect(await read(path)).toMatchObject({ description: null })
    expect(await read(`/organizations?search=${id}`)).toHaveLength(1)
    expect(await read(`/users/${ownerId}/organizations`)).toEqual([
      {
        ...{ id, name: 'Acme', description: null, sources: ['manual'], joinedAt: expect.any(Number) },
        roles: [{ id: 'owner', name: 'owner', sources: ['manual'] }],
      },
    ])
    await call('DELETE', path)
    expect(await read(`/users/${ownerId}/organizations`)).toEqual([])
  })

  it('has an audit log of its own', async () => {
    const id = await create('/organizations', { name: 'Audited' })
    const userId = await newUser()
    await call('PATCH', `/organizations/${id}`, { name: 'Renamed' })
    await call('POST', `/organizations/${id}/users`, { userIds: [userId] })
    type Log = { key: string; payload: { organizationId: string; changes?: object } }
    const logs = await read<Log[]>(`/logs?organizationId=${id}`)
    expect(logs.map(({ key }) => key)).toEqual([
      'Management.OrganizationMember.Create',
      'Management.Organization.Update',
      'Management.Organization.Create',
    ])
    expect(logs[1]?.payload.changes).toEqual({ name: { before: 'Audited', after: 'Renamed' } })
    expect(await read(`/logs?organizationId=${id}&userId=${userId}`)).toHaveLength(1)
    expect(await read(`/logs?organizationId=${id}&logKey=Management.Organization.Update`)).toHaveLength(1)
  })
})

describe('the members of an organisation', () => {
  it('are listed newest first, and found by a search and by a role', async () => {
    const id = await create('/organizations', { name: 'Acme' })
    const role = await create('/organization-roles', { name: freshName() })
    const [ann, bob, eve] = [await newUser('ann_acme'), await newUser('bob_acme'), await newUser('eve_other')]
    await call('POST', `/organizations/${id}/users`, { userIds: [ann], roleIds: [role] })
    await call('POST', `/organizations/${id}/users`, { userIds: [bob] })
    const list = (query = '') => read<Member[]>(`/organizations/${id}/users${query}`)
    expect(new Set(idsOf(await list()))).toEqual(new Set([ann, bob]))
    expect(idsOf(await list('?search=ann'))).toEqual([])
    for (const query of [
      'search=ann%25',
      'search=%25nn_acm%25',
      `search.id=${ann}`,
      `search=${ann}&mode=exact`,
      `roleId=${role}`,
      `roleId=${role}&search=%25acme%25`,
    ])
      expect([query, idsOf(await list(`?${query}`))]).toEqual([query, [ann]])
    for (const query of [`search=${eve}`, 'search=eve%25', `roleId=${role}&search=bob%25`, 'roleId=owner'])
      expect([query, idsOf(await list(`?${query}`))]).toEqual([query, []])
    const page = await operator.get(`/organizations/${id}/users?page_size=1`)
    expect(page.headers.get('total-number')).toBe('2')
  })

  it('keep roles from other sources if those given by hand are replaced', async () => {
    const id = await create('/organizations', { name: 'Acme' })
    const [first, second] = [
      await create('/organization-roles', { name: freshName() }),
      await create('/organization-roles', { name: freshName() }),
    ]
    const userId = await newUser()
    const path = `/organizations/${id}/users/${userId}`
    await call('POST', `/organizations/${id}/users`, { userIds: [userId], roleIds: [first] })
    await app.env.DB.batch([
      app.env.DB.prepare(
        "insert into organization_user_sources (tenant_id, organization_id, user_id, source, created_at) values ('default', ?, ?, 'domain', 1)",
      ).bind(id, userId),
      app.env.DB.prepare(
        "insert into organization_user_roles (tenant_id, organization_id, user_id, role_id, source) values ('default', ?, ?, ?, 'domain')",
      ).bind(id, userId, second),
    ])
    await call('PUT', `${path}/roles`, { roleIds: [second] })
    const member = await read<Member>(path)
    expect(member.roles).toEqual([{ id: second, name: expect.any(String), sources: ['domain', 'manual'] }])
    expect(member.sources.toSorted()).toEqual(['domain', 'manual'])
    await call('PUT', `${path}/roles`, { roleIds: [] })
    expect((await read<Member>(path)).roles).toMatchObject([{ id: second, sources: ['domain'] }])
    await call('DELETE', path)
    expect((await operator.get(path)).status).toBe(404)
  })

  it('are shown by their names to callers who may not read users', async () => {
    const id = await create('/organizations', { name: 'Acme', ownerId: await newUser() })
    const scope = 'organizations:read'
    const roleId = 'read-only-role'
    const reader = asOperator(app, await machineToken(app, await newMachine(operator, roleId), scope))
    const [member] = await read<Member[]>(`/organizations/${id}/users`, reader)
    expect(Object.keys(member?.user ?? {})).toEqual(['id', 'username', 'name', 'avatar'])
    const ofUser = await reader.get(`/users/${member?.user.id}/organizations`)
    expect(ofUser.status).toBe(403)
  })

  it('are reported to hooks right after the response', async () => {
    const receiver = await newReceiver()
    const events = ['Organization.Created', 'Organization.Membership.Updated']
    const hook = await create('/hooks', { events, config: { url: receiver.url, retries: 0 } })
    const ownerId = await newUser()
    const userId = await newUser()
    const id = await create('/organizations', { name: 'Acme', ownerId })
    await call('POST', `/organizations/${id}/users`, { userIds: [userId] })
    await call('DELETE', `/organizations/${id}/users/${userId}`)
    await call('DELETE', `/hooks/${hook}`)
    const bodies = (await receiver.received()).map(({ body }) => JSON.parse(body))
    const about = { organizationId: id, actor: { type: 'application', id: expect.any(String) } }
    expect(bodies).toMatchObject([
      { event: 'Organization.Created', ...about, organization: { id, name: 'Acme' } },
      { ...about, added: [{ userId, roleIds: [] }], updated: [], removed: [] },
      { ...about, added: [], updated: [], removed: [{ userId }] },
    ])
    const [log] = await read<{ payload: { json: object } }[]>('/logs?logKey=TriggerHook.Organization.Created')
    expect(log?.payload.json).toMatchObject({ organizationId: id, organization: { id, name: 'Acme' } })
  })
})

describe('the template of organisations', () => {
  it('has roles with organisation scopes and resource scopes', async () => {
    const role = await create('/organization-roles', {
      name: freshName(),
      permissions: ['log:read', 'log:read'],
    })
    const path = `/organization-roles/${role}`
    expect(await read(path)).toMatchObject({ permissions: ['log:read'] })
    const scope = await create('/organization-scopes', { name: `read:${freshName()}` })
    const indicator = `https://${freshName().replace('_', '-')}.example`
    const resource = await create('/resources', { name: 'Orders', indicator })
    const resourceScope = await create(`/resources/${resource}/scopes`, { name: 'read', description: '' })
    await call('POST', `${path}/scopes`, { scopeIds: [scope, scope] })
    await call('POST', `${path}/scopes`, { scopeIds: [scope] })
    await call('POST', `${path}/resource-scopes`, { scopeIds: [resourceScope] })
    expect(await read(`${path}/scopes`)).toMatchObject([{ id: scope }])
    expect(await read(`${path}/resource-scopes`)).toMatchObject([{ id: resourceScope, indicator }])
    await call('DELETE', `${path}/scopes/${scope}`)
    await call('DELETE', `/resources/${resource}`)
    expect([await read(`${path}/scopes`), await read(`${path}/resource-scopes`)]).toEqual([[], []])
    await call('DELETE', `/organization-scopes/${scope}`)
    await call('DELETE', path)
  })

  it('gives the owner role scopes, but no other permissions or name', async () => {
    const scope = await create('/organization-scopes', { name: `read:${freshName()}` })
    await call('POST', '/organization-roles/owner/scopes', { scopeIds: [scope] })
    const refused = await operator.send('PATCH', '/organization-roles/owner', { name: 'boss' })
    expect(refused.status).toBe(403)
    const [first] = await read<{ id: string }[]>('/organization-roles')
    expect(first?.id).toBe('owner')
    await call('DELETE', `/organization-scopes/${scope}`)
  })
})

describe('the machine applications of an organisation', () => {
  it('are added with roles, listed and removed', async () => {
    const id = await create('/organizations', { name: 'Acme' })
    const { id: machine } = await newMachine(operator)
    const path = `/organizations/${id}/applications`
    await call('POST', path, { applicationIds: [machine], roleIds: ['owner'] })
    expect(await read(path)).toMatchObject([{ id: machine, roles: [{ id: 'owner' }] }])
    await call('PUT', `${path}/${machine}/roles`, { roleIds: [] })
    expect(await read(`${path}/${machine}/roles`)).toEqual([])
    await call('DELETE', `${path}/${machine}`)
    expect(await read(path)).toEqual([])
  })
})
