import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import worker from '../../src/worker.ts'
import { authorization, begin, newCookieClient } from '../kit/cookie-client.ts'
import { openTestApp } from '../kit/test-app.ts'

it('the scheduled run deletes expired rows, batch after batch, and keeps the others', async () => {
  const app = openTestApp()
  const living = await begin(newCookieClient(app), await authorization())
  // More statements than D1 takes in production.
  const { DB } = env
  const insert = DB.prepare(
    "insert into oidc_model_instances (tenant_id, model_name, id, payload, expires_at) values ('default', 'AccessToken', ?, '{}', ?)",
  )
  const over = Array.from({ length: 1_500 }, (_, index) => insert.bind(`over-${index}`, Date.now() - 1))
  await DB.batch(over)
  const left = async () =>
    (
      await DB.prepare('select count(*) as n from oidc_model_instances where expires_at <= ?')
        .bind(Date.now())
        .first<{ n: number }>()
    )?.n

  const controller = { scheduledTime: Date.now(), cron: '*/10 * * * *', noRetry() {} }
  await worker.scheduled(controller, app.env)
  expect(await left()).toBe(0)
  const { awaited } = app.trips()
  expect(awaited).toBeLessThanOrEqual(4)
  const kept = await DB.prepare(
    "select 1 from oidc_model_instances where model_name = 'Interaction' and id = ?",
  )
    .bind(living)
    .all()
  expect(kept.results.length).toBe(1)
})

it.each([
  { days: '30', left: ['new'] },
  { days: undefined, left: ['new', 'old'] },
])('the scheduled run leaves the audit rows of $days days', async ({ days, left }) => {
  const app = openTestApp(days ? { LOG_RETENTION_DAYS: days } : {})
  const DAY = 24 * 60 * 60 * 1000
  const insert = app.env.DB.prepare(
    "insert or ignore into logs (tenant_id, id, key, payload, created_at) values ('default', ?, 'Retention', '{}', ?)",
  )
  await app.env.DB.batch([
    insert.bind('old', Date.now() - 31 * DAY),
    insert.bind('new', Date.now() - 29 * DAY),
  ])
  await app.sweep()
  const { results } = await app.env.DB.prepare(
    "select id from logs where key = 'Retention' order by id",
  ).all<{ id: string }>()
  expect(results.map(({ id }) => id)).toEqual(left)
})

it.each(['0', '13', '14.5', 'a month'])('refuses a retention of %s days', async (days) => {
  const app = openTestApp({ LOG_RETENTION_DAYS: days })
  await expect(app.fetch('/api/status')).rejects.toThrow('logRetentionDays')
})
