import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { findInnermostMessage, isTransientError, isUniqueViolation } from '../../src/storage/database.ts'
import { configs, scopes, tenants, users } from '../../src/storage/tables.ts'
import { newTenant, newUser, TEST_NOW, testDatabases } from './databases.ts'

describe.each(testDatabases)('a batch on $name', ({ name, db }) => {
  it('accepts raw and built statements together, and returns their results in order', async () => {
    const tenantId = await newTenant(db)

    const [, seen, built] = await db.batch([
      db.run(sql`insert into configs (tenant_id, key, value) values (${tenantId}, ${'raw'}, ${'{"a":1}'})`),
      db.all<{ key: string }>(sql`select key from configs where tenant_id = ${tenantId}`),
      db.select().from(configs).where(eq(configs.tenantId, tenantId)),
    ])

    expect(seen).toEqual([{ key: 'raw' }])
    expect(built).toEqual([{ tenantId, key: 'raw', value: { a: 1 } }])
  })

  it('is executed completely or not at all', async () => {
    const tenantId = await newTenant(db)
    const insert = (id: string) =>
      db.insert(users).values({ tenantId, id, username: 'ann', createdAt: TEST_NOW })

    await expect(db.batch([insert('first'), insert('second')])).rejects.toThrow()

    expect(await db.select().from(users).where(eq(users.tenantId, tenantId))).toEqual([])
  })

  it('lets later statements see the writes of earlier ones', async () => {
    const tenantId = await newTenant(db)
    const count = db
      .select({ count: sql<number>`count(*)`.as('count') })
      .from(users)
      .where(eq(users.tenantId, tenantId))

    const [before, , after] = await db.batch([
      count,
      db.insert(users).values({ tenantId, id: 'ann', createdAt: TEST_NOW }),
      count,
    ])

    expect([before, after]).toEqual([[{ count: 0 }], [{ count: 1 }]])
  })

  it('takes effect exactly once when ten copies run concurrently', async () => {
    const tenantId = await newTenant(db)
    await db.insert(configs).values({ tenantId, key: 'once', value: {} })
    const take = () => db.batch([db.delete(configs).where(eq(configs.tenantId, tenantId)).returning()])

    const results = await Promise.all(Array.from({ length: 10 }, take))

    expect(results.filter(([rows]) => rows.length === 1)).toHaveLength(1)
  })

  it.runIf(name === 'D1')('rejects two columns with the same name, which D1 would merge', async () => {
    const both = db
      .select({ tenant: tenants.id, scope: scopes.id })
      .from(tenants)
      .leftJoin(scopes, eq(scopes.tenantId, tenants.id))

    await expect(db.batch([both])).rejects.toThrow('two columns of one name')
    expect(await both).toContainEqual({ tenant: 'default', scope: 'management-api-all' })
  })
})

describe.each(testDatabases)('a database error on $name', ({ db }) => {
  it('names the columns or the index of a unique violation, inside and outside a batch', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { username: 'ann', primaryEmail: 'ann@example.com' })
    const sameName = db.insert(users).values({ tenantId, id: 'b', username: 'ann', createdAt: TEST_NOW })
    const sameEmail = db
      .insert(users)
      .values({ tenantId, id: 'c', primaryEmail: 'ANN@example.com', createdAt: TEST_NOW })

    for (const run of [() => sameName, () => db.batch([sameName])]) {
      expect(isUniqueViolation(await failure(run))).toBe('users.tenant_id, users.username')
    }
    for (const run of [() => sameEmail, () => db.batch([sameEmail])]) {
      expect(isUniqueViolation(await failure(run))).toBe('users_email_unique')
    }
  })

  it('is not a unique violation if a foreign key is missing', async () => {
    const error = await failure(() => newUser(db, 'no-tenant', {}))

    expect(findInnermostMessage(error)).toMatch(/FOREIGN KEY constraint failed/)
    expect(isUniqueViolation(error)).toBeNull()
    expect(isTransientError(error)).toBe(false)
  })

  it('has a root cause whose message omits the statement’s values', async () => {
    const tenantId = await newTenant(db)
    const long = { passwordEncrypted: '$argon2id$secret'.repeat(50) }

    expect(findInnermostMessage(await failure(() => newUser(db, tenantId, long)))).not.toContain('secret')
  })
})

describe('isTransientError', () => {
  it.each([
    'D1_ERROR: Network connection lost.',
    'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
    'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
    'D1_ERROR: D1 DB reset because its code was updated.',
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
    'SERVER_ERROR: Server returned HTTP status 503',
    'SQLITE_BUSY: SQLite error: database is locked',
    'fetch failed',
  ])('returns true for "%s" anywhere in the chain of causes', (message) => {
    expect(isTransientError(new Error(message))).toBe(true)
    expect(
      isTransientError(new Error('Failed query', { cause: new Error('D1', { cause: new Error(message) }) })),
    ).toBe(true)
  })

  it.each(['D1_ERROR: no such table: nothing', 'SQLITE_CONSTRAINT: CHECK constraint failed: id_length'])(
    'returns false for "%s"',
    (message) => {
      expect(isTransientError(new Error(message))).toBe(false)
    },
  )
})

async function failure(run: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    await run()
  } catch (error) {
    return error
  }
  throw new Error('It was expected to fail')
}
