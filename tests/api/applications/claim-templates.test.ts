import { beforeAll, describe, expect, it } from 'vitest'
import { freshName } from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { giveRoles, newApi, newApplication } from '../../kit/clients/token-client.ts'
import { storeMember } from '../../kit/stored-session.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

/** Tests templates of claims in the management API (spec/management#claim-templates). */

let app: TestApp
let operator: Operator
let paths: { application: string; resource: string }
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
  const { id: shop } = await newApplication(operator)
  const { id: api } = await newApi(operator, `https://${freshName()}.example`, ['read', 'write'])
  paths = { application: `/applications/${shop}`, resource: `/resources/${api}` }
})

const kinds = ['application', 'resource'] as const
type Answer = {
  claims: unknown
  code: string
  details: string
  data: { issues: { path: string[]; message: string }[] }
}
const answerOf = async (response: Response) => (await response.json()) as Answer

describe.each(kinds)('the template of an %s', (kind) => {
  const patch = (claims: unknown) => operator.send('PATCH', paths[kind], { claims })
  const stored = async () => (await answerOf(await operator.get(paths[kind]))).claims

  it('is null at first, replaced as a whole, and removed by null or an empty object', async () => {
    expect(await stored()).toBeNull()
    const first = { department: '$.customData.department', plan: { name: 'gold', nothing: null } }
    expect((await answerOf(await patch(first))).claims).toEqual(first)
    await patch({ other: ['$.roles'] })
    expect(await stored()).toEqual({ other: ['$.roles'] })
    // Another change keeps it.
    await operator.send('PATCH', paths[kind], { name: 'Renamed' })
    expect(await stored()).toEqual({ other: ['$.roles'] })
    for (const nothing of [{}, null]) {
      await patch(first)
      expect((await answerOf(await patch(nothing))).claims).toBeNull()
    }
  })

  it('is rejected with a sentence that names the claim, and the stored one is kept', async () => {
    await patch({ plan: 'gold' })
    const response = await patch({ iss: 'https://mallory.example', plan: 'silver', a: '$.password' })
    expect(response.status).toBe(400)
    const { code, details, data } = await answerOf(response)
    expect(code).toBe('guard.invalid_input')
    expect(data.issues.map(({ path }) => path)).toEqual([
      ['claims', 'iss'],
      ['claims', 'a'],
    ])
    expect(details.split('\n')).toEqual([
      '`claims.iss` is reserved, because tokens have a claim of this name already.',
      expect.stringMatching(/^`claims\.a` has a path that begins with none of \$\.username, /),
    ])
    expect(await stored()).toEqual({ plan: 'gold' })
  })

  it.each([
    ['a text', 'text'],
    ['a list', ['$.username']],
    ['too large', { text: 'x'.repeat(2048) }],
  ])('is rejected if it is %s', async (_, claims) => {
    const response = await patch(claims)
    expect([response.status, (await answerOf(response)).code]).toEqual([400, 'guard.invalid_input'])
  })

  it('cannot change the prototype of anything', async () => {
    const response = await app.fetch(`/api${paths[kind]}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${operator.token}`, 'content-type': 'application/json' },
      body: '{"claims":{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}}',
    })
    expect(response.status).toBe(400)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it('is in the audit log with the names and values of its claims', async () => {
    await patch({ plan: 'a-value', tier: 1 })
    await patch({ plan: 'another', tier: 1 })
    const logKey = `Management.${kind === 'application' ? 'Application' : 'Resource'}.Update`
    const [log] = (await (await operator.get(`/logs?logKey=${logKey}`)).json()) as { payload: object }[]
    expect(log?.payload).toMatchObject({ changed: ['claims.plan', 'claims.tier'], actor: { type: 'app' } })
    expect(log?.payload).toMatchObject({
      changes: { 'claims.plan': { before: 'a-value', after: 'another' } },
    })
  })

  it('can be created with it', async () => {
    const claims = { plan: 'gold' }
    const created =
      kind === 'application'
        ? await operator.send('POST', '/applications', { name: 'M', type: 'MachineToMachine', claims })
        : await operator.send('POST', '/resources', {
            name: 'R',
            indicator: `https://${freshName()}.example`,
            claims,
          })
    expect([created.status, (await answerOf(created)).claims]).toEqual([200, claims])
  })
})

it.each(['management-api', 'services'])('the built-in resource %s has no template', async (id) => {
  const response = await operator.send('PATCH', `/resources/${id}`, { claims: { plan: 'gold' } })
  expect([response.status, (await answerOf(response)).code]).toEqual([
    403,
    'resource.internal_resource_violation',
  ])
})

describe('a preview', () => {
  let userId: string
  let roleId: string
  let api: { id: string; indicator: string; roleId: string }
  let shop: string
  beforeAll(async () => {
    api = await newApi(operator, `https://${freshName()}.example`, ['read', 'write'])
    roleId = api.roleId
    shop = (await newApplication(operator, { claims: { name2: '$.name', may: '$.scopes', as: '$.roles' } }))
      .id
    await operator.send('PATCH', `/resources/${api.id}`, {
      claims: { permissions: '$.scopes', plan: 'gold' },
    })
    const { username } = await storeMember(app)
    userId = await giveRoles(operator, username, [roleId, 'support-role'])
    await operator.send('PATCH', `/users/${userId}`, { name: 'Ada', customData: { text: 'x'.repeat(3000) } })
  })
  const preview = (path: string, body: object) => operator.send('POST', `${path}/claims/preview`, body)
  const previewOf = async (path: string, body: object) => {
    const response = await preview(path, body)
    expect(response.status).toBe(200)
    return (await response.json()) as { claims: Record<string, unknown>; size: number; isTooLarge: boolean }
  }

  it('of an application shows what its stored template results in, without internal roles', async () => {
    const result = await previewOf(`/applications/${shop}`, { userId })
    expect(result).toEqual({
      claims: { name2: 'Ada', may: expect.arrayContaining(['read', 'write']), as: [`role ${api.id}`] },
      size: JSON.stringify(result.claims).length,
      isTooLarge: false,
    })
    // The scopes of Vestibule's own APIs are only for applications that are listed for them.
    expect(result.claims.may).not.toContain('users:read')
  })

  it('of a resource shows the scopes of the user there', async () => {
    const { claims } = await previewOf(`/resources/${api.id}`, { userId })
    expect(claims).toEqual({ permissions: expect.arrayContaining(['read', 'write']), plan: 'gold' })
    expect(claims.permissions).toHaveLength(2)
  })

  it('shows another template without storing it, also one whose claims are too large', async () => {
    const claims = { text: '$.customData.text' }
    const result = await previewOf(`/applications/${shop}`, { userId, claims })
    expect(result).toEqual({ claims: { text: 'x'.repeat(3000) }, size: 3011, isTooLarge: true })
    const { claims: stored } = await answerOf(await operator.get(`/applications/${shop}`))
    expect(stored).toEqual({ name2: '$.name', may: '$.scopes', as: '$.roles' })
    expect((await previewOf(`/applications/${shop}`, { userId, claims: null })).claims).toEqual({})
  })

  it('validates like saving', async () => {
    const response = await preview(`/resources/${api.id}`, { userId, claims: { aud: 'mallory' } })
    expect(response.status).toBe(400)
    expect((await answerOf(response)).data.issues).toMatchObject([{ path: ['claims', 'aud'] }])
  })

  it('requires an application or resource, and a user, that exist', async () => {
    for (const [path, id] of [
      [`/applications/${shop}`, 'nobody'],
      [`/resources/${api.id}`, 'nobody'],
      ['/applications/none', userId],
      ['/resources/none', userId],
    ] as const) {
      const response = await preview(path, { userId: id })
      expect([response.status, (await answerOf(response)).code]).toEqual([404, 'entity.not_exists_with_id'])
    }
  })
})
