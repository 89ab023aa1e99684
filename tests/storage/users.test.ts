import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { configs, userIdentities, users } from '../../src/storage/tables.ts'
import {
  accountsQuery,
  deleteUser,
  getUser,
  insertUserIf,
  setFirstApplication,
  setSuspended,
  takenField,
  toAccount,
  updateUser,
  updateUserIf,
} from '../../src/storage/users.ts'
import { databases, NOW, newTenant, newUser } from './databases.ts'

describe.each(databases)('Accounts on $name', ({ db }) => {
  it.each([
    { lookup: { by: 'id', value: 'ann' } },
    { lookup: { by: 'username', value: 'ann_1' } },
    { lookup: { by: 'email', value: 'ANN@Example.com' } },
    { lookup: { by: 'phone', value: '4915112345678' } },
    { lookup: { by: 'identity', target: 'github', value: '7' } },
  ] as const)('are found by $lookup.by, in their tenant alone', async ({ lookup }) => {
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
        isSuspended: false,
        revokedAt: null,
        applicationId: null,
      },
    ])
    expect(await accountsQuery(db, there, [lookup])).toEqual([])
  })

  it('are each answered once, however many lookups name them', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id: 'ann', username: 'ann', primaryPhone: '1' })
    await newUser(db, tenantId, { id: 'bob', primaryEmail: 'bob@example.com' })

    const [found] = await db.batch([
      accountsQuery(db, tenantId, [
        { by: 'username', value: 'ann' },
        { by: 'phone', value: '1' },
        { by: 'email', value: 'bob@example.com' },
        { by: 'username', value: 'nobody' },
      ]),
    ])

    expect(found.map(({ id }) => id).toSorted()).toEqual(['ann', 'bob'])
  })

  it('are found by twenty lookups at once, which is more than a D1 UNION may have', async () => {
    const tenantId = await newTenant(db)
    const names = Array.from({ length: 20 }, (_, index) => `ann${index}`)
    for (const username of names.slice(0, 3)) await newUser(db, tenantId, { username })

    const found = await accountsQuery(
      db,
      tenantId,
      names.map((value) => ({ by: 'username', value })),
    )

    expect(found.map(({ username }) => username).toSorted()).toEqual(['ann0', 'ann1', 'ann2'])
  })

  it('are none when nobody is asked for', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId)

    expect(await accountsQuery(db, tenantId, [])).toEqual([])
    expect(await accountsQuery(db, tenantId, [{ by: 'username', value: '' }])).toEqual([])
  })
})

describe.each(databases)('Users on $name', ({ db }) => {
  it('are created, read, changed and deleted, and their row number and tenant stay in storage', async () => {
    const tenantId = await newTenant(db)
    const created = await newUser(db, tenantId, { id: 'ann', username: 'ann', customData: { a: 1 } })

    expect(created).not.toHaveProperty('searchId')
    expect(created).not.toHaveProperty('tenantId')
    expect(await getUser(db, tenantId, 'ann')).toEqual(created)
    expect(await updateUser(db, tenantId, 'ann', { name: 'Ann', username: '' })).toEqual({
      ...created,
      name: 'Ann',
      username: null,
    })
    expect(await updateUser(db, tenantId, 'ann', {})).toMatchObject({ name: 'Ann' })
    expect(await deleteUser(db, tenantId, 'ann')).toMatchObject({ id: 'ann' })
    expect(await getUser(db, tenantId, 'ann')).toBeNull()
  })

  it('of another tenant are nobody to all of these', async () => {
    const [here, there] = [await newTenant(db), await newTenant(db)]
    await newUser(db, here, { id: 'ann' })

    expect(await getUser(db, there, 'ann')).toBeNull()
    expect(await updateUser(db, there, 'ann', { name: 'Eve' })).toBeNull()
    expect(await setSuspended(db, there, 'ann', { isSuspended: true, now: NOW })).toBeNull()
    expect(await deleteUser(db, there, 'ann')).toBeNull()
    expect(await getUser(db, here, 'ann')).toMatchObject({ name: null, isSuspended: false })
  })

  it('are signed out everywhere when they are suspended, and stay so when that ends', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id: 'ann' })

    const suspended = await setSuspended(db, tenantId, 'ann', { isSuspended: true, now: NOW })
    const restored = await setSuspended(db, tenantId, 'ann', { isSuspended: false, now: NOW + 1 })

    expect(suspended).toMatchObject({ isSuspended: true, revokedAt: NOW })
    expect(restored).toMatchObject({ isSuspended: false, revokedAt: NOW })
  })

  it('keep the first application they consented to', async () => {
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
  ])('that take a $field somebody has fail with an error that says so', async ({ field, taken }) => {
    const tenantId = await newTenant(db)
    const ann = { username: 'ann', primaryEmail: 'ann@example.com', primaryPhone: '1' }
    await newUser(db, tenantId, { id: 'ann', ...ann, identities: { github: { userId: '7' } } })

    const failures = [
      await newUser(db, tenantId, taken).catch(takenField),
      await db
        .batch([insertUserIf(db, tenantId, sql`true`, { id: 'b', createdAt: NOW, ...taken })])
        .catch(takenField),
    ]

    expect(failures).toEqual([field, field])
  })
})

describe.each(databases)('Social identities on $name', ({ db }) => {
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

  it('are added beside those that are there, replace their like, and are removed', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, {
      id: 'ann',
      identities: { github: { userId: '7', details: { id: '7', name: 'Old' } } },
    })

    await updateUser(db, tenantId, 'ann', {
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

    await updateUser(db, tenantId, 'ann', { removeIdentity: 'github' })
    expect((await getUser(db, tenantId, 'ann'))?.identities).toEqual({ 'x"y.z': { userId: '9' } })
    expect(await identitiesOf(tenantId)).toHaveLength(1)
  })

  it('both stay when two are linked at the same time', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id: 'ann' })

    await Promise.all([
      updateUser(db, tenantId, 'ann', { addIdentities: { github: { userId: '1' } } }),
      updateUser(db, tenantId, 'ann', { addIdentities: { google: { userId: '2' } } }),
    ])

    expect(await identitiesOf(tenantId)).toHaveLength(2)
  })

  it('are left alone by a change of anything else', async () => {
    const tenantId = await newTenant(db)
    await newUser(db, tenantId, { id: 'ann', identities: { github: { userId: '7' } } })

    await updateUser(db, tenantId, 'ann', { name: 'Ann' })

    expect(await identitiesOf(tenantId)).toHaveLength(1)
  })
})

describe.each(databases)('The conclusion of an interaction on $name', ({ db }) => {
  const isOpen = (tenantId: string) =>
    sql`exists (select 1 from ${configs} where tenant_id = ${tenantId} and key = 'open')`

  it('registers, signs in and resets while its condition holds, and otherwise does nothing', async () => {
    const tenantId = await newTenant(db)
    const ann = { id: 'ann', username: 'ann', identities: { github: { userId: '7' } }, createdAt: NOW }
    const conclude = () =>
      db.batch([
        insertUserIf(db, tenantId, isOpen(tenantId), ann),
        updateUserIf(db, tenantId, isOpen(tenantId), 'ann', {
          lastSignInAt: NOW,
          passwordEncrypted: 'hash',
          passwordEncryptionMethod: 'Argon2id',
          revokedAt: NOW,
        }),
        db.delete(configs).where(eq(configs.tenantId, tenantId)).returning(),
      ])

    expect(await conclude()).toEqual([[], [], []])
    expect(await db.select().from(users).where(eq(users.tenantId, tenantId))).toEqual([])

    await db.insert(configs).values({ tenantId, key: 'open', value: {} })
    const [inserted, updated, closed] = await conclude()
    expect(inserted).toMatchObject([{ ...ann, isSuspended: false, lastSignInAt: null }])
    expect(updated).toMatchObject([{ lastSignInAt: NOW, passwordEncrypted: 'hash', revokedAt: NOW }])
    expect(closed).toHaveLength(1)

    // The second of two that are sent at once: no error, and nothing done.
    expect(await conclude()).toEqual([[], [], []])
  })
})
