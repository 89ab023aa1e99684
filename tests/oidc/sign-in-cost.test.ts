import { env } from 'cloudflare:workers'
import type { KVNamespace } from '@cloudflare/workers-types'
import { beforeAll, describe, expect, it } from 'vitest'
import { countedDatabase } from '../../bench/counted-database.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  redeemCode,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../kit/clients/cookie-client.ts'
import { beginInteraction, codeTo, freshEmail } from '../kit/clients/interaction-client.ts'
import { everyMethod, setExperience } from '../kit/tenant-settings.ts'
import { openTestApp, type TestApp } from '../kit/test-app.ts'
import { REFRESH, SIGN_IN, type SignInCost } from './sign-in-cost.ts'

const RUNS = 5

/** Counts the operations that `docs/operations/scaling.md` extrapolates to a million sign-ins. */
describe('the billed operations', async () => {
  const { app, costOf } = countedApp()
  const username = freshName()
  const newcomer = newCookieClient(app)
  const request = await authorizationRequest({ scope: 'openid offline_access', prompt: 'login consent' })
  const consent = await resumeAuthorization(
    newcomer,
    await registerAccount(newcomer, await openSignInPage(newcomer, request), username),
  )
  const Interaction = consent.searchParams.get('interaction') ?? ''
  const consented = await newcomer.send('POST', '/api/interaction/consent', undefined, { Interaction })
  const code = (await resumeAuthorization(newcomer, consented)).searchParams.get('code') ?? ''
  let { refresh_token: token } = (await (await redeemCode(app, request, code)).json()) as Tokens

  it('match the documented cost of a sign-in with a password', async () => {
    const cost = await costOf(async () => {
      const client = newCookieClient(app)
      const request = await authorizationRequest()
      const uid = await openSignInPage(client, request)
      expect((await client.get(`/sign-in?interaction=${uid}`)).status).toBe(200)
      const back = await resumeAuthorization(client, await signIn(client, uid, username))
      expect((await redeemCode(app, request, back.searchParams.get('code') ?? '')).status).toBe(200)
    })

    expect(cost).toEqual(SIGN_IN)
  })

  it('include no further round trip before the response for the notice of a new browser', async () => {
    const owner = freshName()
    const first = newCookieClient(app)
    await resumeAuthorization(
      first,
      await registerAccount(first, await openSignInPage(first, await authorizationRequest()), owner),
    )
    const set = env.DB.prepare('update users set primary_email = ? where username = ?')
    await set.bind(`${owner}@example.com`, owner).run()
    const { awaited, rowsRead } = await costOf(async () => {
      const client = newCookieClient(app)
      const request = await authorizationRequest()
      const uid = await openSignInPage(client, request)
      expect((await client.get(`/sign-in?interaction=${uid}`)).status).toBe(200)
      const back = await resumeAuthorization(client, await signIn(client, uid, owner))
      expect((await redeemCode(app, request, back.searchParams.get('code') ?? '')).status).toBe(200)
    })
    expect(awaited).toBe(SIGN_IN.awaited)
    expect(rowsRead).toBeLessThan(SIGN_IN.rowsRead + 25)
    const { results } = await env.DB.prepare(
      "select 1 from notices where type = 'NewSignIn' and recipient = ? union all select 1 from dev_messages where type = 'NewSignIn' and \"to\" = ?",
    )
      .bind(`${owner}@example.com`, `${owner}@example.com`)
      .all()
    expect(results.length).toBeGreaterThan(0)
  })

  it('match the documented cost of using a refresh token', async () => {
    const cost = await costOf(async () => {
      const body = { grant_type: 'refresh_token', refresh_token: token, client_id: 'demo-app' }
      const answer = await app.fetch('/oidc/token', { method: 'POST', body: new URLSearchParams(body) })
      expect(answer.status).toBe(200)
      token = ((await answer.json()) as Tokens).refresh_token
    })

    expect(cost).toEqual(REFRESH)
  })
})

/** Counts the rows of single tables, each with its index entries. */
describe('the rows written', () => {
  const { app, rowsWrittenTo } = countedApp()
  const username = freshName()
  const owner = newCookieClient(app)
  beforeAll(async () => {
    await registerAccount(owner, await openSignInPage(owner, await authorizationRequest()), username)
  })
  const entriesOf = async (table: string) => {
    const indexes = env.DB.prepare(
      "select count(*) as n from sqlite_master where type = 'index' and tbl_name = ?",
    )
    return 1 + ((await indexes.bind(table).first<number>('n')) ?? 0)
  }
  const countersFor = async (name: string, password: string, ip: string) => {
    const client = newCookieClient(app)
    for (const [cookie, value] of owner.cookies)
      if (cookie.includes('_known')) client.cookies.set(cookie, value)
    const { call } = await beginInteraction(app, ip === 'known' ? client : undefined)
    const identifier = { username: name, password }
    const headers = { 'cf-connecting-ip': ip === 'known' ? '192.0.2.1' : ip }
    const written = await rowsWrittenTo('counters', () =>
      call('PUT', '', { event: 'SignIn', identifier }, headers),
    )
    return { written, left: await countersLeft() }
  }
  const countersLeft = async () =>
    (await env.DB.prepare("delete from counters where key not like 'unproven%' returning key").run()).results
      .length

  it('for rate limits are two rows, deleted at once, at a right password, and one in a known browser', async () => {
    const entries = await entriesOf('counters')
    await countersLeft()
    expect(await countersFor(username, PASSWORD, '192.0.2.7')).toEqual({ written: 2 * entries + 2, left: 0 })
    expect(await countersFor(username, PASSWORD, 'known')).toEqual({ written: entries + 1, left: 0 })
  })

  it('for rate limits do not reveal whether the account exists', async () => {
    const entries = await entriesOf('counters')
    await countersFor(username, 'wrong-password-1', '192.0.2.7')
    const ofAccount = await countersFor(username, 'wrong-password-1', '192.0.2.8')
    expect(await countersFor(freshName(), 'wrong-password-1', '192.0.2.9')).toEqual(ofAccount)
    // The third row bounds the audit rows of an hour.
    expect(ofAccount).toEqual({ written: 2 * entries + 1, left: 2 })
  })

  it('by a registration with a code are none for right codes or missing identifiers', async () => {
    const { app, rowsWrittenTo } = countedApp()
    await setExperience(app, {
      methods: everyMethod,
      signUp: { identifiers: ['email'], password: false, verify: true },
    })
    await env.DB.prepare('delete from counters').run()
    const entries = await entriesOf('counters')
    const email = freshEmail()
    const { call, start, sendCode, submit } = await beginInteraction(app)
    await start('Register')
    await countersLeft()
    expect(await rowsWrittenTo('counters', () => sendCode({ email }))).toBe(3 * entries)
    // The code, three index entries, and the deletion of the first code.
    expect(await rowsWrittenTo('passcodes', () => sendCode({ email }))).toBe(5)
    const verificationCode = await codeTo(app, { email })
    const prove = () => call('PATCH', '/identifiers', { email, verificationCode })
    expect(await rowsWrittenTo('counters', prove)).toBe(0)
    await call('PATCH', '/profile', { email })
    // The row, six index entries, two entries of the search, the total and the registrations of the day; then the first
    // application, which the authorization adds.
    expect(await rowsWrittenTo('users', submit)).toBe(12)
  })
})

type Tokens = { refresh_token: string }

function countedApp() {
  let cost = nothing()
  let isAnswered = false
  let [watched, watchedRows] = ['', 0]
  const listener = {
    trip() {
      cost.trips++
      if (!isAnswered) cost.awaited++
    },
    rows({ read, written, query }: { read: number; written: number; query: string }) {
      cost.rowsRead += read
      cost.rowsWritten += written
      if (new RegExp(`^(?:insert into|update|delete from) "?${watched}\\b`, 'i').test(query))
        watchedRows += written
    },
  }
  const opened = openTestApp({
    DB: countedDatabase(env.DB, listener),
    INTERACTIONS: countedKv(env.INTERACTIONS, (kind) => cost[kind]++),
  })
  const app: TestApp = {
    ...opened,
    async fetch(path, init) {
      cost.requests++
      isAnswered = false
      const { response, settled } = await opened.answer(path, init)
      isAnswered = true
      await settled
      return response
    },
  }
  return {
    app,
    /** Returns the number of rows that the statements on a table write during a call, including those of triggers. */
    async rowsWrittenTo(table: string, call: () => Promise<Response>): Promise<number> {
      ;[watched, watchedRows] = [table, 0]
      await call()
      return watchedRows
    },
    /**
     * Returns the lowest cost of several runs, because the first run fills the caches and later runs may refresh
     * settings, which are cached for five seconds.
     */
    async costOf(work: () => Promise<void>): Promise<SignInCost> {
      const costs: SignInCost[] = []
      let newestRows = { instance: 0, log: 0 }
      for (let run = 0; run < RUNS; run++) {
        newestRows = { instance: await newestRow('oidc_model_instances'), log: await newestRow('logs') }
        const logRowsBefore = await logRows()
        cost = nothing()
        await work()
        costs.push({ ...cost, logRows: (await logRows()) - logRowsBefore })
      }
      const [least = nothing()] = costs.toSorted((one, other) => one.trips - other.trips)
      return {
        ...least,
        rowsSwept: await sweptRows('oidc_model_instances', newestRows.instance),
        logRowsSwept: await sweptRows('logs', newestRows.log),
      }
    },
  }
}

type Table = 'oidc_model_instances' | 'logs'

const newestRow = async (table: Table) =>
  (await env.DB.prepare(`select max(rowid) as newest from ${table}`).first<number>('newest')) ?? 0

const logRows = async () =>
  (await env.DB.prepare('select count(*) as rows from logs').first<number>('rows')) ?? 0

/** Deletes the rows in the same way as the scheduled run, and returns the number of rows that D1 writes. */
async function sweptRows(table: Table, since: number): Promise<number> {
  const { meta } = await env.DB.prepare(`delete from ${table} where rowid > ?`).bind(since).run()
  return meta.rows_written
}

const nothing = (): SignInCost => ({
  requests: 0,
  awaited: 0,
  trips: 0,
  rowsRead: 0,
  rowsWritten: 0,
  rowsSwept: 0,
  logRows: 0,
  logRowsSwept: 0,
  kvReads: 0,
  kvWrites: 0,
})

function countedKv(namespace: KVNamespace, count: (kind: 'kvReads' | 'kvWrites') => void): KVNamespace {
  return new Proxy(namespace, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        count(property === 'get' || property === 'getWithMetadata' ? 'kvReads' : 'kvWrites')
        return value.apply(target, args)
      }
    },
  })
}
