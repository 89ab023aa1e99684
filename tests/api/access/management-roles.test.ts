import { beforeAll, describe, expect, it } from 'vitest'
import { freshName } from '../../kit/clients/cookie-client.ts'
import { machineToken, newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

type Role = { id: string; name: string; usersCount: number; featuredUsers: { id: string }[] }
type Answer = Role & { code: string; data: unknown; secret: string }
const read = async (response: Response) => (await response.json()) as Answer
const list = async (path: string) => (await (await operator.get(path)).json()) as Answer[]
const codeOf = async (response: Response) => [response.status, (await read(response)).code]
const post = (path: string, body: unknown) => operator.send('POST', path, body)
const remove = (path: string) => operator.send('DELETE', path)

const newRole = async (more: object = {}) =>
  read(await post('/roles', { name: freshName(), description: 'Does things', ...more }))
const newUser = async (more: object = {}) => read(await post('/users', { username: freshName(), ...more }))
const newApplication = async () =>
  read(await post('/applications', { name: 'Robot', type: 'MachineToMachine' }))
async function newScopes(...names: string[]) {
  const indicator = `https://${freshName()}.example`
  const resource = await read(await post('/resources', { name: 'API', indicator }))
  const ids: string[] = []
  for (const name of names) {
    ids.push((await read(await post(`/resources/${resource.id}/scopes`, { name, description: '' }))).id)
  }
  return { indicator, resource, ids }
}

describe('roles', () => {
  it('can be created, read, changed and deleted', async () => {
    const name = freshName()
    const created = await post('/roles', { name, description: 'Edits' })
    expect(created.status).toBe(200)
    const role = await read(created)
    expect(role).toEqual({
      tenantId: 'default',
      id: expect.stringMatching(/^[\dA-Za-z]{21}$/),
      name,
      description: 'Edits',
      secondFactorPolicy: null,
      rememberDays: null,
    })
    expect(await read(await operator.get(`/roles/${role.id}`))).toEqual(role)
    const changed = await operator.send('PATCH', `/roles/${role.id}`, { description: 'Writes' })
    expect(await read(changed)).toEqual({ ...role, description: 'Writes' })
    expect(await read(await operator.send('PATCH', `/roles/${role.id}`, {}))).toEqual({
      ...role,
      description: 'Writes',
    })
    const deleted = await remove(`/roles/${role.id}`)
    expect([deleted.status, await deleted.text()]).toEqual([204, ''])
    expect(await codeOf(await operator.get(`/roles/${role.id}`))).toEqual([404, 'entity.not_exists_with_id'])
  })

  it('are sorted by name and include their number of users and up to three featured users', async () => {
    const prefix = freshName()
    const [second, first] = [await newRole({ name: `${prefix}_b` }), await newRole({ name: `${prefix}_a` })]
    const users = [await newUser({ name: 'Ann' }), await newUser(), await newUser(), await newUser()]
    await post(`/roles/${first.id}/users`, { userIds: users.map(({ id }) => id) })

    const response = await operator.get(`/roles?search.name=${prefix}%25&page_size=1`)
    expect(response.headers.get('total-number')).toBe('2')
    expect(response.headers.get('link')).toContain('rel="next"')
    const [listed] = (await response.json()) as Role[]
    expect(listed).toMatchObject({ ...first, usersCount: 4 })
    expect(listed?.featuredUsers).toHaveLength(3)
    expect(users.map(({ id }) => id)).toEqual(
      expect.arrayContaining(listed?.featuredUsers.map(({ id }) => id) ?? []),
    )
    expect(listed?.featuredUsers[0]).toEqual({
      id: expect.any(String),
      avatar: null,
      name: expect.toSatisfy((name) => name === 'Ann' || name === null),
    })

    expect(await list(`/roles?search.name=${prefix}%25&page=2&page_size=1`)).toEqual([
      { ...second, usersCount: 0, featuredUsers: [] },
    ])
    const [ann] = users
    expect(await list(`/roles?search.name=${prefix}%25&excludeUserId=${ann?.id}`)).toMatchObject([
      { id: second.id },
    ])
  })

  it('can be listed and counted, excluding internal roles', async () => {
    const before = Number((await operator.get('/roles')).headers.get('total-number'))
    const role = await newRole()
    const after = await operator.get('/roles?page_size=100')
    expect(Number(after.headers.get('total-number'))).toBe(before + 1)
    const names = ((await after.json()) as Role[]).map(({ name }) => name)
    expect(names).toContain(role.name)
    expect(names.filter((name) => name.startsWith('#internal:'))).toEqual([])
    expect(await list('/roles?search=admin-role&mode=exact')).toEqual([])
    expect(await codeOf(await operator.get('/roles?search.color=red'))).toEqual([
      400,
      'request.invalid_input',
    ])
    expect(await codeOf(await operator.get('/roles?page=x'))).toEqual([400, 'guard.invalid_pagination'])
  })

  it('have unique names, even if they are created concurrently', async () => {
    const name = freshName()
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => post('/roles', { name, description: 'One of four' })),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(3).fill(422)])
    const rejected = responses.find(({ status }) => status === 422)
    expect(await rejected?.json()).toMatchObject({ code: 'role.name_in_use', data: { name } })
    const other = await newRole()
    expect(await codeOf(await operator.send('PATCH', `/roles/${other.id}`, { name }))).toEqual([
      422,
      'role.name_in_use',
    ])
    expect((await operator.send('PATCH', `/roles/${other.id}`, { name: other.name })).status).toBe(200)
  })

  it('cannot be given a reserved internal name, and existing internal roles cannot be changed', async () => {
    for (const name of ['#internal:boss', '#INTERNAL:boss']) {
      expect(await codeOf(await post('/roles', { name, description: '' }))).toEqual([
        403,
        'role.internal_role_violation',
      ])
    }
    const { id } = await newRole()
    expect(await codeOf(await operator.send('PATCH', `/roles/${id}`, { name: '#internal:boss' }))).toEqual([
      403,
      'role.internal_role_violation',
    ])
    const internal = '/roles/admin-role'
    expect(await codeOf(await operator.send('PATCH', internal, { description: 'x' }))).toEqual([
      400,
      'entity.not_exists',
    ])
    expect(await codeOf(await remove(internal))).toEqual([404, 'entity.not_found'])
    const { ids } = await newScopes('read:it')
    expect(await codeOf(await post(`${internal}/scopes`, { scopeIds: ids }))).toEqual([
      403,
      'role.internal_role_violation',
    ])
    expect(await codeOf(await remove(`${internal}/scopes/management-api-all`))).toEqual([
      403,
      'role.internal_role_violation',
    ])
    expect(await read(await operator.get(internal))).toMatchObject({ name: '#internal:admin' })
  })

  it.each([
    { name: '', description: '' },
    { name: 'x' },
    { name: 'x'.repeat(129), description: '' },
    { name: 'x', description: 'x'.repeat(129) },
    { name: 'x', description: '', scopeIds: 'y' },
    { name: 'x', description: '', scopeIds: [''] },
  ])('cannot be created with %o', async (body) => {
    expect(await codeOf(await post('/roles', body))).toEqual([400, 'guard.invalid_input'])
  })

  it('result in a 404 if their id is unknown', async () => {
    const change = { description: 'x' }
    expect(await codeOf(await operator.send('PATCH', '/roles/unknown', change))).toEqual([
      404,
      'entity.not_exists_with_id',
    ])
    expect(await codeOf(await remove('/roles/unknown'))).toEqual([404, 'entity.not_found'])
    for (const [path, body] of [
      ['users', { userIds: [] }],
      ['scopes', { scopeIds: [] }],
      ['applications', { applicationIds: [] }],
    ] as const) {
      const missing = [404, 'entity.not_exists_with_id']
      expect(await codeOf(await operator.get(`/roles/unknown/${path}`))).toEqual(missing)
      expect(await codeOf(await operator.get(`/roles/unknown/${path}?page=1`))).toEqual(missing)
      expect(await codeOf(await post(`/roles/unknown/${path}`, body))).toEqual(missing)
      expect(await codeOf(await remove(`/roles/unknown/${path}/x`))).toEqual([404, 'entity.not_found'])
    }
  })
})

describe('a role’s scopes', () => {
  it('can be set on creation, and added or removed later', async () => {
    const { ids, resource } = await newScopes('read:it', 'write:it')
    const [readIt, writeIt] = ids
    const role = await newRole({ scopeIds: [readIt, readIt] })
    const path = `/roles/${role.id}/scopes`
    expect(await list(path)).toMatchObject([{ id: readIt, name: 'read:it' }])
    expect(await list(path)).not.toMatchObject([{ resource: expect.anything() }])

    const added = await post(path, { scopeIds: [writeIt] })
    expect(added.status).toBe(200)
    expect(((await added.json()) as Answer[]).map(({ id }) => id).sort()).toEqual([...ids].sort())

    const paged = await operator.get(`${path}?page=1&page_size=1`)
    expect(paged.headers.get('total-number')).toBe('2')
    const { scopes: _, ...row } = { scopes: [], ...resource }
    expect(await paged.json()).toMatchObject([{ resourceId: resource.id, resource: row }])

    expect((await remove(`${path}/${readIt}`)).status).toBe(204)
    expect(await codeOf(await remove(`${path}/${readIt}`))).toEqual([404, 'entity.not_found'])
    expect(await list(path)).toMatchObject([{ id: writeIt }])
  })

  it('cannot be added if they are already assigned or do not exist', async () => {
    const { ids } = await newScopes('read:it', 'write:it')
    const role = await newRole({ scopeIds: ids.slice(0, 1) })
    const twice = await post(`/roles/${role.id}/scopes`, { scopeIds: ids })
    expect(twice.status).toBe(422)
    expect(await twice.json()).toMatchObject({ code: 'role.scope_exists', data: { scopeId: ids[0] } })
    expect(await list(`/roles/${role.id}/scopes`)).toHaveLength(1)

    const unknown = [404, 'entity.not_exists_with_id']
    expect(await codeOf(await post(`/roles/${role.id}/scopes`, { scopeIds: ['nothing'] }))).toEqual(unknown)
    expect(
      await codeOf(await post('/roles', { name: freshName(), description: '', scopeIds: ['x'] })),
    ).toEqual(unknown)
  })

  it('are assigned only once by concurrent calls', async () => {
    const { ids } = await newScopes('read:it')
    const role = await newRole()
    const added = await Promise.all(
      Array.from({ length: 5 }, () => post(`/roles/${role.id}/scopes`, { scopeIds: ids })),
    )
    expect(added.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422])
  })
})

describe('a role’s users', () => {
  it('can be added, listed newest first, and removed', async () => {
    const role = await newRole()
    const [ann, bob] = [await newUser(), await newUser()]
    const path = `/roles/${role.id}/users`
    const added = await post(path, { userIds: [ann.id] })
    expect([added.status, await added.text()]).toEqual([201, ''])
    await post(path, { userIds: [bob.id, bob.id] })

    const listed = await operator.get(`${path}?page_size=1`)
    expect(listed.headers.get('total-number')).toBe('2')
    expect(await listed.json()).toEqual([bob])
    expect(await list(path)).toEqual([bob, ann])

    expect((await remove(`${path}/${bob.id}`)).status).toBe(204)
    expect(await codeOf(await remove(`${path}/${bob.id}`))).toEqual([404, 'entity.not_found'])
    await remove(`/users/${ann.id}`)
    expect(await list(path)).toEqual([])
  })

  it('cannot be added if they already have the role, even concurrently, or do not exist', async () => {
    const role = await newRole()
    const [ann, bob] = [await newUser(), await newUser()]
    const add = (...userIds: string[]) => post(`/roles/${role.id}/users`, { userIds })
    await add(ann.id)
    const twice = await add(bob.id, ann.id)
    expect(twice.status).toBe(422)
    expect(await twice.json()).toMatchObject({ code: 'role.user_exists', data: { userId: ann.id } })
    expect(await codeOf(await add(bob.id, 'unknown'))).toEqual([404, 'entity.not_found'])
    expect(await list(`/roles/${role.id}/users`)).toHaveLength(1)

    const many = await Promise.all(Array.from({ length: 5 }, () => add(bob.id)))
    expect(many.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
    expect(await codeOf(await post(`/roles/${role.id}/users`, { userIds: [''] }))).toEqual([
      400,
      'guard.invalid_input',
    ])
  })
})

describe('a user’s roles', () => {
  it('can be added, replaced and removed, and are sorted by name, excluding internal roles', async () => {
    const user = await newUser()
    const prefix = freshName()
    const [b, a, c] = [
      await newRole({ name: `${prefix}_b` }),
      await newRole({ name: `${prefix}_a` }),
      await newRole({ name: `${prefix}_c` }),
    ]
    const path = `/users/${user.id}/roles`
    const added = await post(path, { roleIds: [b.id, a.id, 'admin-role'] })
    expect([added.status, await added.text()]).toEqual([201, ''])
    const listed = await operator.get(`${path}?page_size=1`)
    expect(listed.headers.get('total-number')).toBe('2')
    expect(await listed.json()).toEqual([a])
    expect(await list(`${path}?search.name=%25_b`)).toEqual([b])
    expect(await list(`${path}?withInternal=true`)).toMatchObject([{ id: 'admin-role' }, a, b])

    const replaced = await operator.send('PUT', path, { roleIds: [b.id, c.id] })
    expect([replaced.status, await replaced.text()]).toEqual([200, ''])
    expect(await list(path)).toEqual([b, c])
    expect(await list('/roles/admin-role/users')).not.toContainEqual(user)

    expect((await remove(`${path}/${c.id}`)).status).toBe(204)
    expect(await codeOf(await remove(`${path}/${c.id}`))).toEqual([404, 'entity.not_found'])
    await operator.send('PUT', path, { roleIds: [] })
    expect(await list(path)).toEqual([])
  })

  it('cannot be added if the user or role does not exist, or if the user already has the role', async () => {
    const user = await newUser()
    const role = await newRole()
    const path = `/users/${user.id}/roles`
    await post(path, { roleIds: [role.id] })
    const twice = await post(path, { roleIds: [role.id] })
    expect(twice.status).toBe(422)
    expect(await twice.json()).toMatchObject({ code: 'user.role_exists', data: { roleId: role.id } })
    for (const method of ['POST', 'PUT']) {
      const unknown = await operator.send(method, path, { roleIds: ['nothing'] })
      expect(await codeOf(unknown)).toEqual([404, 'entity.not_exists_with_id'])
      const refused = await operator.send(method, '/users/unknown/roles', { roleIds: [role.id] })
      expect(await codeOf(refused)).toEqual([404, 'entity.not_found'])
      const empty = await operator.send(method, path, { roleIds: [''] })
      expect(await codeOf(empty)).toEqual([400, 'guard.invalid_input'])
    }
    expect(await list(path)).toHaveLength(1)
    expect(await codeOf(await operator.get('/users/unknown/roles'))).toEqual([404, 'entity.not_found'])
    expect(await codeOf(await operator.get(`${path}?search=`))).toEqual([400, 'request.invalid_input'])
  })

  it('are assigned only once by concurrent calls', async () => {
    const [user, role] = [await newUser(), await newRole()]
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => post(`/users/${user.id}/roles`, { roleIds: [role.id] })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
    const rejected = responses.filter(({ ok }) => !ok)
    const codes = await Promise.all(rejected.map(async (response) => (await read(response)).code))
    expect(new Set(codes)).toEqual(new Set(['user.role_exists']))
  })
})

describe('applications', () => {
  it('can obtain a role’s scopes with client credentials until they lose the role', async () => {
    const { ids, indicator } = await newScopes('read:it', 'write:it')
    const role = await newRole({ scopeIds: ids })
    const application = await newApplication()
    const path = `/roles/${role.id}/applications`
    for (let time = 0; time < 2; time++) {
      const added = await post(path, { applicationIds: [application.id] })
      expect([added.status, await added.text()]).toEqual([201, ''])
    }
    const listed = await operator.get(path)
    expect(listed.headers.get('total-number')).toBe('1')
    expect(await listed.json()).toEqual([application])

    const scopes = async () => {
      const { id, secret } = application
      const response = await app.fetch('/oidc/token', {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          resource: indicator,
          scope: 'read:it write:it',
        }),
      })
      return ((await response.json()) as { scope?: string }).scope
    }
    expect((await scopes())?.split(' ').sort()).toEqual(['read:it', 'write:it'])
    expect((await remove(`${path}/${application.id}`)).status).toBe(204)
    expect(await scopes()).toBeUndefined()
    expect(await codeOf(await remove(`${path}/${application.id}`))).toEqual([404, 'entity.not_found'])
    expect(await list(path)).toEqual([])
  })

  it('can administer the tenant if they have an administrator role', async () => {
    const application = await newApplication()
    await post('/roles/admin-role/applications', { applicationIds: [application.id] })
    const updated = await read(await operator.get(`/applications/${application.id}`))
    expect(updated).toMatchObject({ isAdmin: true })
    expect(await machineToken(app, updated)).toMatch(/^ey/)
  })

  it('have their roles listed by name, excluding internal roles', async () => {
    const application = await newApplication()
    const prefix = freshName()
    const [b, a] = [await newRole({ name: `${prefix}_b` }), await newRole({ name: `${prefix}_a` })]
    for (const id of [b.id, a.id, 'read-only-role'])
      await post(`/roles/${id}/applications`, { applicationIds: [application.id] })
    const path = `/applications/${application.id}/roles`
    const listed = await operator.get(`${path}?page_size=1`)
    expect(listed.headers.get('total-number')).toBe('2')
    expect(await listed.json()).toEqual([a])
    expect(await list(`${path}?search.name=%25_b`)).toEqual([b])
    expect(await list(`${path}?withInternal=true`)).toMatchObject([{ id: 'read-only-role' }, a, b])
    expect(await codeOf(await operator.get('/applications/unknown/roles'))).toEqual([
      404,
      'entity.not_exists_with_id',
    ])
  })

  it('must exist before they can be added to a role', async () => {
    const role = await newRole()
    expect(await codeOf(await post(`/roles/${role.id}/applications`, { applicationIds: ['x'] }))).toEqual([
      404,
      'entity.not_exists_with_id',
    ])
  })
})

it('every change to a role writes one audit entry that names the actor', async () => {
  const role = await newRole()
  const user = await newUser()
  await post(`/roles/${role.id}/users`, { userIds: [user.id] })
  await remove(`/roles/${role.id}/users/${user.id}`)
  await remove(`/roles/${role.id}/users/${user.id}`)
  await remove(`/roles/${role.id}`)
  const { results } = await app.env.DB.prepare(
    "select key, payload from logs where key like 'Management.%' and ? in (json_extract(payload, '$.roleId'), json_extract(payload, '$.removedRoleId'), json_extract(payload, '$.roleIds[0]')) order by rowid",
  )
    .bind(role.id)
    .all<{ key: string; payload: string }>()
  expect(results.map(({ key, payload }) => [key.slice(11), JSON.parse(payload)])).toEqual([
    ['Role.Create', expect.objectContaining({ result: 'Success', actor: { type: 'app', id: 'management' } })],
    ['User.RolesChange', expect.objectContaining({ result: 'Success', userId: user.id, roleIds: [role.id] })],
    [
      'User.RolesChange',
      expect.objectContaining({ result: 'Success', userId: user.id, removedRoleId: role.id }),
    ],
    ['Role.Delete', expect.objectContaining({ result: 'Success' })],
  ])
})
