import { beforeAll, describe, expect, it } from 'vitest'
import {
  ADMINISTRATOR_ROLES,
  getAcceptedScopes,
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
      const isManagement = security.some((requirement) => requirement.management)
      return isManagement ? [{ method, path, name: `${method} ${path}`, security }] : []
    }),
  )
})

/** Returns a client for a machine-to-machine application with this role, whose token has the scopes in `scope`. */
async function withRole(roleId: string, scope = managementScopeNames.join(' ')): Promise<Operator> {
  return asOperator(app, await machineToken(app, await newMachine(operator, roleId), scope))
}

/** Makes the call without a body and with the ids of entities that do not exist. */
const request = (caller: Operator, { method, path }: Call) =>
  caller.send(method, path.slice('/api'.length).replaceAll(/\{\w+\}/g, 'nothing'))

/** The calls that belong to no area: all administrators may make the first, and only owners the second. */
const withoutArea = ['/api/my-permissions', '/api/administrator-invitations']

describe('every management API call', () => {
  it('belongs to an area and declares its required scopes in the OpenAPI document', () => {
    expect(calls.length).toBeGreaterThan(90)
    for (const { name, method, path, security } of calls) {
      if (withoutArea.includes(path)) continue
      const [scope = '', ...others] = getAcceptedScopes(method, path)
      expect(others, name).toEqual(['all'])
      const isRead =
        (method === 'GET' && !path.includes('/sign-in-tests/')) || path.endsWith('/claims/preview')
      expect(scope, name).toMatch(isRead ? /^[a-z]+:read$/ : /^[a-z]+:write$/)
      expect(security, name).toEqual([{ management: [scope] }, { management: ['all'] }])
    }
    const declaredScopes = new Set(
      calls.flatMap(({ security }) => security.flatMap(({ management = [] }) => management)),
    )
    expect([...declaredScopes].toSorted()).toEqual(managementScopeNames.toSorted())
  })

  it('is restricted to owners unless its path belongs to an area', () => {
    expect([getAcceptedScopes('GET', '/api/new'), getAcceptedScopes('POST', '/api/')]).toEqual([
      ['all'],
      ['all'],
    ])
    expect(getAcceptedScopes('POST', '/api/administrator-invitations')).toEqual(['all'])
    expect(getAcceptedScopes('HEAD', '/api/users')).toEqual(['users:read', 'all'])
    expect(getAcceptedScopes('POST', '/api/logs')).toEqual(['all'])
  })

  it.each(ADMINISTRATOR_ROLES)(
    'is allowed for the role $name if and only if the role has a scope that the call requires',
    async ({ id, scopes }) => {
      const caller = await withRole(id)
      const roleScopes = new Set<string>(scopes)
      const answers = await Promise.all(
        calls.map(async (call) => {
          const answer = await request(caller, call)
          return { call, status: answer.status, challenge: answer.headers.get('www-authenticate') }
        }),
      )
      for (const { call, status, challenge } of answers) {
        const required = getAcceptedScopes(call.method, call.path)
        const isAllowed = required.some((name) => roleScopes.has(name))
        expect(status === 403, `${call.name} returns ${status}`).toBe(!isAllowed)
        if (!isAllowed)
          expect(challenge, call.name).toBe(
            `Bearer error="insufficient_scope", scope="${required.join(' ')}"`,
          )
      }
      expect(answers.some(({ status }) => status === 403)).toBe(!roleScopes.has('all'))
    },
  )

  it('is allowed only within the token’s scopes, even for an owner', async () => {
    const reader = await withRole('admin-role', 'users:read')
    expect((await reader.get('/users')).status).toBe(200)
    expect((await reader.send('POST', '/users', { name: 'Ann' })).status).toBe(403)
    expect((await reader.get('/roles')).status).toBe(403)
    expect(await (await reader.get('/my-permissions')).json()).toMatchObject({ scopes: ['users:read'] })
  })

  it('reveals only the names of a role’s users to a caller without users:read', async () => {
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

  it('reveals the values of changed fields only to a caller who may read the changed entity', async () => {
    const { id } = (await (await operator.send('POST', '/users', { name: 'Ada' })).json()) as { id: string }
    await operator.send('PATCH', `/users/${id}`, { name: 'Grace' })
    await operator.send('PATCH', '/configs/settings', { changePasswordUrl: 'https://a.example/' })
    const [developer, support] = [await withRole('developer-role'), await withRole('support-role')]
    const read = async (caller: typeof support, logKey: string) => {
      const [log] = (await (await caller.get(`/logs?logKey=${logKey}`)).json()) as [
        { id: string; payload: { changes: object } },
      ]
      const single = (await (await caller.get(`/logs/${log.id}`)).json()) as typeof log
      expect(single.payload.changes).toEqual(log.payload.changes)
      return log.payload.changes
    }
    const hidden = { before: '******', after: '******' }
    const rename = 'Management.User.Rename'
    expect(await read(support, rename)).toEqual({ name: { before: 'Ada', after: 'Grace' } })
    expect(await read(developer, rename)).toEqual({ name: hidden })
    const settings = 'Management.Config.Update'
    const change = { before: null, after: 'https://a.example/' }
    expect(await read(developer, settings)).toEqual({ changePasswordUrl: change })
    expect(await read(support, settings)).toEqual({ changePasswordUrl: hidden })
  })

  it('is rejected as soon as the caller loses the role, even if the token has not expired', async () => {
    const client = await newMachine(operator, 'support-role')
    const caller = asOperator(app, await machineToken(app, client, 'users:read'))
    expect((await caller.get('/users')).status).toBe(200)
    await operator.send('DELETE', `/roles/support-role/applications/${client.id}`)
    expect((await caller.get('/users')).status).toBe(403)
  })
})

describe('the built-in administrator roles', () => {
  it.each(ADMINISTRATOR_ROLES)(
    'include $name with fixed scopes and cannot be changed or deleted',
    async (role) => {
      const at = `/roles/${role.id}`
      expect(await (await operator.get(at)).json()).toMatchObject({
        name: role.name,
        description: role.description,
      })
      const roleScopes = (await (await operator.get(`${at}/scopes`)).json()) as {
        name: string
        resourceId: string
      }[]
      const names = roleScopes.flatMap(({ name, resourceId }) =>
        resourceId === 'management-api' ? [name] : [],
      )
      expect(names.toSorted()).toEqual([...role.scopes].toSorted())
      expect((await operator.send('DELETE', at)).status).toBe(404)
      expect((await operator.send('PATCH', at, { name: 'Mine' })).status).toBe(400)
      expect((await operator.send('POST', `${at}/scopes`, { scopeIds: ['users-write'] })).status).toBe(403)
      expect((await operator.send('DELETE', `${at}/scopes/users-read`)).status).toBe(403)
    },
  )

  it('let read-only administrators read every area, and let only owners change settings', () => {
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
