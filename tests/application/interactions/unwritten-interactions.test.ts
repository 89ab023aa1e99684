import { describe, expect, it } from 'vitest'
import { auditEntries } from '../../kit/audit-entries.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  RESUMED,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { openTestApp } from '../../kit/test-app.ts'

/**
 * Tests that an interaction is stored only in its cookie until its first call (spec/storage#unwritten-interactions).
 */
describe('an interaction that is not stored yet', async () => {
  const app = openTestApp()
  const { DB } = app.env
  const username = freshName()
  const first = newCookieClient(app)
  await resumeAuthorization(
    first,
    await registerAccount(first, await openSignInPage(first, await authorizationRequest()), username),
  )

  const rowsOf = async (uid: string) => {
    const model = "select payload from oidc_model_instances where model_name = 'Interaction' and id = ?"
    const { results } = await DB.prepare(model).bind(uid).all<{ payload: string }>()
    const entries = await auditEntries(DB, uid)
    return {
      rows: results.map(({ payload }) => JSON.parse(payload)),
      logs: entries.filter(({ key }) => key === 'Interaction.Create'),
    }
  }
  const start = (
    client: ReturnType<typeof newCookieClient>,
    uid: string,
    headers = {},
    identifier?: { username: string; password: string },
  ) =>
    client.send('PUT', '/api/interaction', { event: 'SignIn', identifier }, { Interaction: uid, ...headers })
  const outcome = async (response: Response) => [
    response.status,
    ((await response.json()) as { code: string }).code,
  ]

  it('is stored only once, by the first call, with details of the authorization request', async () => {
    const client = newCookieClient(app)
    const before = Date.now()
    const redirect = await client.get((await authorizationRequest()).url, {
      'cf-connecting-ip': '203.0.113.1',
      'user-agent': 'Where it began',
    })
    const uid =
      new URL(redirect.headers.get('location') ?? '', 'http://x').searchParams.get('interaction') ?? ''
    const after = Date.now()
    expect(await rowsOf(uid)).toEqual({ rows: [], logs: [] })

    const elsewhere = { 'cf-connecting-ip': '203.0.113.2', 'user-agent': 'Elsewhere' }
    const both = await Promise.all([start(client, uid, elsewhere), start(client, uid, elsewhere)])
    expect(both.map(({ status }) => status)).toEqual([204, 204])
    const begun = await rowsOf(uid)
    expect([begun.rows.length, begun.logs.length]).toEqual([1, 0])

    // The audit row is written once, after the user has first verified an identifier or a credential.
    const wrong = { username, password: 'wrong-horse-7' }
    expect((await start(client, uid, elsewhere, wrong)).status).toBe(422)
    expect((await rowsOf(uid)).logs).toEqual([])
    for (let attempt = 0; attempt < 2; attempt++)
      expect((await start(client, uid, elsewhere, { username, password: PASSWORD })).status).toBe(204)
    const { rows, logs } = await rowsOf(uid)
    expect([rows.length, logs.length]).toEqual([1, 1])
    expect(logs[0]?.payload).toMatchObject({
      ip: '203.0.113.1',
      userAgent: 'Where it began',
      applicationId: 'demo-app',
      params: { client_id: 'demo-app', state: '******' },
      prompt: { name: 'login' },
    })
    expect(logs[0]?.createdAt).toBeGreaterThanOrEqual(before)
    expect(logs[0]?.createdAt).toBeLessThanOrEqual(after)
  })

  it('[ASVS-2.4.1-37] can be used only once, even with a copy of its original cookies', async () => {
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest())
    const cookies = new Map(client.cookies)
    const back = await resumeAuthorization(client, await signIn(client, uid, username))
    expect(back.searchParams.get('code')).toBeTruthy()

    const replay = newCookieClient(app)
    for (const [name, cookie] of cookies) replay.cookies.set(name, cookie)
    expect(await outcome(await start(replay, uid))).toEqual([400, 'session.not_found'])
    expect(
      await outcome(await replay.send('DELETE', '/api/interaction', undefined, { Interaction: uid })),
    ).toEqual([400, 'session.not_found'])
    const resumed = await replay.get(`/oidc/auth/${uid}`, { accept: 'application/json' })
    expect([resumed.status, resumed.headers.get('location')]).toEqual([400, null])
    const { rows, logs } = await rowsOf(uid)
    expect([rows, logs.length]).toEqual([[{}], 1])
  })

  it('writes one audit row for each proof, submit and end, which contains the steps before it', async () => {
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest(RESUMED))
    expect((await start(client, uid, {}, { username, password: PASSWORD })).status).toBe(204)
    const rows = async () =>
      (
        await DB.prepare("select id, keys from logs where payload ->> 'interactionId' = ? order by id")
          .bind(uid)
          .all<{ id: string; keys: string }>()
      ).results
    const proof = 'Interaction.Create Interaction.SignIn.Identifier.Password.Submit Interaction.SignIn.Update'
    expect((await rows()).map(({ keys }) => keys)).toEqual([proof])
    for (const event of ['Register', 'SignIn'])
      await client.send('PUT', '/api/interaction/event', { event }, { Interaction: uid })
    expect(await rows()).toHaveLength(1)
    const submitted = await client.send('POST', '/api/interaction/submit', undefined, { Interaction: uid })
    await resumeAuthorization(client, submitted)
    expect((await rows()).map(({ keys }) => keys)).toEqual([
      proof,
      'Interaction.Register.Update Interaction.SignIn.Submit Interaction.SignIn.Update',
      'Interaction.End',
    ])
    expect((await rows()).every(({ id }) => id.startsWith('~'))).toBe(true)
    expect(
      (await auditEntries(DB, uid)).map(({ key, payload }) => [key, payload.userId !== undefined]),
    ).toEqual([
      ['Interaction.Create', true],
      ['Interaction.SignIn.Update', true],
      ['Interaction.SignIn.Identifier.Password.Submit', true],
      ['Interaction.Register.Update', true],
      ['Interaction.SignIn.Update', true],
      ['Interaction.SignIn.Submit', true],
      ['Interaction.End', true],
    ])
  })

  it('shows the sign-in page again if it is resumed before any call, but only once', async () => {
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest())
    const cookies = new Map(client.cookies)
    const redirect = await client.get(`/oidc/auth/${uid}`)
    expect(redirect.headers.get('location')).toContain('/sign-in?')
    for (const [name, cookie] of cookies) client.cookies.set(name, cookie)
    expect((await client.get(`/oidc/auth/${uid}`)).status).toBe(400)
  })

  it('is stored in KV if it is too large for a cookie', async () => {
    const state = 'x'.repeat(3_000)
    const client = newCookieClient(app)
    const uid = await openSignInPage(client, await authorizationRequest({ state }))
    for (const [name, { value }] of client.cookies) expect(name.length + value.length).toBeLessThan(4_096)
    expect(await rowsOf(uid)).toEqual({ rows: [], logs: [] })
    const { keys } = await app.env.INTERACTIONS.list({ prefix: `unwritten:default:${uid}:` })
    expect(keys).toHaveLength(1)
    const back = await resumeAuthorization(client, await signIn(client, uid, username))
    expect(back.searchParams.get('state')).toBe(state)
  })

  it('is rejected after its session has been deleted', async () => {
    const client = newCookieClient(app)
    await resumeAuthorization(
      client,
      await signIn(client, await openSignInPage(client, await authorizationRequest()), username),
    )
    const uid = await openSignInPage(client, await authorizationRequest({ prompt: 'login' }))
    await DB.prepare("delete from oidc_model_instances where model_name = 'Session'").run()
    expect(await outcome(await start(client, uid))).toEqual([400, 'session.not_found'])
  })

  it('cannot be continued with another interaction’s cookie', async () => {
    const [client, other] = [newCookieClient(app), newCookieClient(app)]
    const uid = await openSignInPage(client, await authorizationRequest())
    const theirs = await openSignInPage(other, await authorizationRequest())
    const cookie = other.cookies.get(`_interaction_${theirs}`)
    if (cookie) client.cookies.set(`_interaction_${uid}`, cookie)
    expect(await outcome(await start(client, uid))).toEqual([400, 'session.not_found'])
  })
})
