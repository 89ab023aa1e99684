import { describe, expect, it } from 'vitest'
import { authorization, freshName, newCookieClient } from '../kit/cookie-client.ts'
import { beginInteraction } from '../kit/interaction-client.ts'
import { openTestApp } from '../kit/test-app.ts'

/** What a runtime lets through: 60 kB in a header, and a body of any keys. */
const HUGE = 'x'.repeat(60_000)

describe('What an unauthenticated request brings', async () => {
  const app = openTestApp()
  const { DB } = app.env

  it('is stored with 256 characters of each text, and 2,048 bytes of a row', async () => {
    await newCookieClient(app).get((await authorization({ scope: `openid ${HUGE.slice(0, 9_000)}` })).url, {
      'user-agent': HUGE,
    })
    const { call } = await beginInteraction(app)
    const identifier = {
      connectorId: 'google',
      connectorData: Object.fromEntries(
        Array.from({ length: 400 }, (_, n) => [`key ${n}`, HUGE.slice(0, 99)]),
      ),
    }
    const headers = { 'user-agent': HUGE, 'cf-connecting-ip': '203.0.113.9' }
    expect((await call('PUT', '', { event: 'SignIn', identifier }, headers)).status).toBeGreaterThan(399)
    await app.fetch('/oidc/token', {
      method: 'POST',
      headers,
      body: new URLSearchParams({ grant_type: 'authorization_code', client_id: 'demo-app', code: HUGE }),
    })

    const { results } = await DB.prepare(
      'select length(cast(payload as blob)) as bytes, payload from logs',
    ).all<{
      bytes: number
      payload: string
    }>()
    expect(results.length).toBeGreaterThan(0)
    expect(Math.max(...results.map(({ bytes }) => bytes))).toBeLessThanOrEqual(2_048)
    const userAgents = results.flatMap(({ payload }) => JSON.parse(payload).userAgent ?? [])
    expect(userAgents).toContain(`${'x'.repeat(255)}…`)
  })

  it('is as short in what waits for a hook', async () => {
    await DB.prepare(
      "insert into hooks (tenant_id, id, event, config, secret, created_at) values ('default', 'flood', 'PostRegister', ?, 's', 1)",
    )
      .bind(JSON.stringify({ url: 'https://receiver.example', retries: 0 }))
      .run()
    const { call } = await beginInteraction(app)
    const profile = { username: freshName(), password: 'correct-horse-7' }
    await call('PUT', '', { event: 'Register', profile })
    expect((await call('POST', '/submit', undefined, { 'user-agent': HUGE })).status).toBe(200)
    const { results } = await DB.prepare(
      "select payload ->> 'userAgent' as agent from outbox where hook_id = 'flood'",
    ).all()
    expect(results).toEqual([{ agent: `${'x'.repeat(255)}…` }])
    await DB.prepare("delete from hooks where id = 'flood'").run()
  })
})
