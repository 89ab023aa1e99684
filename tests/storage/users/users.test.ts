import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { runInOneBatch, sendBatch } from '../../../src/storage/batches.ts'
import { ALWAYS_TRUE } from '../../../src/storage/conditions.ts'
import { configs, userIdentities, users } from '../../../src/storage/tables.ts'
import {
  findTakenField,
  insertUserIf,
  setFirstApplication,
  updateUserIf,
} from '../../../src/storage/users/user-changes.ts'
import { accountsQuery, getUser, removeUser, toAccount } from '../../../src/storage/users/users.ts'
import { changeUser, newTenant, newUser, TEST_NOW, testDatabases } from '../databases.ts'

describe.each(testDatabases)('accounts on $name', ({ db }) => {
  it.each([
    { lookup: { by: 'id', value: 'ann' } },
    { lookup: { by: 'username', value: 'ann_1' } },
    { lookup: { by: 'email', value: 'ANN@Example.com' } },
    { lookup: { by: 'phone', value: '4915112345678' } },
    { lookup: { by: 'identity', target: 'github', value: '7' } },
  ] as const)('are found by $lookup.by, only in their tenant', async ({ lookup }) => {
    const [here, there] = [await newTenant(db), await newTenant(db)]
    const ann = {
      id: 'ann',
      username: 'ann_1',
      primaryEmail: 'Ann@example.com',
      primaryPhone: '4915112345678',
      identities: { github: { userId: '7' } },
    }
    await newUser(db, here, ann)
    await newUser(db, here, { id: 'bob' })

    expect((await accountsQuery(db, here, [lookup])).map(toAccount)).toEqual([
      {
        id: 'ann',
        username: 'ann_1',
        email: 'Ann@example.com',
        phone: '4915112345678',
        name: null,
        avatar: null,
        hasPassword: false,
        identities: { github: { userId: '7' } },
        emailVerified: true,
        phoneVerified: true,
        isSuspended: false,
        revokedAt: null,
        applicationId: null,
      },
    ])
    expect(await accountsQuery(db, there, [lookup])).toEqual([])
  })

  it('are returned only once, however many lookups match them', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id: 'ann', username: 'ann', primaryPhone: '1' })
    await newUser(db, tenantId, { id: 'bob', primaryEmail: 'bob@example.com' })

    const accounts = await accountsQuery(db, tenantId, [
      { by: 'username', value: 'ann' },
      { by: 'phone', value: '1' },
      { by: 'email', value: 'bob@example.com' },
      { by: 'username', value: 'unknown' },
    ])

    expect(accounts.map(({ id }) => id).toSorted()).toEqual(['ann', 'bob'])
  })

  it('are found by twenty lookups at once, more than D1 allows in a UNION', async () => {
    const tenantId = await newTenant(db)
    const names = Array.from({ length: 20 }, (_, index) => `ann${index}`)
    for (const username of names.slice(0, 3)) await newUser(db, tenantId, { username })

    const accounts = await accountsQuery(
      db,
      tenantId,
      names.map((value) => ({ by: 'username', value })),
    )

    expect(accounts.map(({ username }) => username).toSorted()).toEqual(['ann0', 'ann1', 'ann2'])
  })

  it('are not found without a lookup or by an empty value', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId)

    expect(await accountsQuery(db, tenantId, [])).toEqual([])
    expect(await accountsQuery(db, tenantId, [{ by: 'username', value: '' }])).toEqual([])
  })
})

describe.each(testDatabases)('users on $name', ({ db }) => {
  it('are created, read, changed and deleted without exposing their row number or tenant', async () => {
    const tenantId = await newTenant(db)
    const created = await newUser(db, tenantId, { id: 'ann', username: 'ann', customData: { a: 1 } })

    expect(created).not.toHaveProperty('searchId')
    expect(created).not.toHaveProperty('tenantId')
    expect(await getUser(db, tenantId, 'ann')).toEqual(created)
    expect(await changeUser(db, tenantId, 'ann', { name: 'Ann', username: '' })).toEqual({
      ...created,
      name: 'Ann',
      username: null,
    })
    expect(await removeUser(db, tenantId, 'ann')).toMatchObject([{ id: 'ann' }])
    expect(await getUser(db, tenantId, 'ann')).toBeNull()
  })

  it('cannot be read or changed from another tenant', async () => {
    const [here, there] = [await newTenant(db), await newTenant(db)]
    await newUser(db, here, { id: 'ann' })

    expect(await getUser(db, there, 'ann')).toBeNull()
    expect(await changeUser(db, there, 'ann', { name: 'Eve' })).toBeNull()
    expect(await removeUser(db, there, 'ann')).toEqual([])
    expect(await getUser(db, here, 'ann')).toMatchObject({ name: null, isSuspended: false })
  })

  it('keep their revocation time when their suspension ends', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id: 'ann' })

    const suspended = await changeUser(db, tenantId, 'ann', { isSuspended: true, revokedAt: TEST_NOW })
    const restored = await changeUser(db, tenantId, 'ann', { isSuspended: false })

    expect(suspended).toMatchObject({ isSuspended: true, revokedAt: TEST_NOW })
    expect(restored).toMatchObject({ isSuspended: false, revokedAt: TEST_NOW })
  })

  it('keep their first application', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id: 'ann' })

    await setFirstApplication(db, tenantId, 'ann', 'first')
    await setFirstApplication(db, tenantId, 'ann', 'second')

    expect(await getUser(db, tenantId, 'ann')).toMatchObject({ applicationId: 'first' })
  })

  it.each([
    { field: 'id', taken: { id: 'ann' } },
    { field: 'username', taken: { username: 'ann' } },
    { field: 'email', taken: { primaryEmail: 'ANN@example.com' } },
    { field: 'phone', taken: { primaryPhone: '1' } },
    { field: 'identity', taken: { identities: { github: { userId: '7' } } } },
  ])('cannot be stored with a taken $field, and the error names the field', async ({ field, taken }) => {
    const tenantId = await newTenant(db)
    const ann = { username: 'ann', primaryEmail: 'ann@example.com', primaryPhone: '1' }
    await newUser(db, tenantId, { id: 'ann', ...ann, identities: { github: { userId: '7' } } })

    const failures = [
      await newUser(db, tenantId, taken).catch(findTakenField),
      await sendBatch(db, [
        insertUserIf(db, tenantId, ALWAYS_TRUE, { id: 'b', createdAt: TEST_NOW, ...taken }),
      ]).catch(findTakenField),
    ]

    expect(failures).toEqual([field, field])
  })
})

describe.each(testDatabases)('social identities on $name', ({ db }) => {
  const identitiesOf = (tenantId: string) =>
    db
      .select({
        target: userIdentities.target,
        identityId: userIdentities.identityId,
        userId: userIdentities.userId,
      })
      .from(userIdentities)
      .where(eq(userIdentities.tenantId, tenantId))
      .orderBy(userIdentities.target)

  it('are added to existing ones, replace one with the same target, and can be removed', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, {
      id: 'ann',
      identities: { github: { userId: '7', details: { id: '7', name: 'Old' } } },
    })

    await changeUser(db, tenantId, 'ann', {
      addIdentities: { github: { userId: '8', details: { id: '8' } }, 'x"y.z': { userId: '9' } },
    })
    expect((await getUser(db, tenantId, 'ann'))?.identities).toEqual({
      github: { userId: '8', details: { id: '8' } },
      'x"y.z': { userId: '9' },
    })
    expect(await identitiesOf(tenantId)).toEqual([
      { target: 'github', identityId: '8', userId: 'ann' },
      { target: 'x"y.z', identityId: '9', userId: 'ann' },
    ])

    await changeUser(db, tenantId, 'ann', { removeIdentity: 'github' })
    expect((await getUser(db, tenantId, 'ann'))?.identities).toEqual({ 'x"y.z': { userId: '9' } })
    expect(await identitiesOf(tenantId)).toHaveLength(1)
  })

  it('are both kept if they are linked concurrently', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id: 'ann' })

    await Promise.all([
      changeUser(db, tenantId, 'ann', { addIdentities: { github: { userId: '1' } } }),
      changeUser(db, tenantId, 'ann', { addIdentities: { google: { userId: '2' } } }),
    ])

    expect(await identitiesOf(tenantId)).toHaveLength(2)
  })

  it('are kept when other fields change', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id: 'ann', identities: { github: { userId: '7' } } })

    await changeUser(db, tenantId, 'ann', { name: 'Ann' })

    expect(await identitiesOf(tenantId)).toHaveLength(1)
  })
})

describe.each(testDatabases)('concluding an interaction on $name', ({ db }) => {
  const isOpen = (tenantId: string) =>
    sql`exists (select 1 from ${configs} where tenant_id = ${tenantId} and key = 'open')`

  it('writes all changes if the condition holds, and none otherwise', async () => {
    const tenantId = await newTenant(db)
    const ann = { id: 'ann', username: 'ann', identities: { github: { userId: '7' } }, createdAt: TEST_NOW }
    const conclude = () =>
      runInOneBatch(db, {
        inserted: insertUserIf(db, tenantId, isOpen(tenantId), ann),
        updated: updateUserIf(db, tenantId, isOpen(tenantId), 'ann', {
          lastSignInAt: TEST_NOW,
          passwordEncrypted: 'hash',
          passwordEncryptionMethod: 'Argon2id',
          revokedAt: TEST_NOW,
        }),
        closed: db.delete(configs).where(eq(configs.tenantId, tenantId)).returning(),
      })
    const nothing = { inserted: [], updated: [], closed: [] }

    expect(await conclude()).toEqual(nothing)
    expect(await db.select().from(users).where(eq(users.tenantId, tenantId))).toEqual([])

    await db.insert(configs).values({ tenantId, key: 'open', value: {} })
    const { inserted, updated, closed } = await conclude()
    expect(inserted).toMatchObject([{ ...ann, isSuspended: false, lastSignInAt: null }])
    expect(updated).toMatchObject([
      { lastSignInAt: TEST_NOW, passwordEncrypted: 'hash', revokedAt: TEST_NOW },
    ])
    expect(closed).toHaveLength(1)

    // If two requests conclude the interaction concurrently, the second neither changes anything nor fails.
    expect(await conclude()).toEqual(nothing)
  })
})
