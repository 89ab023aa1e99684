import { and, eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { USER_ID_LENGTH } from '../../../src/contract/ids.ts'
import { runInOneBatch } from '../../../src/storage/batches.ts'
import { ALWAYS_TRUE } from '../../../src/storage/conditions.ts'
import type { Database } from '../../../src/storage/database.ts'
import { enqueueHooks } from '../../../src/storage/hooks/hook-events.ts'
import { insertHook, updateHook } from '../../../src/storage/hooks/hooks.ts'
import {
  claimDelivery,
  claimNextDelivery,
  listFailedDeliveries,
  markDelivered,
  markFailed,
  resendDelivery,
} from '../../../src/storage/hooks/outbox.ts'
import { enqueueLogouts } from '../../../src/storage/hooks/outbox-events.ts'
import { randomId } from '../../../src/storage/ids.ts'
import { sweepRevokedRows } from '../../../src/storage/sessions/oidc-revocation.ts'
import { oidcModelInstances as models, outbox } from '../../../src/storage/tables.ts'
import { insertUserIf } from '../../../src/storage/users/user-changes.ts'
import { newApplication, newTenant, newUser, testDatabases } from '../databases.ts'

/**
 * The sweep covers the outboxes of all tenants, oldest deliveries first. These are years older than those of other
 * tests, so the sweep of this test claims them.
 */
const NOW = Date.UTC(1980, 0, 1)

const hookOf = async (db: Database, tenantId: string, event: 'PostRegister' | 'PostSignIn') => {
  const config = { url: 'https://a.example', retries: 0 }
  const hook = { tenantId, id: randomId(), config, secret: 's', createdAt: NOW }
  await insertHook(db, { ...hook, events: [event] })
  return hook
}

const occasion = {
  event: 'PostRegister',
  interactionEvent: 'Register',
  sessionId: 'uid',
  userAgent: 'Browser',
  applicationId: 'shop',
} as const

const rowsOf = (db: Database, tenantId: string) =>
  db.select().from(outbox).where(eq(outbox.tenantId, tenantId)).orderBy(outbox.id)

describe.each(testDatabases)('the outbox on $name', ({ db }) => {
  async function pendingDelivery() {
    const tenantId = await newTenant(db)
    const hook = await hookOf(db, tenantId, 'PostRegister')
    const user = await newUser(db, tenantId)
    const [row] = await enqueueHooks(db, tenantId, ALWAYS_TRUE, { ...occasion, userId: user.id }, NOW)
    return { tenantId, hookId: hook.id, id: row?.id ?? '' }
  }

  it('has a row for each of the tenant’s hooks for the event, with the state after the change', async () => {
    const [tenantId, other] = [await newTenant(db), await newTenant(db)]
    const hooks = [await hookOf(db, tenantId, 'PostRegister'), await hookOf(db, tenantId, 'PostRegister')]
    await hookOf(db, tenantId, 'PostSignIn')
    await hookOf(db, other, 'PostRegister')
    await newApplication(db, tenantId, { name: 'shop' })
    const user = {
      id: randomId(USER_ID_LENGTH),
      username: 'ann',
      primaryEmail: 'Ann@b.c',
      identities: { github: { userId: '7', details: { id: '7' } } },
      customData: { deep: { list: [1, null, 'ü'] } },
      emailVerified: true,
      phoneVerified: false,
      isSuspended: false,
      profile: { givenName: 'Ann', address: { country: 'DE' } },
      createdAt: NOW,
      lastSignInAt: NOW,
    }
    const { enqueued } = await runInOneBatch(db, {
      created: insertUserIf(db, tenantId, ALWAYS_TRUE, user),
      enqueued: enqueueHooks(db, tenantId, ALWAYS_TRUE, { ...occasion, userId: user.id }, NOW),
    })
    expect(enqueued).toHaveLength(2)

    const rows = await rowsOf(db, tenantId)
    expect(rows.map(({ id }) => id)).toEqual(enqueued.map(({ id }) => id).toSorted())
    expect(rows.map(({ hookId }) => hookId).toSorted()).toEqual(hooks.map(({ id }) => id).toSorted())
    const [{ payload, ...row } = { payload: null }] = rows
    expect(row).toMatchObject({
      event: 'PostRegister',
      applicationId: null,
      attempts: 0,
      nextAttemptAt: NOW,
      status: 'pending',
      createdAt: NOW,
    })
    expect(payload).toEqual({
      hookId: rows[0]?.hookId,
      event: 'PostRegister',
      interactionEvent: 'Register',
      createdAt: '1980-01-01T00:00:00.000Z',
      sessionId: 'uid',
      userAgent: 'Browser',
      userId: user.id,
      user: {
        ...user,
        primaryPhone: null,
        name: null,
        avatar: null,
        applicationId: null,
        termsAgreement: null,
        profileUpdatedAt: null,
      },
      application: { id: 'shop', type: 'SPA', name: 'shop', description: null },
    })
    expect(await rowsOf(db, other)).toEqual([])
  })

  it('omits an application that does not exist, and remains empty if the condition does not hold', async () => {
    const tenantId = await newTenant(db)
    await hookOf(db, tenantId, 'PostRegister')
    const { id: userId } = await newUser(db, tenantId, { isSuspended: true })
    const enqueue = (condition = ALWAYS_TRUE) =>
      enqueueHooks(db, tenantId, condition, { ...occasion, userId, userAgent: undefined }, NOW)
    expect(await enqueue(sql`false`)).toEqual([])
    await enqueue()
    const [row] = await rowsOf(db, tenantId)
    expect(row?.payload).not.toHaveProperty('application')
    expect(row?.payload).not.toHaveProperty('userAgent')
    expect(row?.payload).toMatchObject({ user: { isSuspended: true } })
  })

  it('assigns a delivery to only one of many senders, and to none until it is due again', async () => {
    const key = await pendingDelivery()
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimDelivery(db, key, NOW)))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await claimDelivery(db, key, NOW + 59_999)).toBeNull()
    expect(await claimDelivery(db, key, NOW + 60_000)).toMatchObject({
      attempts: 2,
      nextAttemptAt: NOW + 180_000,
    })
  })

  it('schedules twelve attempts within 24 hours', async () => {
    const key = await pendingDelivery()
    let at = NOW
    for (let attempts = 1; attempts <= 12; attempts++) {
      const claimed = await claimDelivery(db, key, at)
      expect(claimed?.attempts).toBe(attempts)
      if (attempts === 12) expect(at - NOW).toBe(24 * 60 * 60_000)
      at = claimed?.nextAttemptAt ?? 0
    }
    // The last attempt also has a lease, in case its sender crashes.
    expect(at - NOW).toBe(24 * 60 * 60_000 + 60_000)
  })

  it('assigns the longest overdue deliveries first, each to one sender', async () => {
    const keys = [await pendingDelivery(), await pendingDelivery(), await pendingDelivery()]
    await db
      .update(outbox)
      .set({ nextAttemptAt: NOW - 500 })
      .where(isRow(keys[2]))
    const early = await claimNextDelivery(db, NOW - 1)
    expect(early?.id).toBe(keys[2]?.id)
    const claims = await Promise.all(Array.from({ length: 6 }, () => claimNextDelivery(db, NOW)))
    const ids = claims.flatMap((claimed) => (claimed ? [claimed.id] : []))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining([keys[0]?.id, keys[1]?.id]))
    for (const key of keys) await markDelivered(db, key)
  })

  it('does not mark a delivery as failed after another sender has claimed or delivered it', async () => {
    const key = await pendingDelivery()
    await claimDelivery(db, key, NOW)
    await claimDelivery(db, key, NOW + 60_000)
    await markFailed(db, { ...key, attempts: 1 })
    expect(await rowsOf(db, key.tenantId)).toMatchObject([{ status: 'pending' }])
    await markDelivered(db, key)
    await markFailed(db, { ...key, attempts: 2 })
    expect(await rowsOf(db, key.tenantId)).toMatchObject([{ status: 'delivered' }])
  })

  it('lists failed deliveries, and resends each only once', async () => {
    const { hookId, ...key } = await pendingDelivery()
    const page = { page: 1, pageSize: 20 }
    expect(await listFailedDeliveries(db, key.tenantId, hookId, page)).toMatchObject({
      isHook: true,
      total: 0,
    })
    await claimDelivery(db, key, NOW)
    await markFailed(db, { ...key, attempts: 1 })
    const listed = await listFailedDeliveries(db, key.tenantId, hookId, page)
    expect(listed).toMatchObject({ total: 1, isCapped: false, deliveries: [{ id: key.id }] })
    expect(await listFailedDeliveries(db, key.tenantId, 'unknown', page)).toMatchObject({
      isHook: false,
      total: 0,
    })

    const resend = (id = hookId) => resendDelivery(db, { ...key, hookId: id, now: NOW + 5 })
    expect(await resend('another')).toEqual([])
    expect((await Promise.all([resend(), resend()])).flat()).toHaveLength(1)
    expect(await claimDelivery(db, key, NOW + 5)).toMatchObject({ attempts: 1 })
  })

  it('merges a hook’s configuration key by key, but replaces headers as a whole', async () => {
    const tenantId = await newTenant(db)
    const { id } = await hookOf(db, tenantId, 'PostRegister')
    const change = (config: object) => updateHook(db, tenantId, id, { config })
    await change({ headers: { a: '1', b: '2' } })
    const [changed] = await change({ headers: { b: '3' }, retries: 2 })
    expect(changed?.config).toEqual({ url: 'https://a.example', headers: { b: '3' }, retries: 2 })
  })

  it('receives logouts for the applications of current sessions, before the revoked rows are swept', async () => {
    const tenantId = await newTenant(db)
    const { id: userId } = await newUser(db, tenantId)
    const second = Math.floor(NOW / 1000)
    const backchannelLogoutUri = 'https://a.example'
    await newApplication(db, tenantId, { id: 'simple', customClientMetadata: { backchannelLogoutUri } })
    await newApplication(db, tenantId, {
      id: 'exact',
      customClientMetadata: { backchannelLogoutUri, backchannelLogoutSessionRequired: true },
    })
    await newApplication(db, tenantId, { id: 'quiet' })
    const authorizations = (sid: string) =>
      Object.fromEntries(['simple', 'exact', 'quiet', 'demo-app'].map((id) => [id, { sid, grantId: 'g' }]))
    const model = (modelName: string, id: string, payload: object, expiresAt = NOW + 1) => ({
      tenantId,
      modelName,
      id,
      payload: { accountId: userId, ...payload },
      expiresAt,
    })
    await db
      .insert(models)
      .values([
        model('Session', 's1', { loginTs: second, authorizations: authorizations('one') }),
        model('Session', 's2', { loginTs: second, authorizations: authorizations('two') }),
        model('Session', 'over', { loginTs: second, authorizations: authorizations('over') }, NOW),
        model('Session', 'new', { loginTs: second + 1 }),
        model('Grant', 'g', { iat: second }),
        model('Grant', 'fresh', { iat: second + 1 }),
        model('Session', 'other', { accountId: 'another user', loginTs: 1 }),
      ])

    await enqueueLogouts(db, tenantId, ALWAYS_TRUE, { userId, issuer: 'https://i.example/oidc', now: NOW })
    const rows = await rowsOf(db, tenantId)
    const facts = { issuer: 'https://i.example/oidc', sub: userId }
    const informed = rows.map(({ applicationId, payload }) => [applicationId, payload.sid, payload])
    expect(
      informed.toSorted((one, other) => String(one.slice(0, 2)).localeCompare(String(other.slice(0, 2)))),
    ).toEqual([
      ['exact', 'one', { ...facts, sid: 'one' }],
      ['exact', 'two', { ...facts, sid: 'two' }],
      ['simple', undefined, facts],
    ])

    await sweepRevokedRows(db, tenantId, userId, NOW + 999)
    const remaining = await db.select({ id: models.id }).from(models).where(eq(models.tenantId, tenantId))
    expect(remaining.map(({ id }) => id).toSorted()).toEqual(['fresh', 'new', 'other'])
  })
})

const isRow = (key: { tenantId: string; id: string } | undefined) =>
  and(eq(outbox.tenantId, key?.tenantId ?? ''), eq(outbox.id, key?.id ?? ''))
