import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HOUR } from '../../src/contract/time.ts'
import { MAX_UNPROVEN_ROWS_PER_HOUR } from '../../src/domain/log-bounds.ts'
import { auditEntries } from '../kit/audit-entries.ts'
import { freshName, PASSWORD, resumeAuthorization } from '../kit/clients/cookie-client.ts'
import { beginInteraction, codeTo, freshEmail, wrongCode } from '../kit/clients/interaction-client.ts'
import { everyMethod, setExperience } from '../kit/tenant-settings.ts'
import { openTestApp } from '../kit/test-app.ts'

const HUGE = 'x'.repeat(60_000)

/**
 * Until the user authenticates, most calls of an interaction write no audit rows
 * (spec/storage#interaction-rows).
 */
describe('an unauthenticated caller', () => {
  const app = openTestApp()
  beforeAll(() => setExperience(app, { methods: everyMethod }))
  beforeEach(async () => {
    const tables = ['logs', 'failed_requests', 'oidc_model_instances', 'counters']
    await app.env.DB.batch(tables.map((table) => app.env.DB.prepare(`delete from ${table}`)))
  })

  /** Returns the number of rows and bytes in the tables to which a visitor's requests write. */
  const leftIn = async () => {
    const { DB } = app.env
    const sizes = {
      logs: 'length(payload) + length(key) + length(id)',
      failed_requests: 'length(application_id) + length(endpoint) + length(error)',
      oidc_model_instances: 'length(payload) + length(id)',
      counters: 'length(key)',
    }
    const tables = Object.entries(sizes).map(async ([table, size]) => {
      const row = await DB.prepare(
        `select count(*) as rows, coalesce(sum(${size}), 0) as bytes from ${table}`,
      ).first<{ rows: number; bytes: number }>()
      return [table, row] as const
    })
    return Object.fromEntries(await Promise.all(tables))
  }

  const visit = async () => {
    const { call, start, submit } = await beginInteraction(app)
    const headers = { 'user-agent': HUGE }
    const answers = [
      await start('SignIn'),
      await start('Register', { profile: { username: freshName() } }),
      await call('PUT', '/event', { event: 'SignIn' }, headers),
      await call('PUT', '/event', { event: 'ForgotPassword' }, headers),
      await call('PUT', '/profile', { username: freshName() }, headers),
      await call('DELETE', '/profile', undefined, headers),
      await call('PATCH', '/identifiers', { connectorId: 'unknown', connectorData: {} }, headers),
      await call('PATCH', '/identifiers', { connectorId: 'unknown', email: 'a@b.example' }, headers),
      await submit(),
      await call('DELETE', '', undefined, headers),
    ]
    return answers.map(({ status }) => status)
  }

  it('[ASVS-2.4.1-33] adds one row per error per hour, however many requests it makes', async () => {
    const visited: number[] = []
    const left: Awaited<ReturnType<typeof leftIn>>[] = []
    for (const visits of [3, 7]) {
      for (let n = 0; n < visits; n++) visited.push(...(await visit()))
      expect((await leftIn()).logs).toEqual({ rows: 0, bytes: 0 })
      await app.env.DB.prepare('update oidc_model_instances set expires_at = expires_at - ?').bind(HOUR).run()
      await app.sweep()
      left.push(await leftIn())
    }
    expect(visited.filter((status) => status < 300).length).toBeGreaterThan(35)
    const [first, last] = left
    expect(last).toMatchObject({
      logs: { rows: 0 },
      oidc_model_instances: { rows: 0 },
      counters: { rows: 0 },
    })
    expect(last).toEqual(first)
    expect(last?.failed_requests?.bytes).toBeLessThan(2_000)
    const { results } = await app.env.DB.prepare(
      "select application_id as app, endpoint, count from failed_requests where error = 'interaction.abandoned'",
    ).all()
    expect(results).toEqual([{ app: 'demo-app', endpoint: 'interaction', count: 10 }])
  })

  it('[ASVS-2.4.1-34] adds no audit row before authenticating, even in a browser that has completed another sign-in', async () => {
    const { client, start, submit } = await beginInteraction(app)
    const username = freshName()
    await start('Register', { profile: { username, password: PASSWORD } })
    await resumeAuthorization(client, await submit())
    await app.env.DB.prepare('delete from logs').run()
    const again = () => beginInteraction(app, client, { prompt: 'login' })
    for (let n = 0; n < 3; n++) {
      const { call, start } = await again()
      expect((await start('SignIn')).status).toBe(204)
      expect((await call('POST', '/consent', { decision: 'allow' })).status).toBe(400)
    }
    expect((await leftIn()).logs).toEqual({ rows: 0, bytes: 0 })
    const proven = await again()
    await proven.start('SignIn')
    await proven.call('PATCH', '/identifiers', { username, password: PASSWORD })
    expect((await auditEntries(app.env.DB)).map(({ key }) => key)).toEqual([
      'Interaction.Create',
      'Interaction.SignIn.Update',
      'Interaction.SignIn.Identifier.Password.Submit',
    ])
    expect((await leftIn()).logs).toMatchObject({ rows: 1 })
  })

  it('[ASVS-2.4.1-35] adds one audit row for each wrong password', async () => {
    const { DB } = app.env
    const username = freshName()
    const registered = await beginInteraction(app)
    await registered.start('Register', { profile: { username, password: PASSWORD } })
    expect((await registered.submit()).status).toBe(200)
    await DB.batch([DB.prepare('delete from logs'), DB.prepare('delete from failed_requests')])
    const { call, start, sendCode } = await beginInteraction(app)
    await start('SignIn')
    const guess = (name: string) =>
      call('PATCH', '/identifiers', { username: name, password: 'wrong-horse-7' })
    const outcome = async () => ({
      rows: (await leftIn()).logs?.rows,
      counted: await DB.prepare("select count from counters where key like 'unproven-logs/%'").first('count'),
    })
    for (let n = 0; n < 4; n++) await guess(freshName())
    expect(await outcome()).toEqual({ rows: 4, counted: 4 })
    for (let n = 0; n < 4; n++) await guess(username)
    expect(await outcome()).toEqual({ rows: 8, counted: 4 })
    const email = freshEmail()
    await sendCode({ email })
    const verificationCode = wrongCode(await codeTo(app, { email }))
    for (let n = 0; n < 3; n++) await call('PATCH', '/identifiers', { email, verificationCode })
    expect(await outcome()).toEqual({ rows: 10, counted: 6 })
    expect((await leftIn()).failed_requests).toMatchObject({ rows: 0 })
  })

  it('adds an audit row for a sent code, and the deferred rows only after authenticating', async () => {
    const { start, sendCode, call } = await beginInteraction(app)
    const email = freshEmail()
    await start('SignIn')
    expect((await sendCode({ email })).status).toBe(204)
    const keys = async () => (await auditEntries(app.env.DB)).map(({ key }) => key)
    const sent = 'Interaction.SignIn.Identifier.VerificationCode.Create'
    expect(await keys()).toEqual([sent])
    await call('PATCH', '/identifiers', { email, verificationCode: await codeTo(app, { email }) })
    expect((await keys()).toSorted()).toEqual([
      'Interaction.Create',
      sent,
      'Interaction.SignIn.Identifier.VerificationCode.Submit',
      'Interaction.SignIn.Update',
    ])
  })

  it('[ASVS-2.4.1-36] adds at most 1,000 audit rows per tenant per hour', async () => {
    const { DB } = app.env
    const username = freshName()
    const password = 'correct-horse-7'
    const registered = await beginInteraction(app)
    await registered.start('Register', { profile: { username, password } })
    expect((await registered.submit()).status).toBe(200)
    const attempt = async (name: string, guess: string) => {
      const { start } = await beginInteraction(app)
      await DB.prepare('delete from logs').run()
      await start('SignIn', { identifier: { username: name, password: guess } })
      return (await DB.prepare('select key from logs').all<{ key: string }>()).results.length
    }
    expect(await attempt(freshName(), 'wrong-horse-7')).toBe(1)
    await DB.prepare("update counters set count = ? where key like 'unproven-logs/%'")
      .bind(MAX_UNPROVEN_ROWS_PER_HOUR - 1)
      .run()
    expect(await attempt(freshName(), 'wrong-horse-7')).toBe(1)
    expect(await attempt(freshName(), 'wrong-horse-7')).toBe(0)
    expect(await attempt(freshName(), 'wrong-horse-7')).toBe(0)
    expect(await attempt(username, 'wrong-horse-7')).toBe(1)
    expect(await attempt(username, password)).toBe(1)
    const { results } = await DB.prepare(
      'select application_id as app, endpoint, error, count from failed_requests',
    ).all()
    expect(results).toEqual([
      { app: 'demo-app', endpoint: 'interaction', error: 'log.not_written', count: 2 },
    ])
  })
})
