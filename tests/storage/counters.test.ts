import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/settings.ts'
import { refusesConsumption } from '../../src/domain/limits.ts'
import { sendTogether } from '../../src/storage/batches.ts'
import { always } from '../../src/storage/conditions.ts'
import { type Consumption, consumeAttempt, refundAttempt } from '../../src/storage/counters.ts'
import { codeSending, namedPasswordAttempt } from '../../src/storage/rate-limits.ts'
import { counters } from '../../src/storage/tables.ts'
import { trustBrowserIf } from '../../src/storage/trusted-browsers.ts'
import { databases, NOW, newTenant, newUser } from './databases.ts'

const MINUTE = 60_000
const limit = { count: 3, windowSeconds: 600 }
const attempts: Consumption = { key: 'k', limit, lockSeconds: 600, now: NOW }

describe.each(databases)('Counters on $name', ({ db }) => {
  const outcome = async (tenantId: string, changes: Partial<Consumption> = {}) => {
    const asked = { ...attempts, ...changes }
    const [consumed] = await consumeAttempt(db, tenantId, asked)
    const refusal = refusesConsumption(consumed, asked.limit, asked.now)
    return refusal ? refusal.data?.retryAfter : 'ok'
  }
  const keys = async (tenantId: string) =>
    (await db.select().from(counters).where(eq(counters.tenantId, tenantId))).map(({ key, count }) => [
      key,
      count,
    ])

  it('allow the limit within their window, and then nothing until the lock is over', async () => {
    const tenantId = await newTenant(db)
    expect([await outcome(tenantId), await outcome(tenantId)]).toEqual(['ok', 'ok'])
    expect(await outcome(tenantId, { now: NOW + 4 * MINUTE })).toBe('ok')
    expect(await outcome(tenantId, { now: NOW + 5 * MINUTE })).toBe(9 * 60)
    expect(await outcome(tenantId, { now: NOW + 14 * MINUTE - 1 })).toBe(1)
    expect(await outcome(tenantId, { now: NOW + 14 * MINUTE })).toBe('ok')
  })

  it('are locked for the rest of a window that is longer than the lock', async () => {
    const tenantId = await newTenant(db)
    const hour = { limit: { count: 2, windowSeconds: 3600 } }
    await outcome(tenantId, hour)
    await outcome(tenantId, { ...hour, now: NOW + MINUTE })
    expect(await outcome(tenantId, { ...hour, now: NOW + 20 * MINUTE })).toBe(40 * 60)
    expect(await outcome(tenantId, { ...hour, now: NOW + 60 * MINUTE })).toBe('ok')
  })

  it('begin anew when their window is over without a lock', async () => {
    const tenantId = await newTenant(db)
    await outcome(tenantId)
    await outcome(tenantId)
    for (let count = 0; count < 3; count++) {
      expect(await outcome(tenantId, { now: NOW + 10 * MINUTE })).toBe('ok')
    }
    expect(await outcome(tenantId, { now: NOW + 10 * MINUTE })).toBe(600)
  })

  it('lock at once where the limit is one', async () => {
    const tenantId = await newTenant(db)
    const one = { limit: { count: 1, windowSeconds: 60 } }
    expect([await outcome(tenantId, one), await outcome(tenantId, one)]).toEqual(['ok', 600])
  })

  it('count all attempts at the same time', async () => {
    const tenantId = await newTenant(db)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome(tenantId)))
    expect(outcomes.filter((one) => one === 'ok').length).toBe(3)
  })

  it('refund an attempt that did not fail, and end its lock', async () => {
    const tenantId = await newTenant(db)
    await outcome(tenantId)
    await outcome(tenantId)
    const [third] = await consumeAttempt(db, tenantId, attempts)
    expect(await outcome(tenantId)).toBe(600)
    if (third) await refundAttempt(db, tenantId, third, limit)
    expect(await keys(tenantId)).toEqual([['k', 2]])
    expect([await outcome(tenantId), await outcome(tenantId)]).toEqual(['ok', 600])
  })

  it('refund nothing to a window that began later', async () => {
    const tenantId = await newTenant(db)
    const [first] = await consumeAttempt(db, tenantId, attempts)
    await consumeAttempt(db, tenantId, { ...attempts, now: NOW + 11 * MINUTE })
    if (first) await refundAttempt(db, tenantId, first, limit)
    expect(await keys(tenantId)).toEqual([['k', 1]])
  })

  it('belong to their tenant, and have no effect once they expire', async () => {
    const [tenantId, other] = [await newTenant(db), await newTenant(db)]
    for (let count = 0; count < 4; count++) await outcome(tenantId)
    expect(await outcome(other)).toBe('ok')
    const [row] = await db.select().from(counters).where(eq(counters.tenantId, tenantId))
    expect(row?.lockedUntil).toBe(NOW + 10 * MINUTE)
    expect(row?.expiresAt).toBeGreaterThanOrEqual(row?.lockedUntil ?? Number.POSITIVE_INFINITY)
  })
})

describe.each(databases)('Rate limits on $name', ({ db }) => {
  const { limits } = DEFAULT_TENANT_SETTINGS
  const browser = { id: 'browser-1', userIds: ['ann'] }
  const keys = async (tenantId: string) =>
    (await db.select({ key: counters.key }).from(counters).where(eq(counters.tenantId, tenantId)))
      .map(({ key }) => key)
      .toSorted()

  it('of passwords are one per name, in any case of an e-mail address, and one more for a trusted browser', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id: 'ann', username: 'ann', primaryEmail: 'Ann@example.com' })
    await newUser(db, tenantId, { id: 'bob', username: 'bob' })
    const signIn = { userId: 'ann', browserId: browser.id, userAgent: null, now: NOW }
    await sendTogether(db, { trusted: trustBrowserIf(db, tenantId, always, signIn) })
    const attempt = (by: 'username' | 'email', value: string, trusted: typeof browser | null) =>
      namedPasswordAttempt(db, tenantId, { name: { by, value }, limits, browser: trusted, now: NOW })

    await attempt('email', 'ann@EXAMPLE.com', null)
    await attempt('email', 'ANN@example.com', browser)
    await attempt('username', 'ann', browser)
    await attempt('username', 'bob', browser)
    await attempt('username', 'unknown', browser)
    expect(await keys(tenantId)).toEqual([
      'password/email/ann@example.com',
      'password/email/ann@example.com/browser-1',
      'password/username/ann/browser-1',
      'password/username/bob',
      'password/username/unknown',
    ])
  })

  it('of codes are one per network and one per address; a refused network does not use up the address', async () => {
    const tenantId = await newTenant(db)
    const send = async (value: string) => {
      const { byNetwork, byAddress } = await sendTogether(
        db,
        codeSending(db, tenantId, {
          address: { type: 'email', value },
          network: '192.0.2.7',
          networkLimit: { count: 2, windowSeconds: 3600 },
          limits,
          browser: null,
          now: NOW,
        }),
      )
      return [byNetwork[0]?.count, byAddress[0]?.count]
    }
    expect(await send('a@b.c')).toEqual([1, 1])
    expect(await send('A@b.c')).toEqual([2, 2])
    expect(await send('d@b.c')).toEqual([3, undefined])
    expect(await keys(tenantId)).toEqual(['send/email/a@b.c', 'send/network/192.0.2.7'])
  })
})
