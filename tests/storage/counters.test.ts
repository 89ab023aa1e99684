import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { codeSendAttempts } from '../../src/application/codes/send.ts'
import { type InteractionEvent, interactionEvents } from '../../src/contract/interactions/identifiers.ts'
import type { Limit } from '../../src/contract/rate-limits.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/tenants/settings.ts'
import { DAY, MINUTE } from '../../src/contract/time.ts'
import type { AccountLookup } from '../../src/domain/interactions/accounts.ts'
import { checkAttempts } from '../../src/domain/limits.ts'
import { runInOneBatch } from '../../src/storage/batches.ts'
import { ALWAYS_TRUE } from '../../src/storage/conditions.ts'
import { refundAttempt } from '../../src/storage/counter-refunds.ts'
import { type ConsumedCounter, consumeAttempt } from '../../src/storage/counters.ts'
import {
  type AttemptToCount,
  clearConsecutiveFailures,
  consumeAttempts,
} from '../../src/storage/rate-limits.ts'
import { trustBrowserIf } from '../../src/storage/sessions/trusted-browsers.ts'
import { counters } from '../../src/storage/tables.ts'
import { newTenant, newUser, sweptDatabases, TEST_NOW, testDatabases } from './databases.ts'

const limit = { count: 3, windowSeconds: 600 }
const counted = (changes: { limit?: Limit; now?: number } = {}) => ({
  key: 'k',
  sustained: { name: 'passwordTriesPerNetwork' as const, limit, lockSeconds: 600, ...changes },
  now: changes.now ?? TEST_NOW,
})

describe.each(testDatabases)('counters on $name', ({ db }) => {
  const outcome = async (tenantId: string, changes: Parameters<typeof counted>[0] = {}) => {
    const attempt = counted(changes)
    const consumed = await consumeAttempt(db, tenantId, attempt)
    const refusal = checkAttempts(consumed, attempt.now)
    return refusal ? refusal.data?.retryAfter : 'ok'
  }
  const refund = async (tenantId: string, consumed: ConsumedCounter | undefined) => {
    if (consumed) await runInOneBatch(db, { refunds: refundAttempt(db, tenantId, consumed) })
  }
  const keys = async (tenantId: string) =>
    (await db.select().from(counters).where(eq(counters.tenantId, tenantId))).map(({ key, count }) => [
      key,
      count,
    ])

  it('allow as many attempts as the limit within a window, then none until the lock ends', async () => {
    const tenantId = await newTenant(db)
    expect([await outcome(tenantId), await outcome(tenantId)]).toEqual(['ok', 'ok'])
    expect(await outcome(tenantId, { now: TEST_NOW + 4 * MINUTE })).toBe('ok')
    expect(await outcome(tenantId, { now: TEST_NOW + 5 * MINUTE })).toBe(9 * 60)
    expect(await outcome(tenantId, { now: TEST_NOW + 14 * MINUTE - 1 })).toBe(1)
    expect(await outcome(tenantId, { now: TEST_NOW + 14 * MINUTE })).toBe('ok')
  })

  it('remain locked until the end of a window that is longer than the lock', async () => {
    const tenantId = await newTenant(db)
    const hour = { limit: { count: 2, windowSeconds: 3600 } }
    await outcome(tenantId, hour)
    await outcome(tenantId, { ...hour, now: TEST_NOW + MINUTE })
    expect(await outcome(tenantId, { ...hour, now: TEST_NOW + 20 * MINUTE })).toBe(40 * 60)
    expect(await outcome(tenantId, { ...hour, now: TEST_NOW + 60 * MINUTE })).toBe('ok')
  })

  it('start from zero when their window ends without a lock', async () => {
    const tenantId = await newTenant(db)
    await outcome(tenantId)
    await outcome(tenantId)
    for (let count = 0; count < 3; count++) {
      expect(await outcome(tenantId, { now: TEST_NOW + 10 * MINUTE })).toBe('ok')
    }
    expect(await outcome(tenantId, { now: TEST_NOW + 10 * MINUTE })).toBe(600)
  })

  it('lock immediately if the limit is one', async () => {
    const tenantId = await newTenant(db)
    const one = { limit: { count: 1, windowSeconds: 60 } }
    expect([await outcome(tenantId, one), await outcome(tenantId, one)]).toEqual(['ok', 600])
  })

  it('count all concurrent attempts', async () => {
    const tenantId = await newTenant(db)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcome(tenantId)))
    expect(outcomes.filter((one) => one === 'ok').length).toBe(3)
  })

  it('refund a successful attempt and end the lock that it caused', async () => {
    const tenantId = await newTenant(db)
    await outcome(tenantId)
    await outcome(tenantId)
    const [third] = await consumeAttempt(db, tenantId, counted())
    expect(await outcome(tenantId)).toBe(600)
    await refund(tenantId, third)
    expect(await keys(tenantId)).toEqual([['k', 2]])
    expect([await outcome(tenantId), await outcome(tenantId)]).toEqual(['ok', 600])
  })

  it('do not apply a refund to a later window', async () => {
    const tenantId = await newTenant(db)
    const [first] = await consumeAttempt(db, tenantId, counted())
    await consumeAttempt(db, tenantId, counted({ now: TEST_NOW + 11 * MINUTE }))
    await refund(tenantId, first)
    expect(await keys(tenantId)).toEqual([['k', 1]])
  })

  it('belong to their tenant, and have no effect after they expire', async () => {
    const [tenantId, other] = [await newTenant(db), await newTenant(db)]
    for (let count = 0; count < 4; count++) await outcome(tenantId)
    expect(await outcome(other)).toBe('ok')
    const [row] = await db.select().from(counters).where(eq(counters.tenantId, tenantId))
    expect(row?.lockedUntil).toBe(TEST_NOW + 10 * MINUTE)
    expect(row?.expiresAt).toBeGreaterThanOrEqual(row?.lockedUntil ?? Number.POSITIVE_INFINITY)
  })
})

describe.each(sweptDatabases)('rate limits on $name', ({ db }) => {
  const { limits } = DEFAULT_TENANT_SETTINGS
  const browser = { id: 'browser-1', userIds: ['ann'] }
  const keys = async (tenantId: string) =>
    (await db.select({ key: counters.key }).from(counters).where(eq(counters.tenantId, tenantId)))
      .map(({ key }) => key)
      .toSorted()

  const consume = async (
    tenantId: string,
    counted: AttemptToCount[],
    { now = TEST_NOW, trusted = null, name = { by: 'username', value: 'ann' } }: Partial<Circumstances> = {},
  ) => {
    const circumstances = { limits, environment: 'production', now, browser: { trusted, name } }
    const { consumed } = await runInOneBatch(db, {
      consumed: consumeAttempts(db, tenantId, counted, circumstances),
    })
    return consumed
  }
  type Circumstances = {
    now: number
    trusted: typeof browser | null
    name: { by: 'username' | 'email'; value: string }
  }

  it('count passwords per account or unknown identifier, and separately for trusted browsers', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id: 'ann', username: 'ann', primaryEmail: 'Ann@example.com' })
    await newUser(db, tenantId, { id: 'bob', username: 'bob' })
    const signIn = { userId: 'ann', browserId: browser.id, userAgent: null, now: TEST_NOW, remembrance: null }
    await runInOneBatch(db, { trusted: trustBrowserIf(db, tenantId, ALWAYS_TRUE, signIn) })
    const attempt = (by: 'username' | 'email', value: string, trusted: typeof browser | null) => {
      const name = { by, value }
      return consume(tenantId, [{ limit: 'passwordTries', name }], { trusted, name })
    }

    await attempt('email', 'ann@EXAMPLE.com', null)
    await attempt('username', 'ann', null)
    await attempt('email', 'ANN@example.com', browser)
    await attempt('username', 'bob', browser)
    await attempt('username', 'unknown', browser)
    await attempt('email', 'Un@Known.example', null)
    expect(await keys(tenantId)).toEqual([
      'password-in-a-row/account/ann',
      'password-in-a-row/account/ann/browser-1',
      'password-in-a-row/account/bob',
      'password-in-a-row/email/un@known.example',
      'password-in-a-row/username/unknown',
    ])
  })

  it('count codes per network and per address, but only per network after the network limit is exceeded', async () => {
    const tenantId = await newTenant(db)
    const send = async (value: string, ip: string) => {
      const counted = await consume(tenantId, [
        { limit: 'codeSendsPerNetwork', ip },
        { limit: 'codeSendsPerAddress', name: { by: 'email', value } },
      ])
      return counted.map(({ name, count }) => [name, count])
    }
    expect(await send('a@b.c', '192.0.2.7')).toEqual([
      ['codeSendsPerNetwork', 1],
      ['codeSendsPerAddress', 1],
    ])
    expect((await send('A@b.c', '192.0.2.7'))[1]).toEqual(['codeSendsPerAddress', 2])
    for (let count = 3; count <= 20; count++) await send(`${count}@b.c`, '192.0.2.7')
    expect(await send('d@b.c', '192.0.2.7')).toEqual([['codeSendsPerNetwork', 21]])
    expect(await keys(tenantId)).not.toContain('stranger-send/email/d@b.c')
  })

  it('[ASVS-2.4.1-5] let a stranger on any number of networks send at most fifty codes a day to one address', async () => {
    const tenantId = await newTenant(db)
    let networks = 0
    const send = async (event: InteractionEvent, now: number) => {
      const sender = {
        ip: `198.18.${++networks >> 8}.${networks & 255}`,
        proven: [],
        isResettingPassword: event === 'ForgotPassword',
      }
      const counted = codeSendAttempts({ type: 'email', value: 'a@b.c' }, sender)
      return checkAttempts(await consume(tenantId, counted, { now }), now) === null
    }
    const sent = { SignIn: 0, Register: 0, ForgotPassword: 0 }
    for (let hour = 0; hour < 24; hour += 2)
      for (const event of interactionEvents)
        while (await send(event, TEST_NOW + hour * 60 * MINUTE)) sent[event]++
    expect([sent.SignIn + sent.Register, sent.ForgotPassword]).toEqual([20, 30])
  })

  it('[ASVS-2.4.1-6] count password reset codes per /48, and separately for trusted browsers', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id: 'ann', username: 'ann', primaryEmail: 'ann@b.c' })
    const signIn = { userId: 'ann', browserId: browser.id, userAgent: null, now: TEST_NOW, remembrance: null }
    await runInOneBatch(db, { trusted: trustBrowserIf(db, tenantId, ALWAYS_TRUE, signIn) })
    const name = { by: 'email', value: 'ann@b.c' } as const
    const send = async (ip: string, trusted: typeof browser | null = null) => {
      const counted = codeSendAttempts(
        { type: 'email', value: 'ann@b.c' },
        { ip, proven: [], isResettingPassword: true },
      )
      return checkAttempts(await consume(tenantId, counted, { name, trusted }), TEST_NOW) === null
    }
    const outcomes = async (trusted: typeof browser | null) => {
      const all: boolean[] = []
      for (let host = 0; host < 6; host++) all.push(await send(`2001:db8:1:${host}::1`, trusted))
      return all
    }
    expect(await outcomes(null)).toEqual([true, true, true, false, false, false])
    expect(await outcomes(browser)).toEqual([true, true, true, true, true, false])
    expect([await send('192.0.2.1'), await send('192.0.2.1'), await send('192.0.2.1')]).toEqual([
      true,
      true,
      false,
    ])
  })

  it('apply to each /56 and /48, whose counters omit calls that a smaller network’s limit rejects', async () => {
    const tenantId = await newTenant(db)
    const send = (ip: string) => consume(tenantId, [{ limit: 'codeSendsPerNetwork', ip }])
    const send80 = async (block: string) => {
      for (let count = 0; count < 80; count++) await send(`2001:db8:1:${block}${count % 4}::1`)
    }
    for (let count = 0; count < 5; count++) await send('2001:db8:2:1::1')
    await send80('10')
    expect((await send('2001:db8:1:104::1')).map(({ count }) => count)).toEqual([1, 81])
    expect((await send('2001:db8:1:200::1')).map(({ count }) => count)).toEqual([1, 1, 81])
    for (let count = 0; count < 30; count++) await send('2001:db8:1:200::1')
    const [own, ...around] = await send('2001:db8:1:200::1')
    expect([own?.count, around]).toEqual([21, []])
    expect((await send('2001:db8:1:201::1')).map(({ count }) => count)).toEqual([1, 21, 101])
  })

  it("[ASVS-2.4.1-7] count text messages per /48, and allow an IPv4 address or /48 a tenth of the tenant's limit", async () => {
    const tenantId = await newTenant(db)
    const sends = (ip: string) => consume(tenantId, [{ limit: 'smsPerNetwork', ip }])
    for (let count = 1; count <= 10; count++) {
      const [counted] = await sends(`2001:db8:1:${count.toString(16)}00::1`)
      expect(counted).toMatchObject({ count, allowed: limits.smsPerTenant.count / 10 })
    }
    expect((await sends('2001:db8:1:ffff::1'))[0]?.count).toBe(11)
    expect((await sends('2001:db8:2::1'))[0]?.count).toBe(1)
    expect((await sends('192.0.2.7'))[0]?.count).toBe(1)
    expect(await keys(tenantId)).toEqual(
      ['192.0.2.7', '2001:db8:1::/48', '2001:db8:2::/48'].map((network) => `sms/network/${network}`),
    )
  })

  it('have few enough parameters for D1, however many limits a message counts towards', () => {
    const name = { by: 'phone', value: '4917012345678' } as const
    const proven: AccountLookup[] = [
      { by: 'id', value: 'ann' },
      { by: 'email', value: 'ann@b.c' },
    ]
    const trusted = { id: 'browser-1', userIds: ['ann', 'bob', 'eve', 'joe', 'kim'] }
    for (const isResettingPassword of [false, true]) {
      const sender = { ip: '2001:db8:1:1::1', proven, isResettingPassword }
      const sends = codeSendAttempts({ type: 'phone', value: name.value }, sender)
      const circumstances = { limits, environment: 'production', now: TEST_NOW, browser: { trusted, name } }
      const statements = consumeAttempts(db, 't', sends, circumstances)
      expect(statements.length).toBeGreaterThan(6)
      for (const statement of statements) expect(statement.toSQL().params.length).toBeLessThanOrEqual(100)
    }
  })

  it('count consecutive failures over any period, until they are cleared', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id: 'ann', username: 'ann' })
    const name = { by: 'username', value: 'ann' } as const
    const fail = async (day: number) => {
      const [one] = await consume(tenantId, [{ limit: 'passwordTriesInARow', name }], {
        now: TEST_NOW + day * DAY,
      })
      return one?.count
    }
    for (let day = 0; day < 99; day++) await fail(day)
    expect(await fail(99)).toBe(100)
    expect(await fail(99 + 399)).toBe(101)
    await runInOneBatch(db, { failures: clearConsecutiveFailures(db, tenantId, 'ann') })
    expect(await fail(100)).toBe(1)
    expect(await fail(129)).toBe(2)
    expect(await fail(160)).toBe(1)
  })

  describe('of one subject share a row', () => {
    const name = { by: 'username', value: 'ann' } as const
    const password: AttemptToCount[] = [
      { limit: 'passwordTries', name },
      { limit: 'passwordTriesInARow', name },
    ]
    const rows = (tenantId: string) =>
      db
        .select({
          key: counters.key,
          inARow: counters.count,
          inARowUntil: counters.lockedUntil,
          burst: counters.burstCount,
          burstUntil: counters.burstLockedUntil,
          expiresAt: counters.expiresAt,
        })
        .from(counters)
        .where(eq(counters.tenantId, tenantId))
    const refund = (tenantId: string, consumed: ConsumedCounter[]) =>
      runInOneBatch(db, {
        counters: consumed.flatMap((counter) => refundAttempt(db, tenantId, counter)),
        failures: clearConsecutiveFailures(db, tenantId, 'ann'),
      })
    const isAllowed = async (tenantId: string, now = TEST_NOW, counted = password) =>
      checkAttempts(await consume(tenantId, counted, { now }), now)?.code ?? 'ok'
    const newAnn = async () => {
      const tenantId = await newTenant(db)
      await newUser(db, tenantId, { id: 'ann', username: 'ann' })
      return tenantId
    }

    it('of which the short limit rejects twenty simultaneous attempts that exceed it', async () => {
      const tenantId = await newAnn()
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => isAllowed(tenantId)))
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(limits.passwordTries.count)
      expect(outcomes.filter((outcome) => outcome === 'request.too_many_requests')).toHaveLength(10)
      expect(await rows(tenantId)).toEqual([
        {
          key: 'password-in-a-row/account/ann',
          inARow: 10,
          inARowUntil: null,
          burst: 11,
          burstUntil: TEST_NOW + 10 * MINUTE,
          expiresAt: TEST_NOW + 30 * DAY,
        },
      ])
      expect(await isAllowed(tenantId, TEST_NOW + 10 * MINUTE - 1)).toBe('request.too_many_requests')
      expect(await isAllowed(tenantId, TEST_NOW + 10 * MINUTE)).toBe('ok')
    })

    it('of which the long limit rejects simultaneous attempts that exceed it, in every window of the short one', async () => {
      const tenantId = await newAnn()
      for (let attempt = 0; attempt < 95; attempt++)
        await isAllowed(tenantId, TEST_NOW + attempt * 10 * MINUTE)
      const now = TEST_NOW + 95 * 10 * MINUTE
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => isAllowed(tenantId, now)))
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(5)
      expect(outcomes.filter((outcome) => outcome === 'session.password_locked')).toHaveLength(5)
      const day = now + DAY
      expect(await isAllowed(tenantId, day)).toBe('session.password_locked')
      expect(await isAllowed(tenantId, now + 399 * DAY)).toBe('session.password_locked')
      expect(
        await isAllowed(tenantId, day, [
          { limit: 'ownPasswordTries', id: 'ann' },
          { limit: 'passwordTriesInARow', id: 'ann' },
        ]),
      ).toBe('session.password_locked')
    })

    it('which a right password deletes, whether or not the account exists', async () => {
      const tenantId = await newAnn()
      const nobody = { by: 'username', value: 'nobody' } as const
      const guess: AttemptToCount[] = password.map((attempt) => ({ ...attempt, name: nobody }))
      await refund(tenantId, await consume(tenantId, password))
      expect(await rows(tenantId)).toEqual([])
      await consume(tenantId, guess, { name: nobody })
      await consume(tenantId, password)
      expect(await rows(tenantId)).toEqual(
        ['password-in-a-row/account/ann', 'password-in-a-row/username/nobody'].map((key) => ({
          key,
          inARow: 1,
          inARowUntil: null,
          burst: 1,
          burstUntil: null,
          expiresAt: TEST_NOW + 30 * DAY,
        })),
      )
    })

    it('in which a right password clears failures in a row but not the failures of the last minutes', async () => {
      const tenantId = await newAnn()
      for (let count = 0; count < 9; count++) await isAllowed(tenantId)
      const right = await consume(tenantId, password)
      expect(right).toMatchObject([{ name: 'passwordTries', count: 10, allowed: 10 }])
      await refund(tenantId, right)
      expect(await rows(tenantId)).toMatchObject([{ inARow: 0, burst: 9, burstUntil: null }])
      expect([await isAllowed(tenantId), await isAllowed(tenantId)]).toEqual([
        'ok',
        'request.too_many_requests',
      ])
    })

    it('from which a late refund of the short limit takes nothing, but failures in a row are cleared', async () => {
      const tenantId = await newAnn()
      const right = await consume(tenantId, password)
      await isAllowed(tenantId, TEST_NOW + 11 * MINUTE)
      await refund(tenantId, right)
      expect(await rows(tenantId)).toMatchObject([{ inARow: 0, burst: 1 }])
    })

    it('in which a trusted browser ends the lock that others have caused', async () => {
      const tenantId = await newAnn()
      const signIn = {
        userId: 'ann',
        browserId: browser.id,
        userAgent: null,
        now: TEST_NOW,
        remembrance: null,
      }
      await runInOneBatch(db, { trusted: trustBrowserIf(db, tenantId, ALWAYS_TRUE, signIn) })
      for (let attempt = 0; attempt < 101; attempt++)
        await isAllowed(tenantId, TEST_NOW + attempt * 10 * MINUTE)
      const now = TEST_NOW + 101 * 10 * MINUTE
      expect(await isAllowed(tenantId, now)).toBe('session.password_locked')
      const right = await consume(tenantId, password, { now, trusted: browser })
      expect(checkAttempts(right, now)).toBeNull()
      await refund(tenantId, right)
      expect(await rows(tenantId)).toMatchObject([{ key: 'password-in-a-row/account/ann', inARow: 0 }])
      expect(await isAllowed(tenantId, now + 10 * MINUTE)).toBe('ok')
    })

    it('and respect the locks that the previous release has set', async () => {
      const tenantId = await newAnn()
      const previous = (key: string, lockedUntil: number) =>
        db
          .insert(counters)
          .values({ tenantId, key, count: 10, windowStart: TEST_NOW, lockedUntil, expiresAt: lockedUntil })
      await previous('password/account/ann', TEST_NOW + 10 * MINUTE)
      const [first] = await consume(tenantId, password)
      expect(first).toMatchObject({ name: 'passwordTries', count: 11, lockedUntil: TEST_NOW + 10 * MINUTE })
      expect(await isAllowed(tenantId, TEST_NOW + 9 * MINUTE)).toBe('request.too_many_requests')
      expect(await isAllowed(tenantId, TEST_NOW + 10 * MINUTE)).toBe('ok')

      const other = { by: 'username', value: 'bob' } as const
      await previous('password-in-a-row/username/bob', TEST_NOW + DAY)
      await db.update(counters).set({ count: 100 }).where(eq(counters.key, 'password-in-a-row/username/bob'))
      const guess: AttemptToCount[] = password.map((attempt) => ({ ...attempt, name: other }))
      expect(checkAttempts(await consume(tenantId, guess, { name: other }), TEST_NOW)?.code).toBe(
        'session.password_locked',
      )
    })

    it('of which the owner’s own codes count towards the short limit only, even while strangers are locked out', async () => {
      const tenantId = await newTenant(db)
      await newUser(db, tenantId, { id: 'ann', username: 'ann', primaryEmail: 'ann@b.c' })
      const email = { by: 'email', value: 'ann@b.c' } as const
      const sends = (exempt: AccountLookup[]): AttemptToCount[] => [
        { limit: 'codeSendsPerAddress', name: email },
        { limit: 'strangerSendsPerAddress', name: email, exempt },
      ]
      const owner = [{ by: 'id', value: 'ann' }] as const
      const send = async (minutes: number, exempt: AccountLookup[] = []) =>
        isAllowed(tenantId, TEST_NOW + minutes * MINUTE, sends(exempt))
      for (let count = 0; count < 20; count++) expect(await send(count * 10)).toBe('ok')
      expect(await send(200)).toBe('request.too_many_requests')
      expect(await send(210, [...owner])).toBe('ok')
      expect(await send(211)).toBe('request.too_many_requests')
      for (let count = 0; count < 3; count++) expect(await send(212, [...owner])).toBe('ok')
      expect(await send(213, [...owner])).toBe('request.too_many_requests')
    })
  })
})
