import { env } from 'cloudflare:workers'
import type { KVNamespace } from '@cloudflare/workers-types'
import { describe, expect, it } from 'vitest'
import { countedDatabase } from '../../bench/counted-database.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  redeemCode,
  registerAccount,
  resumeAuthorization,
  signIn,
} from '../kit/clients/cookie-client.ts'
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

type Tokens = { refresh_token: string }

function countedApp() {
  let cost = nothing()
  let isAnswered = false
  const listener = {
    trip() {
      cost.trips++
      if (!isAnswered) cost.awaited++
    },
    rows({ read, written }: { read: number; written: number }) {
      cost.rowsRead += read
      cost.rowsWritten += written
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
