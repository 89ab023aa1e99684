import { expect, it } from 'vitest'
import worker from '../../src/worker.ts'
import { openHouse } from '../house.ts'
import { authorization, begin, newVisitor } from '../visitor.ts'

it('the scheduled run deletes what is over, batch after batch, and keeps what lives', async () => {
  const house = openHouse()
  const living = await begin(newVisitor(house), await authorization())
  const { DB } = house.env
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
  await worker.scheduled(controller, house.env)
  expect(await left()).toBe(0)
  const { awaited } = house.trips()
  expect(awaited).toBeLessThanOrEqual(4)
  const kept = await DB.prepare(
    "select 1 from oidc_model_instances where model_name = 'Interaction' and id = ?",
  )
    .bind(living)
    .all()
  expect(kept.results.length).toBe(1)
})
