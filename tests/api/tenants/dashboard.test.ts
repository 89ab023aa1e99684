import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '../../../src/contract/time.ts'
import { newMember } from '../../kit/clients/account-client.ts'
import { outcomeOf } from '../../kit/clients/interaction-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})
const get = async <T>(path: string) => (await (await operator.get(`/dashboard/users/${path}`)).json()) as T
const today = () => Math.floor(Date.now() / DAY)
const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10)

async function importAt(...times: number[]): Promise<string[]> {
  const response = await operator.send('POST', '/users/import', {
    users: times.map((createdAt) => ({ createdAt })),
  })
  const { results } = (await response.json()) as { results: { id: string }[] }
  return results.map(({ id }) => id)
}

/** Inserts the audit entry that the provider writes when it issues tokens to an application. */
const insertActivity = (
  userId: string | undefined,
  day: number,
  { key = 'ExchangeTokenBy.RefreshToken', result = 'Success' } = {},
) =>
  app.env.DB.prepare(
    "insert into logs (tenant_id, id, key, payload, created_at) values ('default', ?, ?, ?, ?)",
  )
    .bind(crypto.randomUUID().slice(0, 21), key, JSON.stringify({ key, result, userId }), day * DAY + 1)
    .run()

type Trend = { count: number; delta: number }
type Active = { dauCurve: { date: string; count: number }[]; dau: Trend; wau: Trend; mau: Trend }

it('the dashboard shows the number of users', async () => {
  const before = await get<{ totalUserCount: number }>('total')
  const [deleted] = await importAt(1, 2, 3)
  await operator.send('DELETE', `/users/${deleted}`)
  expect(await get('total')).toEqual({ totalUserCount: before.totalUserCount + 2 })
})

it('the dashboard shows the number of new users', async () => {
  type New = { today: Trend; last7Days: Trend }
  const before = await get<New>('new')
  const start = today() * DAY
  await importAt(
    start,
    start + DAY - 1,
    start + DAY, // tomorrow
    start - 1, // yesterday
    start - DAY,
    start - 6 * DAY, // the first of the last seven days
    start - 6 * DAY - 1, // the last day of the previous week
    start - 13 * DAY,
    start - 13 * DAY - 1, // the day before the previous week
  )
  const after = await get<New>('new')
  expect(after.today.count - before.today.count).toBe(2)
  expect(after.today.delta - before.today.delta).toBe(0)
  expect(after.last7Days.count - before.last7Days.count).toBe(5)
  expect(after.last7Days.delta - before.last7Days.delta).toBe(5 - 2)
})

describe('the number of active users', () => {
  it('includes each user once per day, week and month', async () => {
    const [ann, bob, cid, dan] = await importAt(1, 1, 1, 1)
    const day = 10_000
    for (const [user, days] of [
      [ann, [0, 0, -1, -3, -7, -29, -30, -59]],
      [bob, [-1, -6]],
      [cid, [-7, -13, -29]],
      [dan, [-30, -45, -60]],
    ] as const) {
      // Insert the events in chronological order.
      for (const ago of [...days].toSorted((one, other) => one - other)) await insertActivity(user, day + ago)
    }
    const { dauCurve, ...trends } = await get<Active>(`active?date=${dateOf(day)}`)
    expect(trends).toEqual({
      dau: { count: 1, delta: 1 - 2 }, // today: ann; the day before: ann and bob
      wau: { count: 2, delta: 2 - 2 }, // this week: ann and bob; the week before: ann and cid
      mau: { count: 3, delta: 3 - 2 }, // this month: ann, bob and cid; the month before: ann and dan
    })
    expect(dauCurve).toHaveLength(30)
    expect(dauCurve[0]).toEqual({ date: dateOf(day - 29), count: 2 })
    expect(dauCurve.at(-1)).toEqual({ date: dateOf(day), count: 1 })
    const counts = new Map(dauCurve.map(({ date, count }) => [date, count]))
    const expected = { 0: 1, 1: 2, 3: 1, 6: 1, 7: 2, 13: 1, 29: 2 }
    for (const [ago, count] of Object.entries(expected))
      expect(counts.get(dateOf(day - Number(ago)))).toBe(count)
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(10)
  })

  it('matches the audit log for random events', async () => {
    const imported = await importAt(...Array<number>(12).fill(1))
    const start = 12_000
    const events: { user: string; day: number }[] = []
    for (let day = start; day < start + 70; day++) {
      for (const user of imported) {
        if (Math.random() > 0.12) continue
        events.push({ user, day })
        await insertActivity(user, day)
      }
    }
    const distinct = (last: number, days: number) =>
      new Set(events.filter(({ day }) => day > last - days && day <= last).map(({ user }) => user)).size
    for (const last of [start + 69, start + 40, start + 8]) {
      const { dau, wau, mau } = await get<Active>(`active?date=${dateOf(last)}`)
      const trend = (days: number) => {
        const count = distinct(last, days)
        return { count, delta: count - distinct(last - days, days) }
      }
      expect({ dau, wau, mau }).toEqual({ dau: trend(1), wau: trend(7), mau: trend(30) })
    }
  })

  it('excludes failures, other events, applications and unknown users', async () => {
    const [ann] = await importAt(1)
    const day = 14_000
    await insertActivity(ann, day, { result: 'Error' })
    await insertActivity(ann, day, { key: 'Interaction.SignIn.Submit' })
    await insertActivity(undefined, day, { key: 'ExchangeTokenBy.ClientCredentials' })
    await insertActivity('unknown', day)
    expect((await get<Active>(`active?date=${dateOf(day)}`)).mau.count).toBe(0)
    await insertActivity(ann, day)
    await operator.send('DELETE', `/users/${ann}`)
    expect((await get<Active>(`active?date=${dateOf(day)}`)).mau.count).toBe(1)
  })

  it('is the same whether it comes from new events or from the migration of existing logs', async () => {
    const { DB, TEST_MIGRATIONS } = env
    const readCounts = async () => [
      (await DB.prepare('select * from daily_activity order by tenant_id, day, gap').all()).results,
      (await DB.prepare('select * from user_activity order by tenant_id, user_id').all()).results,
    ]
    const imported = await importAt(1, 1, 1)
    for (const [index, user] of imported.entries())
      for (const day of [16_000, 16_001 + index, 16_040]) await insertActivity(user, day)
    const original = await readCounts()
    expect(original[0]?.length).toBeGreaterThan(0)

    const migration = TEST_MIGRATIONS.find(({ name }) => name.startsWith('0006_'))
    const fillings = migration?.queries.filter((query) => /^\s*(?:--.*\s+)*insert/i.test(query)) ?? []
    expect(fillings).toHaveLength(2)
    await DB.batch([
      DB.prepare('delete from logs where user_id is not null and user_id not in (select id from users)'),
      DB.prepare('delete from daily_activity'),
      DB.prepare('delete from user_activity'),
      ...fillings.map((query) => DB.prepare(query)),
    ])
    expect((await readCounts())[1]).toEqual(original[1])
    const { results } = await DB.prepare(
      'select day, gap, count from daily_activity where day between 16000 and 16040',
    ).all()
    expect(results).toEqual(
      original[0]?.flatMap(({ day, gap, count }) =>
        Number(day) >= 16_000 && Number(day) <= 16_040 ? [{ day, gap, count }] : [],
      ),
    )
  })

  it('includes a user once per day, however many tokens an application obtains', async () => {
    const before = (await get<Active>('active')).dau.count
    const { username, client } = await newMember(app)
    await newMember(app, { username, client })
    const after = await get<Active>('active')
    expect(after.dau.count).toBe(before + 1)
    expect(after.dauCurve.at(-1)).toEqual({ date: dateOf(today()), count: before + 1 })
  })

  it.each(['2026-02-30', '2026-2-3', 'today', '', '20260203'])(
    'cannot be requested for the date %j',
    async (date) => {
      const response = await operator.get(`/dashboard/users/active?date=${date}`)
      expect((await outcomeOf(response)).slice(0, 2)).toEqual([400, 'guard.invalid_input'])
    },
  )
})

it('the dashboard is restricted to operators', async () => {
  for (const path of ['total', 'new', 'active'])
    expect((await app.fetch(`/api/dashboard/users/${path}`)).status).toBe(401)
})
