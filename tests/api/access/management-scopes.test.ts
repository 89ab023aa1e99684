import { beforeAll, describe, expect, it } from 'vitest'
import {
  ADMINISTRATOR_ROLES,
  acceptedScopes,
  MANAGEMENT_AREAS,
  managementScopeNames,
} from '../../../src/contract/access/management-scopes.ts'
import { freshName } from '../../kit/clients/cookie-client.ts'
import {
  asOperator,
  machineToken,
  newMachine,
  newOperator,
  type Operator,
} from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

type Call = { method: string; path: string; name: string; security: Record<string, string[]>[] }
type Document = { paths: Record<string, Record<string, { security?: Record<string, string[]>[] }>> }

let app: TestApp
let operator: Operator
let calls: Call[]
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  const { paths }: Document = await (await app.fetch('/api/openapi.json')).json()
  calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([name, { security = [] }]) => {
      const method = name.toUpperCase()
      const isManagement = security.some((way) => way.management)
      return isManagement ? [{ method, path, name: `${method} ${path}`, security }] : []
    }),
  )
})

/** An application by itself with one of the roles; `scope` is what it asks for. */
async function withRole(roleId: string, scope = managementScopeNames.join(' ')): Promise<Operator> {
  return asOperator(app, await machineToken(app, await newMachine(operator, roleId), scope))
}

/** A request of the call without a body, for entities that are not there. */
const request = (caller: Operator, { method, path }: Call) =>
  caller.send(method, path.slice('/api'.length).replaceAll(/\{\w+\}/g, 'nothing'))

/** Open to all administrators, and to owners alone. */
const withoutArea = ['/api/my-permissions', '/api/administrator-invitations']

describe('every call of the management API', () => {
  it('belongs to an area, and the OpenAPI document says the scopes that open it', () => {
    expect(calls.length).toBeGreaterThan(90)
    for (const { name, method, path, security } of calls) {
      if (withoutArea.includes(path)) continue
      const [scope = '', ...others] = acceptedScopes(method, path)
      expect(others, name).toEqual(['all'])
      const isRead = method === 'GET' && !path.includes('/sign-in-tests/')
      expect(scope, name).toMatch(isRead ? /^[a-z]+:read$/ : /^[a-z]+:write$/)
      expect(security, name).toEqual([{ management: [scope] }, { management: ['all'] }])
    }
    const read = new Set(
      calls.flatMap(({ security }) => security.flatMap(({ management = [] }) => management)),
    )
    expect([...read].toSorted()).toEqual(managementScopeNames.toSorted())
  })

  it('is closed to all but owners while its path has no area', () => {
    expect([acceptedScopes('GET', '/api/new'), acceptedScopes('POST', '/api/')]).toEqual([['all'], ['all']])
    expect(acceptedScopes('POST', '/api/administrator-invitations')).toEqual(['all'])
    expect(acceptedScopes('HEAD', '/api/users')).toEqual(['users:read', 'all'])
    expect(acceptedScopes('POST', '/api/logs')).toEqual(['all'])
  })

  it.each(ADMINISTRATOR_ROLES)('is open to $name as its scopes say', async ({ id, scopes }) => {
    const caller = await withRole(id)
    const held = new Set<string>(scopes)
    const answers = await Promise.all(
      calls.map(async (call) => {
        const answer = await request(caller, call)
        return { call, status: answer.status, challenge: answer.headers.get('www-authenticate') }
      }),
    )
    for (const { call, status, challenge } of answers) {
      const needed = acceptedScopes(call.method, call.path)
      const isOpen = needed.some((name) => held.has(name))
      expect(status === 403, `${call.name} answers ${status}`).toBe(!isOpen)
      if (!isOpen)
        expect(challenge, call.name).toBe(`Bearer error="insufficient_scope", scope="${needed.join(' ')}"`)
    }
    expect(answers.some(({ status }) => status === 403)).toBe(!held.has('all'))
  })

  it('is open to no more than the token says, whatever its owner may do', async () => {
    const reader = await withRole('admin-role', 'users:read')
    expect((await reader.get('/users')).status).toBe(200)
    expect((await reader.send('POST', '/users', { name: 'Ann' })).status).toBe(403)
    expect((await reader.get('/roles')).status).toBe(403)
    expect(await (await reader.get('/my-permissions')).json()).toMatchObject({ scopes: ['users:read'] })
  })

  it('tells of the users of a role no more than their names to who may not read users', async () => {
    const user = { name: 'Ada', username: freshName(), primaryEmail: `${freshName()}@example.com` }
    const { id } = (await (await operator.send('POST', '/users', user)).json()) as { id: string }
    await operator.send('POST', '/roles/read-only-role/users', { userIds: [id] })
    const list = '/roles/read-only-role/users'
    const [developer, support] = [await withRole('developer-role'), await withRole('support-role')]
    expect(await (await developer.get(list)).json()).toEqual([
      { id, name: 'Ada', username: user.username, avatar: null },
    ])
    expect(await (await support.get(list)).json()).toMatchObject([user])
    expect((await developer.get(`${list}?isSuspended=true`)).status).toBe(403)
    expect((await support.get(`${list}?isSuspended=true`)).status).toBe(200)
  })

  it('is closed as soon as the role is taken, for a token that lives on', async () => {
    const client = await newMachine(operator, 'support-role')
    const caller = asOperator(app, await machineToken(app, client, 'users:read'))
    expect((await caller.get('/users')).status).toBe(200)
    await operator.send('DELETE', `/roles/support-role/applications/${client.id}`)
    expect((await caller.get('/users')).status).toBe(403)
  })
})

describe('the roles of administrators', () => {
  it.each(ADMINISTRATOR_ROLES)(
    '$name is there, with its scopes, and cannot be changed or deleted',
    async (role) => {
      const at = `/roles/${role.id}`
      expect(await (await operator.get(at)).json()).toMatchObject({
        name: role.name,
        description: role.description,
      })
      const held = (await (await operator.get(`${at}/scopes`)).json()) as {
        name: string
        resourceId: string
      }[]
      const names = held.flatMap(({ name, resourceId }) => (resourceId === 'management-api' ? [name] : []))
      expect(names.toSorted()).toEqual([...role.scopes].toSorted())
      expect((await operator.send('DELETE', at)).status).toBe(404)
      expect((await operator.send('PATCH', at, { name: 'Mine' })).status).toBe(400)
      expect((await operator.send('POST', `${at}/scopes`, { scopeIds: ['users-write'] })).status).toBe(403)
      expect((await operator.send('DELETE', `${at}/scopes/users-read`)).status).toBe(403)
    },
  )

  it('read only sees every area, and no role but the owner changes settings', () => {
    const [owner, developer, support, reader] = ADMINISTRATOR_ROLES
    expect(reader.scopes).toEqual(MANAGEMENT_AREAS.map((area) => `${area}:read`))
    const writers = [developer, support].filter(({ scopes }) =>
      scopes.some((name) => name === 'settings:write'),
    )
    expect([owner.scopes.includes('all'), writers]).toEqual([true, []])
  })

  it('have scopes that cannot be deleted or renamed', async () => {
    const at = '/resources/management-api/scopes/users-write'
    expect((await operator.send('DELETE', at)).status).toBe(403)
    expect((await operator.send('PATCH', at, { name: 'other', description: '' })).status).toBe(403)
  })
})
