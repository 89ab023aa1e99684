import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { DAY, MINUTE } from '../../src/contract/time.ts'
import { beginInteraction } from '../kit/clients/interaction-client.ts'
import { openTestApp } from '../kit/test-app.ts'

/** The number of rows that accumulate in a minute at 500 requests per second with one row each. */
const ROWS_PER_MINUTE = 500 * 60

it('[ASVS-14.2.7] the scheduled run deletes all expired rows in batches and keeps the others', async () => {
  const app = openTestApp()
  const { uid: liveUid, start } = await beginInteraction(app)
  await start('SignIn')
  const { DB } = env
  await DB.prepare(
    `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${ROWS_PER_MINUTE})
     insert into oidc_model_instances (tenant_id, model_name, id, payload, expires_at)
     select 'default', 'Interaction', 'over-' || n, '{"params":{"client_id":"a"}}', ? from numbers`,
  )
    .bind(Date.now() - 1)
    .run()
  const countExpired = async () =>
    (
      await DB.prepare('select count(*) as n from oidc_model_instances where expires_at <= ?')
        .bind(Date.now())
        .first<{ n: number }>()
    )?.n

  // There are so many rows that each of two runs examines one half of them.
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now })
  await app.sweep()
  expect(await countExpired()).toBeGreaterThan(0)
  vi.setSystemTime(now + MINUTE)
  await app.sweep()
  vi.useRealTimers()
  expect(await countExpired()).toBe(0)
  // D1 allows a thousand statements per invocation (spec/storage#platform-limits), and each round needs twenty.
  expect(app.trips().awaited).toBeLessThanOrEqual(2 * 50)
  const live = await DB.prepare(
    "select 1 from oidc_model_instances where model_name = 'Interaction' and id = ?",
  )
    .bind(liveUid)
    .all()
  expect(live.results.length).toBe(1)
})

it.each([
  { days: '0', remaining: ['ancient', 'new', 'old'] },
  { days: undefined, remaining: ['new', 'old'] },
  { days: '30', remaining: ['new'] },
])('[ASVS-14.2.7-2] the scheduled run keeps audit rows for $days days', async ({ days, remaining }) => {
  const app = openTestApp(days ? { LOG_RETENTION_DAYS: days } : {})
  const insert = app.env.DB.prepare(
    "insert or ignore into logs (tenant_id, id, key, payload, created_at) values ('default', ?, 'Retention', '{}', ?)",
  )
  await app.env.DB.batch([
    insert.bind('ancient', Date.now() - 91 * DAY),
    insert.bind('old', Date.now() - 89 * DAY),
    insert.bind('new', Date.now() - 29 * DAY),
  ])
  await app.sweep()
  const { results } = await app.env.DB.prepare(
    "select id from logs where key = 'Retention' order by id",
  ).all<{ id: string }>()
  expect(results.map(({ id }) => id)).toEqual(remaining)
})

it.each(['-1', '13', '14.5', 'a month'])('the app rejects a log retention of %s days', async (days) => {
  const app = openTestApp({ LOG_RETENTION_DAYS: days })
  await expect(app.fetch('/api/status')).rejects.toThrow('logRetentionDays')
})
