import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DAY } from '../../src/contract/time.ts'
import { UNDO_LIFETIME, UNDO_MIN_ADDRESS_AGE } from '../../src/domain/account/address-rules.ts'
import { VERIFICATION_CODE_LIFETIME } from '../../src/domain/codes/verification-codes.ts'
import { deleteExpired, deleteOldLogs } from '../../src/storage/expired.ts'
import {
  addressChanges,
  counters,
  failedRequests,
  hooks,
  logs,
  oidcModelInstances,
  outbox,
  passcodes,
  serviceLogs,
} from '../../src/storage/tables.ts'
import { newTenant, newUser, testDatabases } from './databases.ts'

describe.each(testDatabases)('the sweep on $name', ({ db }) => {
  // The sweep covers all tenants, so these rows are years older than the rows of any other test.
  const now = Date.UTC(1950, 0, 1)

  it('deletes only expired rows, up to the limit per call', async () => {
    const tenantId = await newTenant(db)
    const hookId = 'hook'
    const times = [now - 8 * DAY, now - 8 * DAY - 1, now - 8 * DAY - 2, now + 1]
    const ids = times.map((time, index) => ({ id: `x${index}`, time }))
    await db.insert(hooks).values({
      tenantId,
      id: hookId,
      event: 'PostSignIn',
      config: { url: 'https://a.example', retries: 0 },
      secret: 's',
      createdAt: now,
    })
    await db
      .insert(oidcModelInstances)
      .values(
        ids.map(({ id, time }) => ({ tenantId, modelName: 'Session', id, payload: {}, expiresAt: time })),
      )
    await db
      .insert(passcodes)
      .values(ids.map(({ id, time }) => ({ tenantId, id, type: 'SignIn' as const, createdAt: time })))
    await db
      .insert(counters)
      .values(ids.map(({ id, time }) => ({ tenantId, key: id, windowStart: time, expiresAt: time })))
    // Never due, so that no other test that uses the server at the same time takes it for its own.
    const FAR = Number.MAX_SAFE_INTEGER
    const delivery = { tenantId, hookId, event: 'PostSignIn', payload: {}, nextAttemptAt: FAR }
    await db
      .insert(outbox)
      .values([
        ...ids.map(({ id, time }) => ({ ...delivery, id, status: 'delivered' as const, createdAt: time })),
        { ...delivery, id: 'pending', status: 'pending' as const, createdAt: now - 8 * DAY },
        { ...delivery, id: 'failed', status: 'failed' as const, createdAt: now - 8 * DAY },
      ])

    const two = { oidcModelInstances: 2, passcodes: 2, counters: 2, outbox: 2 }
    const one = { oidcModelInstances: 1, passcodes: 1, counters: 1, outbox: 1 }
    const none = { oidcModelInstances: 0, passcodes: 0, counters: 0, outbox: 0 }
    expect([
      await deleteExpired(db, now, 2),
      await deleteExpired(db, now, 2),
      await deleteExpired(db, now, 2),
    ]).toMatchObject([two, one, none])

    const remaining = await Promise.all(
      [oidcModelInstances, passcodes].map((table) =>
        db.select({ id: table.id }).from(table).where(eq(table.tenantId, tenantId)),
      ),
    )
    expect(remaining).toEqual([[{ id: 'x3' }], [{ id: 'x3' }]])
    const deliveries = await db.select({ id: outbox.id }).from(outbox).where(eq(outbox.tenantId, tenantId))
    expect(deliveries.map(({ id }) => id).toSorted()).toEqual(['failed', 'pending', 'x3'])
  })

  it('deletes codes and tokens without a grant, and nothing else that has not expired', async () => {
    const tenantId = await newTenant(db)
    const rows = [
      ['Grant', 'grant'],
      ['AccessToken', 'of-grant', 'grant'],
      ...['AccessToken', 'RefreshToken', 'AuthorizationCode'].map((name) => [name, 'orphan', 'gone']),
      ['ClientCredentials', 'of-application'],
      ['DeviceCode', 'undecided'],
      ['Session', 'session'],
    ] as [name: string, id: string, grantId?: string][]
    await db.insert(oidcModelInstances).values(
      rows.map(([modelName, id, grantId]) => ({
        tenantId,
        modelName,
        id,
        payload: { grantId },
        expiresAt: now + 1,
      })),
    )
    await deleteExpired(db, now, 10)
    const remaining = await db
      .select({ id: oidcModelInstances.id })
      .from(oidcModelInstances)
      .where(eq(oidcModelInstances.tenantId, tenantId))
    expect(remaining.map(({ id }) => id).toSorted()).toEqual(
      rows.flatMap(([, id]) => (id === 'orphan' ? [] : id)).toSorted(),
    )
    // Otherwise, the sweeps of other tests would find these rows.
    await db.delete(oidcModelInstances).where(eq(oidcModelInstances.tenantId, tenantId))
  })

  it('deletes old log rows, up to the limit per call', async () => {
    const tenantId = await newTenant(db)
    const at = [3, 2, 1, 0].map((age) => ({ tenantId, id: `x${age}`, payload: {}, createdAt: now - age }))
    await db.insert(logs).values(
      at.map((row) => ({
        ...row,
        key: 'Management.User.Create',
        payload: { key: 'Management.User.Create', result: 'Success' as const },
      })),
    )
    await db.insert(serviceLogs).values(at.map((row) => ({ ...row, type: 'sendEmail' })))
    await db.insert(failedRequests).values(
      at.map(({ id, createdAt }) => ({
        tenantId,
        hour: createdAt,
        applicationId: id,
        endpoint: 'token',
        error: 'invalid_grant',
        count: 1,
      })),
    )

    const old = { before: now, limit: 2 }
    expect([
      await deleteOldLogs(db, old),
      await deleteOldLogs(db, old),
      await deleteOldLogs(db, old),
    ]).toEqual([
      { logs: 2, serviceLogs: 2, failedRequests: 2 },
      { logs: 1, serviceLogs: 1, failedRequests: 1 },
      { logs: 0, serviceLogs: 0, failedRequests: 0 },
    ])
    const remaining = await Promise.all(
      [logs, serviceLogs].map((table) =>
        db.select({ id: table.id }).from(table).where(eq(table.tenantId, tenantId)),
      ),
    )
    expect(remaining).toEqual([[{ id: 'x0' }], [{ id: 'x0' }]])
    const counted = await db
      .select({ id: failedRequests.applicationId })
      .from(failedRequests)
      .where(eq(failedRequests.tenantId, tenantId))
    expect(counted).toEqual([{ id: 'x0' }])
  })

  it('counts abandoned interactions of all unregistered clients together, regardless of their URLs', async () => {
    const tenantId = await newTenant(db)
    const clients = [
      'https://a.example',
      'HTTPS://b.example',
      `https://${'c'.repeat(50)}.example`,
      'registered',
    ]
    await db.insert(oidcModelInstances).values(
      clients.map((client, index) => ({
        tenantId,
        modelName: 'Interaction',
        id: `abandoned-${index}`,
        payload: { params: { client_id: client } },
        expiresAt: now - 1,
      })),
    )
    await deleteExpired(db, now, 10)
    const counted = await db
      .select({ id: failedRequests.applicationId, count: failedRequests.count })
      .from(failedRequests)
      .where(eq(failedRequests.tenantId, tenantId))
    expect(counted.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual([
      { id: '', count: 3 },
      { id: 'registered', count: 1 },
    ])
  })

  it('deletes address changes that no undo needs, and addresses that can no longer be restored', async () => {
    const tenantId = await newTenant(db)
    const { id: userId } = await newUser(db, tenantId)
    const restorableAge = 2 * UNDO_LIFETIME
    const neededAge = UNDO_MIN_ADDRESS_AGE + UNDO_LIFETIME
    await db.insert(addressChanges).values(
      [neededAge + 1, neededAge, restorableAge + 1, restorableAge].map((age, index) => ({
        tenantId,
        userId,
        type: 'email' as const,
        previous: 'a@example.com',
        id: `undo-${index}`,
        createdAt: now - age,
      })),
    )
    await deleteExpired(db, now, 10)
    const remaining = await db
      .select({ id: addressChanges.id, previous: addressChanges.previous })
      .from(addressChanges)
      .where(eq(addressChanges.tenantId, tenantId))
    expect(remaining).toEqual([
      { id: 'undo-1', previous: '' },
      { id: 'undo-2', previous: '' },
      { id: 'undo-3', previous: 'a@example.com' },
    ])
  })

  it('clears codes after ten minutes, long before it deletes their rows', async () => {
    const tenantId = await newTenant(db)
    const ages = { dead: VERIFICATION_CODE_LIFETIME + 1, alive: VERIFICATION_CODE_LIFETIME }
    await db.insert(passcodes).values(
      Object.entries(ages).map(([id, age]) => ({
        tenantId,
        id,
        type: 'SignIn' as const,
        code: '123456',
        codeDigest: 'x',
        createdAt: now - age,
      })),
    )
    await deleteExpired(db, now, 10)
    const remaining = await db
      .select({ id: passcodes.id, code: passcodes.code, codeDigest: passcodes.codeDigest })
      .from(passcodes)
      .where(eq(passcodes.tenantId, tenantId))
    expect(remaining.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual([
      { id: 'alive', code: '123456', codeDigest: 'x' },
      { id: 'dead', code: null, codeDigest: null },
    ])
  })
})
