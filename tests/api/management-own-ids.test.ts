import { beforeAll, describe, expect, it } from 'vitest'
import { newOperator, type Operator } from '../kit/clients/management-client.ts'
import { openTestApp } from '../kit/test-app.ts'

let operator: Operator
beforeAll(async () => {
  operator = await newOperator(openTestApp())
})

const things = [
  { path: '/applications', body: { name: 'Named', type: 'MachineToMachine' } },
  {
    path: '/hooks',
    body: { event: 'PostSignIn', config: { url: 'https://hooks.example.com/x', retries: 0 } },
  },
  { path: '/resources', body: { name: 'Named', indicator: 'https://named.example.com' } },
  { path: '/roles', body: { name: 'named', description: 'Has an id of its own' } },
]

describe('an id of the operator’s choice', () => {
  it.each(things)('is the id of what POST $path creates', async ({ path, body }) => {
    const created = await operator.send('POST', path, { ...body, id: 'of-my-own_1' })
    expect([created.status, await created.json()]).toEqual([
      200,
      expect.objectContaining({ id: 'of-my-own_1' }),
    ])
    expect((await operator.get(`${path}/of-my-own_1`)).status).toBe(200)
  })

  it.each(things)('is refused by POST $path when another entry has it', async ({ path, body }) => {
    const named = (name: string) => ({
      ...body,
      ...('name' in body ? { name } : {}),
      ...('indicator' in body ? { indicator: `https://${name}.example.com` } : {}),
      id: 'taken',
    })
    const [first, second] = await Promise.all([
      operator.send('POST', path, named('one')),
      operator.send('POST', path, named('other')),
    ])
    expect([first.status, second.status].toSorted()).toEqual([200, 422])
    const refused = first.status === 422 ? first : second
    expect(await refused.json()).toMatchObject({ code: 'entity.id_in_use', data: { id: 'taken' } })
  })

  it.each([
    ...['', 'with space', 'a/b', 'x'.repeat(22), 7].map((id) => ({
      id,
      path: '/roles',
      body: things[3]?.body,
    })),
    ...['demo-app', 'management'].map((id) => ({ id, path: '/applications', body: things[0]?.body })),
  ])('is refused by POST $path when it is $id', async ({ id, path, body }) => {
    const response = await operator.send('POST', path, { ...body, id })
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'guard.invalid_input', details: expect.stringMatching(/^id: /) }),
    ])
  })
})
