import { env } from 'cloudflare:workers'
import { decodeJwt } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { countedDatabase } from '../../../bench/counted-database.ts'
import { DAY, MINUTE } from '../../../src/contract/time.ts'
import { newOperator } from '../../kit/clients/management-client.ts'
import { openTestApp } from '../../kit/test-app.ts'
import {
  atTokenEndpoint,
  basicHeader,
  type ClientApplication,
  codeGrant,
  newArrival,
  newClient,
} from '../../security/parties.ts'

/** Tests how long applications keep their access, with a clock that passes up to ninety days (spec/provider#grants). */

const cost = { trips: 0, writes: 0, rowsWritten: 0 }
const app = openTestApp(
  {
    DB: countedDatabase(env.DB, {
      trip: () => {
        cost.trips += 1
      },
      rows: ({ written }) => {
        cost.writes += written > 0 ? 1 : 0
        cost.rowsWritten += written
      },
    }),
  },
  { hasCalmDatabase: true },
)

afterEach(() => {
  vi.useRealTimers()
})

type Type = Parameters<typeof newClient>[1]

/** Signs a new user in to an application, without asking for consent. Times are in days since then. */
async function install(type: Type, custom: object = {}, scope = 'openid offline_access') {
  const client = await newClient(app, type, { custom })
  return { client, ...(await authorize(type, client, scope)) }
}

async function authorize(type: Type, client: ClientApplication, scope: string) {
  const begin = Date.now()
  const send = ({ client_id: id, ...form }: Record<string, string> & { client_id: string }) =>
    type === 'Traditional'
      ? atTokenEndpoint(app, form, basicHeader(client))
      : atTokenEndpoint(app, { client_id: id, ...form })
  // A request for `openid` alone may have a nonce.
  const parameters: Record<string, string> = scope.startsWith('openid') ? { scope } : { scope, nonce: '' }
  const arrived = await newArrival(app, client, parameters)
  const { tokens } = await send(codeGrant(client, arrived))
  let current = tokens.refresh_token ?? ''
  const userId = await ownerOf(client.id)

  return {
    userId,
    tokens,
    browser: arrived.browser,
    wait: (days: number, more = 0) => {
      vi.useFakeTimers({ toFake: ['Date'], now: begin + days * DAY + more })
    },
    /** Uses the newest refresh token, as an application does. */
    async refresh(token = current) {
      const answer = await send({
        grant_type: 'refresh_token',
        client_id: client.id,
        refresh_token: token,
      })
      const isRotated = answer.tokens.refresh_token !== undefined && answer.tokens.refresh_token !== current
      current = answer.tokens.refresh_token ?? current
      return { ...answer, token: current, isRotated }
    },
    /** Returns the days from the sign-in to the end of the grant, and the grant's payload. */
    async grant() {
      const row = await grantOf(client.id)
      return row && { ends: (row.expires_at - begin) / DAY, payload: JSON.parse(row.payload) as Payload }
    },
  }
}

type Payload = { iat: number; exp: number }

const grantOf = (clientId: string) =>
  app.env.DB.prepare(
    "select expires_at, payload from oidc_model_instances where model_name = 'Grant' and client_id = ?",
  )
    .bind(clientId)
    .first<{ expires_at: number; payload: string }>()

const ownerOf = async (clientId: string) =>
  (
    await app.env.DB.prepare(
      "select max(account_id) as id from oidc_model_instances where model_name = 'Grant' and client_id = ?",
    )
      .bind(clientId)
      .first<{ id: string }>()
  )?.id ?? ''

const REFUSED = { status: 400, tokens: { error: 'invalid_grant' } }

describe('an application that is used', () => {
  it.each(['Native', 'Traditional'] as const)(
    '[ASVS-10.4.8] of type %s keeps its access for exactly 90 days after the authorization',
    async (type) => {
      const { wait, refresh, grant, tokens } = await install(type)
      const signedIn = decodeJwt(tokens.id_token)
      const before = await grant()
      for (const day of [13, 26, 39, 52, 65, 78]) {
        wait(day)
        const { status, tokens: next } = await refresh()
        expect(status, `day ${day}`).toBe(200)
        expect(decodeJwt(next.id_token).auth_time).toBe(signedIn.auth_time)
      }
      const after = await grant()
      expect(after?.payload.iat).toBe(before?.payload.iat)
      expect(after?.payload.exp).toBe(
        Math.round((after?.ends ?? 0) * 86_400 + (before?.payload.exp ?? 0) - (before?.ends ?? 0) * 86_400),
      )
      await app.sweep()
      wait(90, -MINUTE)
      expect((await refresh()).status).toBe(200)
      wait(90, MINUTE)
      expect(await refresh()).toMatchObject(REFUSED)
    },
  )

  it('loses its access after 14 days without use, whenever they begin', async () => {
    const { wait, refresh } = await install('Native')
    wait(30, 0)
    expect(await refresh()).toMatchObject(REFUSED)

    const later = await install('Traditional')
    later.wait(9)
    expect((await later.refresh()).isRotated).toBe(false)
    later.wait(22)
    expect(await later.refresh()).toMatchObject({ status: 200, isRotated: true })
    later.wait(36, MINUTE)
    expect(await later.refresh()).toMatchObject(REFUSED)
  })

  it('has its own idle time and maximum if the operator sets them', async () => {
    const { wait, refresh } = await install('Native', {
      refreshTokenTtl: 2 * 86_400,
      refreshTokenMaxTtl: 365 * 86_400,
    })
    for (let day = 1.9; day < 100; day += 1.9) {
      wait(day)
      expect((await refresh()).status, `day ${day}`).toBe(200)
    }
    wait(102)
    expect(await refresh()).toMatchObject(REFUSED)
  })

  it.each([
    ['an application from before this setting', 'Native', { refreshTokenMaxTtl: 1_209_600 }],
    ['an application in browsers', 'SPA', {}],
  ] as const)('ends after 14 days if it is %s', async (_what, type, custom) => {
    const { wait, refresh, grant } = await install(type, custom)
    const before = await grant()
    wait(7)
    expect((await refresh()).status).toBe(200)
    wait(14, -MINUTE)
    expect((await refresh()).status).toBe(200)
    expect(await grant()).toEqual(before)
    wait(14, MINUTE)
    expect(await refresh()).toMatchObject(REFUSED)
  })

  it('ends at a maximum that the operator lowers', async () => {
    const { client, wait, refresh } = await install('Native')
    wait(13)
    expect((await refresh()).status).toBe(200)
    const operator = await newOperator(app)
    const changed = await operator.send('PATCH', `/applications/${client.id}`, {
      customClientMetadata: { refreshTokenTtl: 86_400, refreshTokenMaxTtl: 10 * 86_400 },
    })
    expect(changed.status).toBe(200)
    wait(13, MINUTE)
    expect(await refresh()).toMatchObject(REFUSED)
  })
})

describe('the expiry', () => {
  it('is written at most once a day, in the batch of the refresh', async () => {
    // It begins at noon, so that each refresh below is the first of its day and also records the user's activity.
    vi.useFakeTimers({ toFake: ['Date'], now: Math.ceil(Date.now() / DAY) * DAY + DAY / 2 })
    const { wait, refresh, grant } = await install('Native')
    const costAfter = async (days: number) => {
      wait(days)
      await refresh('unknown') // reads the settings that later requests find in a cache
      Object.assign(cost, { trips: 0, writes: 0, rowsWritten: 0 })
      expect((await refresh()).status).toBe(200)
      return { ...cost }
    }
    const before = await grant()
    const usual = await costAfter(0.6)
    expect(await grant()).toEqual(before)
    const extending = await costAfter(1.7)
    expect((await grant())?.ends).toBeCloseTo(15.7, 2)
    expect(extending.trips).toBe(usual.trips)
    expect(extending.writes - usual.writes).toBe(1)
    // D1 counts the row of the grant and its entries in two or three indexes.
    expect(extending.rowsWritten - usual.rowsWritten).toBeLessThanOrEqual(4)
    expect(await costAfter(2.6)).toEqual(usual)
    expect((await grant())?.ends).toBeCloseTo(15.7, 2)
  })

  it('is extended once by concurrent refreshes, which get the same successor', async () => {
    const { wait, refresh, grant } = await install('Native')
    wait(5)
    const { token } = await refresh()
    wait(10)
    const answers = await Promise.all([1, 2, 3].map(() => refresh(token)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ tokens }) => tokens.refresh_token)).size).toBe(1)
    expect((await grant())?.ends).toBeCloseTo(24, 2)
  })

  it('is not shortened by a clock that goes backwards', async () => {
    const { wait, refresh, grant } = await install('Native')
    wait(10)
    expect((await refresh()).status).toBe(200)
    const before = await grant()
    wait(4)
    expect((await refresh()).status).toBe(200)
    expect(await grant()).toEqual(before)
  })

  it('does not restore a grant that is withdrawn during the refresh', async () => {
    const { client, wait, refresh, grant } = await install('Native')
    wait(10)
    let trips = 0
    const racing = openTestApp(
      {
        DB: countedDatabase(env.DB, {
          async trip() {
            trips += 1
            if (trips < 2) return
            await env.DB.prepare(
              "delete from oidc_model_instances where model_name = 'Grant' and client_id = ?",
            )
              .bind(client.id)
              .run()
          },
        }),
      },
      { hasCalmDatabase: true },
    )
    const { token } = await refresh()
    wait(12)
    trips = 0
    await atTokenEndpoint(racing, { grant_type: 'refresh_token', client_id: client.id, refresh_token: token })
    expect(trips).toBeGreaterThan(1)
    expect(await grant()).toBeNull()
    expect(await refresh()).toMatchObject(REFUSED)
  })

  it('belongs to each authorization: an older one ends in time although a newer one extends their grant', async () => {
    const old = await install('Native')
    for (const day of [13, 26, 39, 52, 65, 78]) {
      old.wait(day)
      await old.refresh()
    }
    const { expires_at: before } = (await grantOf(old.client.id)) ?? {}
    await app.env.DB.prepare(
      `update oidc_model_instances set expires_at = ?1, payload = json_set(payload, '$.exp', ?1 / 1000)
       where model_name = 'Grant' and client_id = ?2`,
    )
      .bind((before ?? 0) + 40 * DAY, old.client.id)
      .run()
    old.wait(90, MINUTE)
    expect(await old.refresh()).toMatchObject(REFUSED)
  })

  it('is extended for an application that asks for no identity', async () => {
    const { wait, refresh, tokens } = await install('Native', {}, 'offline_access')
    expect(tokens.id_token).toBeUndefined()
    wait(13)
    expect((await refresh()).status).toBe(200)
    wait(26)
    expect((await refresh()).status).toBe(200)
  })
})

describe('access that was extended several times ends with', () => {
  type Used = Awaited<ReturnType<typeof install>>
  type Send = Awaited<ReturnType<typeof newOperator>>['send']
  const endings: Record<string, (send: Send, used: Used) => Promise<Response>> = {
    'the suspension of the user': (send, { userId }) =>
      send('PATCH', `/users/${userId}/is-suspended`, { isSuspended: true }),
    'a new password': (send, { userId }) =>
      send('PATCH', `/users/${userId}/password`, { password: 'correct-horse-8' }),
    'the end of all sessions': (send, { userId }) => send('DELETE', `/users/${userId}/sessions`),
    'the removal of the user': (send, { userId }) => send('DELETE', `/users/${userId}`),
  }

  it('a revocation by the application (RFC 7009)', async () => {
    const { client, wait, refresh, grant } = await install('Native')
    wait(12)
    const { token } = await refresh()
    wait(24)
    const body = new URLSearchParams({ client_id: client.id, token })
    expect((await app.fetch('/oidc/token/revocation', { method: 'POST', body })).status).toBe(200)
    expect(await grant()).toBeNull()
    expect(await refresh()).toMatchObject(REFUSED)
  })

  it.each(Object.keys(endings))('%s', async (name) => {
    const used = await install('Native')
    for (const day of [12, 24, 36]) {
      used.wait(day)
      expect((await used.refresh()).status).toBe(200)
    }
    used.wait(36, MINUTE)
    const ended = await endings[name]?.((await newOperator(app)).send, used)
    expect(ended?.ok).toBe(true)
    used.wait(36, 2 * MINUTE)
    expect(await used.refresh()).toMatchObject(REFUSED)
  })
})
