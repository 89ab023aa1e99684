import { beforeAll, describe, expect, it } from 'vitest'
import { machineToken, newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
let other: { id: string; secret: string }
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  const created = await operator.send('POST', '/applications', { name: 'Worker', type: 'MachineToMachine' })
  const { id } = (await created.json()) as { id: string }
  other = await (await operator.send('PATCH', `/applications/${id}`, { isAdmin: true })).json()
})

const SCOPE = '/resources/management-api/scopes/management-api-all'
const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
]

describe('an entity that the management API depends on', () => {
  it.each([
    { method: 'DELETE', path: '/resources/management-api' },
    { method: 'PATCH', path: '/resources/management-api', body: { indicator: 'urn:somewhere:else' } },
    { method: 'PATCH', path: '/resources/management-api', body: { accessTokenTtl: 1 } },
    { method: 'DELETE', path: SCOPE },
    { method: 'PATCH', path: SCOPE, body: { name: 'everything', description: '' } },
    { method: 'DELETE', path: '/resources/services' },
    { method: 'PATCH', path: '/resources/services', body: { indicator: 'urn:somewhere:else' } },
    { method: 'DELETE', path: '/resources/services/scopes/send-email' },
    {
      method: 'DELETE',
      path: '/roles/admin-role/scopes/management-api-all',
      code: [403, 'role.internal_role_violation'],
    },
    {
      method: 'PATCH',
      path: '/roles/admin-role',
      body: { name: 'Nobody' },
      code: [400, 'entity.not_exists'],
    },
    { method: 'DELETE', path: '/roles/admin-role', code: [404, 'entity.not_found'] },
  ])('cannot be changed with $method $path $body', async ({ method, path, body, code }) => {
    const response = await operator.send(method, path, body)
    expect(await codeOf(response)).toEqual(code ?? [403, 'resource.internal_resource_violation'])
    // The operator still has access to the management API.
    await machineToken(app)
    await machineToken(app, other)
    expect((await operator.get('/resources/management-api')).status).toBe(200)
  })

  it('can be renamed', async () => {
    const renamed = await operator.send('PATCH', '/resources/management-api', {
      name: 'Administration',
      indicator: 'urn:vestibule:management-api',
      accessTokenTtl: 600,
    })
    expect([renamed.status, await renamed.json()]).toMatchObject([200, { name: 'Administration' }])
    const described = await operator.send('PATCH', SCOPE, { name: 'all', description: 'Everything' })
    expect([described.status, await described.json()]).toMatchObject([200, { description: 'Everything' }])
    expect((await machineToken(app)).length).toBeGreaterThan(0)
  })

  it('[ASVS-16.3.2] cannot be deleted, and each attempt is recorded in the audit log', async () => {
    await operator.send('DELETE', SCOPE)
    const response = await operator.get('/logs?logKey=Management.Scope.Delete')
    expect(await response.json()).toContainEqual(
      expect.objectContaining({
        payload: expect.objectContaining({
          result: 'Error',
          error: { code: 'resource.internal_resource_violation' },
        }),
      }),
    )
  })
})
