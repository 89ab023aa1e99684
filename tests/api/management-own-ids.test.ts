import { beforeAll, describe, expect, it } from 'vitest'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { openTestApp } from '../kit/test-app.ts'

let operator: Operator
beforeAll(async () => {
  operator = await newOperator(openTestApp())
})

const entities = [
  { path: '/applications', body: { name: 'Named', type: 'MachineToMachine' } },
  {
    path: '/hooks',
    body: { event: 'PostSignIn', config: { url: 'https://hooks.example.com/x', retries: 0 } },
  },
  { path: '/resources', body: { name: 'Named', indicator: 'https://named.example.com' } },
  { path: '/roles', body: { name: 'named', description: 'Has a chosen id' } },
]

describe('an id chosen by the operator', () => {
  it.each(entities)('is assigned to the entity that POST $path creates', async ({ path, body }) => {
    const created = await operator.send('POST', path, { ...body, id: 'of-my-own_1' })
    expect([created.status, await created.json()]).toEqual([
      200,
      expect.objectContaining({ id: 'of-my-own_1' }),
    ])
    expect((await operator.get(`${path}/of-my-own_1`)).status).toBe(200)
  })

  it.each(entities)('is rejected by POST $path if another entity already has it', async ({ path, body }) => {
    const bodyWith = (name: string) => ({
      ...body,
      ...('name' in body ? { name } : {}),
      ...('indicator' in body ? { indicator: `https://${name}.example.com` } : {}),
      id: 'taken',
    })
    const [first, second] = await Promise.all([
      operator.send('POST', path, bodyWith('one')),
      operator.send('POST', path, bodyWith('other')),
    ])
    expect([first.status, second.status].toSorted()).toEqual([200, 422])
    const rejected = first.status === 422 ? first : second
    expect(await rejected.json()).toMatchObject({ code: 'entity.id_in_use', data: { id: 'taken' } })
  })

  it.each([
    ...['', 'with space', 'a/b', 'x'.repeat(22), 7].map((id) => ({
      id,
      path: '/roles',
      body: entities[3]?.body,
    })),
    ...['demo-app', 'management'].map((id) => ({ id, path: '/applications', body: entities[0]?.body })),
  ])('is rejected by POST $path if it is "$id"', async ({ id, path, body }) => {
    const response = await operator.send('POST', path, { ...body, id })
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({
        code: 'guard.invalid_input',
        details: expect.stringMatching(/^`id` [a-z].*\.$/),
      }),
    ])
  })
})
