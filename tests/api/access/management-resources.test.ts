import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { machineToken, newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

type Answer = { id: string; name: string; indicator: string; code: string; scopes?: { id: string }[] }
const read = async (response: Response) => (await response.json()) as Answer
const list = async (path: string) => (await (await operator.get(path)).json()) as Answer[]
const codeOf = async (response: Response) => [response.status, (await read(response)).code]
const freshIndicator = () => `https://${crypto.randomUUID().slice(0, 8)}.example`
const newResource = async (more: object = {}) =>
  read(await operator.send('POST', '/resources', { name: 'API', indicator: freshIndicator(), ...more }))
const newScope = async (resourceId: string, name: string, description = 'May do it') =>
  operator.send('POST', `/resources/${resourceId}/scopes`, { name, description })

const MANAGEMENT = {
  tenantId: 'default',
  id: 'management-api',
  name: 'Management API',
  indicator: 'urn:vestibule:management-api',
  accessTokenTtl: 3600,
  claims: null,
}

describe('API resources', () => {
  it('can be created, read, changed and deleted', async () => {
    const indicator = freshIndicator()
    const created = await operator.send('POST', '/resources', { name: 'Shop API', indicator })
    expect(created.status).toBe(200)
    const { scopes, ...resource } = await read(created)
    expect(scopes).toEqual([])
    expect(resource).toEqual({
      tenantId: 'default',
      id: expect.stringMatching(/^[\dA-Za-z]{21}$/),
      name: 'Shop API',
      indicator,
      accessTokenTtl: 3600,
      claims: null,
    })
    expect(await read(await operator.get(`/resources/${resource.id}`))).toEqual(resource)

    const changes = { name: 'Shop', accessTokenTtl: 60 }
    const changed = await operator.send('PATCH', `/resources/${resource.id}`, changes)
    expect(await read(changed)).toEqual({ ...resource, ...changes })
    const unchanged = await operator.send('PATCH', `/resources/${resource.id}`, {})
    expect(await read(unchanged)).toEqual({ ...resource, ...changes })

    const deleted = await operator.send('DELETE', `/resources/${resource.id}`)
    expect([deleted.status, await deleted.text()]).toEqual([204, ''])
    expect(await codeOf(await operator.get(`/resources/${resource.id}`))).toEqual([
      404,
      'entity.not_exists_with_id',
    ])
  })

  it('are listed in full or in pages, and include their scopes on request', async () => {
    const resource = await newResource()
    await newScope(resource.id, 'read:it')
    const unpaged = await operator.get('/resources')
    expect(unpaged.headers.has('total-number')).toBe(false)
    expect(await unpaged.json()).toEqual(
      expect.arrayContaining([MANAGEMENT, expect.objectContaining({ id: resource.id })]),
    )

    const paged = await operator.get('/resources?page=1&page_size=1')
    const all = await list('/resources')
    expect(Number(paged.headers.get('total-number'))).toBe(all.length)
    expect(await paged.json()).toEqual(all.slice(0, 1))

    const withScopes = await list('/resources?includeScopes=1')
    expect(withScopes.find(({ id }) => id === resource.id)?.scopes).toEqual([
      expect.objectContaining({ name: 'read:it', resourceId: resource.id }),
    ])
    expect((await list('/resources?includeScopes=0')).every(({ scopes }) => scopes === undefined)).toBe(true)
    expect(await codeOf(await operator.get('/resources?page=0'))).toEqual([400, 'guard.invalid_pagination'])
  })

  it('have unique indicators', async () => {
    const [one, other] = [await newResource(), await newResource()]
    const duplicate = { name: 'Duplicate', indicator: one.indicator }
    const responses = [
      await operator.send('POST', '/resources', duplicate),
      await operator.send('PATCH', `/resources/${other.id}`, duplicate),
    ]
    for (const response of responses) {
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        code: 'guard.invalid_input',
        details: '`indicator` belongs to another resource.',
      })
    }
  })

  it.each([
    { name: 'API' },
    { name: '', indicator: 'urn:a' },
    { name: 'API', indicator: 'api' },
    { name: 'API', indicator: 'https://api.example/#part' },
    { name: 'API', indicator: 'urn:vestibule:organization:acme' },
    { name: 'API', indicator: 'https://api.example/a b' },
    { name: 'API', indicator: 'urn:a', accessTokenTtl: 0 },
    { name: 'API', indicator: 'urn:a', accessTokenTtl: 1.5 },
    { name: 'API', indicator: 'urn:a', accessTokenTtl: 14 * 86_400 + 1 },
  ])('cannot be created with %o', async (body) => {
    expect(await codeOf(await operator.send('POST', '/resources', body))).toEqual([
      400,
      'guard.invalid_input',
    ])
  })

  it('result in a 404 if their id is unknown', async () => {
    const patched = await operator.send('PATCH', '/resources/unknown', { name: 'X' })
    expect(await codeOf(patched)).toEqual([404, 'entity.not_exists_with_id'])
    expect(await codeOf(await operator.send('PATCH', '/resources/unknown', {}))).toEqual([
      404,
      'entity.not_exists_with_id',
    ])
    expect(await codeOf(await operator.send('DELETE', '/resources/unknown'))).toEqual([
      404,
      'entity.not_found',
    ])
  })
})

describe('an API resource’s scopes', () => {
  it('can be added, listed newest first, changed and deleted', async () => {
    const resource = await newResource()
    const created = await newScope(resource.id, 'read:it')
    expect(created.status).toBe(200)
    const scope = await read(created)
    expect(scope).toEqual({
      tenantId: 'default',
      id: expect.stringMatching(/^[\dA-Za-z]{21}$/),
      resourceId: resource.id,
      name: 'read:it',
      description: 'May do it',
      createdAt: expect.any(Number),
    })
    await app.env.DB.prepare('update scopes set created_at = 1 where id = ?').bind(scope.id).run()
    const second = await read(await newScope(resource.id, 'write:it', ''))
    expect(second).toMatchObject({ description: null })

    const listed = await operator.get(`/resources/${resource.id}/scopes?page_size=1`)
    expect(listed.headers.get('total-number')).toBe('2')
    expect(await listed.json()).toEqual([second])

    const path = `/resources/${resource.id}/scopes/${scope.id}`
    const changed = await operator.send('PATCH', path, { name: 'see:it', description: 'May see it' })
    expect(await read(changed)).toMatchObject({ id: scope.id, name: 'see:it', description: 'May see it' })
    expect((await operator.send('DELETE', path)).status).toBe(204)
    expect(await codeOf(await operator.send('DELETE', path))).toEqual([404, 'entity.not_found'])

    await operator.send('DELETE', `/resources/${resource.id}`)
    const { results } = await app.env.DB.prepare('select id from scopes where resource_id = ?')
      .bind(resource.id)
      .all()
    expect(results).toEqual([])
  })

  it.each([
    { query: 'search=read%25', names: ['read:a', 'Read:b'] },
    { query: 'search=read%25&isCaseSensitive=true', names: ['read:a'] },
    { query: 'search.name=%25:_', names: ['read:a', 'Read:b', 'write:c'] },
    { query: 'search.name=write:c&search.name=read:a&mode=exact', names: ['read:a', 'write:c'] },
    { query: 'search.name=READ:A&mode.name=exact', names: ['read:a'] },
    { query: 'search.name=READ:A&mode=exact&isCaseSensitive=1', names: [] },
    { query: 'search.name=read%25&search.description=second&joint=and', names: ['Read:b'] },
    { query: 'search.name=write%25&search.description=second', names: ['Read:b', 'write:c'] },
    { query: 'search=100\\%25', names: ['write:c'] },
  ])('can be searched with the query $query', async ({ query, names }) => {
    const { id } = await newResource()
    await newScope(id, 'read:a', 'first')
    await newScope(id, 'Read:b', 'second')
    await newScope(id, 'write:c', '100%')
    const scopes = await list(`/resources/${id}/scopes?${query}`)
    expect(scopes.map(({ name }) => name).sort()).toEqual([...names].sort())
  })

  it.each([
    'search=',
    'search.createdAt=1',
    'search=a&mode=posix',
    'search=a&mode.color=like',
    'search=a&search=b',
    'search=a&joint=xor',
    `search=${'x'.repeat(60)}`,
    `search=${'x'.repeat(129)}&mode=exact`,
  ])('cannot be searched with the query %s', async (query) => {
    const { id } = await newResource()
    expect(await codeOf(await operator.get(`/resources/${id}/scopes?${query}`))).toEqual([
      400,
      'request.invalid_input',
    ])
  })

  it('must have unique names without spaces', async () => {
    const [one, other] = [await newResource(), await newResource()]
    for (const name of ['read it', 'read\tit', ' read']) {
      expect(await codeOf(await newScope(one.id, name))).toEqual([400, 'scope.name_with_space'])
    }
    const scope = await read(await newScope(one.id, 'read:it'))
    const path = `/resources/${one.id}/scopes/${scope.id}`
    expect(await codeOf(await newScope(one.id, 'read:it'))).toEqual([422, 'scope.name_exists'])
    expect((await newScope(other.id, 'read:it')).status).toBe(200)
    await newScope(one.id, 'write:it')
    const body = { name: 'write:it', description: '' }
    expect(await codeOf(await operator.send('PATCH', path, body))).toEqual([422, 'scope.name_exists'])
    expect(await codeOf(await operator.send('PATCH', path, { ...body, name: 'a b' }))).toEqual([
      400,
      'scope.name_with_space',
    ])
  })

  it('cannot be accessed through another resource', async () => {
    const [one, other] = [await newResource(), await newResource()]
    const scope = await read(await newScope(one.id, 'read:it'))
    const body = { name: 'x', description: '' }
    for (const path of [`/resources/${other.id}/scopes/${scope.id}`, `/resources/${one.id}/scopes/unknown`]) {
      expect(await codeOf(await operator.send('PATCH', path, body))).toEqual([
        404,
        'entity.not_exists_with_id',
      ])
      expect(await codeOf(await operator.send('DELETE', path))).toEqual([404, 'entity.not_found'])
    }
    expect(await codeOf(await newScope('unknown', 'x'))).toEqual([404, 'entity.not_exists_with_id'])
    expect(await codeOf(await operator.get('/resources/unknown/scopes'))).toEqual([
      404,
      'entity.not_exists_with_id',
    ])
    const partial = await operator.send('PATCH', `/resources/${one.id}/scopes/${scope.id}`, { name: 'x' })
    expect(await codeOf(partial)).toEqual([400, 'guard.invalid_input'])
  })
})

it('a stored token lifetime above the limit is capped when a token is issued', async () => {
  const { DB } = app.env
  const setLifetime = (seconds: number) =>
    DB.prepare("update resources set access_token_ttl = ? where id = 'management-api'").bind(seconds).run()
  await setLifetime(365 * 86_400)
  const claims = decodeJwt(await machineToken(app))
  await setLifetime(3600)
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(14 * 86_400)
})
