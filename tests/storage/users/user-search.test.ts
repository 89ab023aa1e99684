import { beforeAll, describe, expect, it } from 'vitest'
import { listUsersOfRole } from '../../../src/storage/access/role-members.ts'
import { randomId } from '../../../src/storage/ids.ts'
import { passkeys, roles, totpFactors, usersRoles } from '../../../src/storage/tables.ts'
import type { NewUserRow } from '../../../src/storage/users/user-changes.ts'
import { listUsers } from '../../../src/storage/users/user-list.ts'
import type { UserSearch, UserSearchField, UserSearchTerm } from '../../../src/storage/users/user-search.ts'
import { removeUser } from '../../../src/storage/users/users.ts'
import { changeUser, newTenant, newUser, TEST_NOW, testDatabases } from '../databases.ts'

const fields: UserSearchField[] = ['id', 'primaryEmail', 'primaryPhone', 'username', 'name']
const first = { page: 1, pageSize: 20 }

describe.each(testDatabases)('lists of users on $name', ({ db }) => {
  it('are paginated, newest first, with the total', async () => {
    const tenantId = await newTenant(db)
    for (const age of [3, 1, 2]) await newUser(db, tenantId, { id: `u${age}`, createdAt: TEST_NOW - age })

    const pages = [
      await listUsers(db, tenantId, { page: 1, pageSize: 2 }),
      await listUsers(db, tenantId, { page: 2, pageSize: 2 }),
    ]

    expect(pages.map(({ users }) => users.map(({ id }) => id))).toEqual([['u1', 'u2'], ['u3']])
    expect(pages.map(({ total }) => total)).toEqual([3, 3])
  })

  it('can exclude users who have a role', async () => {
    const tenantId = await newTenant(db)
    for (const id of ['ann', 'bob']) await newUser(db, tenantId, { id })
    await db.insert(roles).values({ tenantId, id: 'editor', name: 'editor', description: '' })
    await db.insert(usersRoles).values({ tenantId, id: randomId(), userId: 'ann', roleId: 'editor' })

    const { users, total } = await listUsers(db, tenantId, { ...first, withoutRoleId: 'editor' })

    expect([users.map(({ id }) => id), total]).toEqual([['bob'], 1])
  })
})

describe.each(testDatabases)('a search for users on $name', ({ db }) => {
  let tenantId = ''
  let other = ''
  beforeAll(async () => {
    tenantId = await newTenant(db)
    other = await newTenant(db)
    await newUser(db, other, { id: 'eve', username: 'johnny', name: 'Johnny Cash' })
    await newUser(db, tenantId, {
      id: 'u1',
      username: 'johnny',
      primaryEmail: 'Cash@Example.com',
      createdAt: TEST_NOW,
    })
    await newUser(db, tenantId, {
      id: 'u2',
      name: 'JOHNNY "the" Élan',
      primaryPhone: '4915112345678',
      createdAt: TEST_NOW + 1,
    })
    await newUser(db, tenantId, { id: 'u3', username: 'jo', name: 'Joanne', createdAt: TEST_NOW + 2 })
  })

  const find = async (search: Partial<UserSearch> & Pick<UserSearch, 'terms'>) => {
    const { users, total } = await listUsers(db, tenantId, {
      ...first,
      search: { joint: 'or', isCaseSensitive: false, ...search },
    })
    expect(total).toBe(users.length)
    return users.map(({ id }) => id)
  }
  const contains = (text: string, among = fields): UserSearchTerm => ({
    mode: 'contains',
    fields: among,
    text,
  })

  it.each([
    { title: 'a substring of any field', term: contains('ohnn'), ids: ['u2', 'u1'] },
    { title: 'a substring in any letter case', term: contains('EXAMPLE'), ids: ['u1'] },
    { title: 'a substring with an accent', term: contains('éla'), ids: ['u2'] },
    { title: 'a substring with quotes', term: contains('"the"'), ids: ['u2'] },
    { title: 'query operators only as literal text', term: contains('johnny OR jo'), ids: [] },
    { title: 'a substring of one field', term: contains('ohnn', ['username']), ids: ['u1'] },
    { title: 'a substring of a phone number', term: contains('511234'), ids: ['u2'] },
    { title: 'a prefix', term: { mode: 'prefix', fields, text: 'JO' }, ids: ['u3', 'u2', 'u1'] },
    { title: 'a prefix of a phone number', term: { mode: 'prefix', fields, text: '4915' }, ids: ['u2'] },
    {
      title: 'a prefix with a literal wildcard',
      term: { mode: 'prefix', fields, text: 'jo%' },
      ids: [],
    },
    { title: 'a whole value', term: { mode: 'exact', fields, values: ['JO'] }, ids: ['u3'] },
    {
      title: 'several values',
      term: { mode: 'exact', fields, values: ['jo', 'cash@example.com'] },
      ids: ['u3', 'u1'],
    },
    { title: 'an id', term: { mode: 'exact', fields: ['id'], values: ['u2'] }, ids: ['u2'] },
  ] satisfies { title: string; term: UserSearchTerm; ids: string[] }[])(
    'finds $title',
    async ({ term, ids }) => {
      expect(await find({ terms: [term] })).toEqual(ids)
    },
  )

  it.each([
    { term: contains('JOHN'), ids: ['u2'] },
    { term: { mode: 'exact', fields, values: ['JO', 'johnny'] }, ids: ['u1'] },
    { term: { mode: 'prefix', fields, text: 'Jo' }, ids: ['u3'] },
  ] satisfies { term: UserSearchTerm; ids: string[] }[])(
    'is case-sensitive on request: $term.mode',
    async ({ term, ids }) => {
      expect(await find({ terms: [term], isCaseSensitive: true })).toEqual(ids)
    },
  )

  it('combines its terms with "or" or "and"', async () => {
    const terms = [contains('johnny'), { mode: 'prefix', fields: ['primaryEmail'], text: 'cash' } as const]

    expect(await find({ terms, joint: 'or' })).toEqual(['u2', 'u1'])
    expect(await find({ terms, joint: 'and' })).toEqual(['u1'])
    expect(await find({ terms: [contains('johnny'), contains('élan')], joint: 'and' })).toEqual(['u2'])
  })

  it('reflects changes and deletions', async () => {
    await newUser(db, tenantId, { id: 'u4', username: 'temporary' })
    await changeUser(db, tenantId, 'u4', { username: 'permanent' })
    expect(await find({ terms: [contains('temporary')] })).toEqual([])
    expect(await find({ terms: [contains('permanent')] })).toEqual(['u4'])

    await removeUser(db, tenantId, 'u4')
    expect(await find({ terms: [contains('permanent')] })).toEqual([])
  })

  it('never returns another tenant’s users', async () => {
    const { users } = await listUsers(db, other, {
      ...first,
      search: { joint: 'or', isCaseSensitive: false, terms: [contains('johnny')] },
    })
    expect(users.map(({ id }) => id)).toEqual(['eve'])
  })
})

describe.each(testDatabases)('the order and the filters of users on $name', ({ db }) => {
  let tenantId = ''
  const idsOf = async (request: Partial<Parameters<typeof listUsers>[2]>) => {
    const { users, total, isCapped } = await listUsers(db, tenantId, { ...first, ...request })
    expect([total, isCapped]).toEqual([users.length, false])
    return users.map(({ id }) => id)
  }
  const searchFor = (mode: 'contains' | 'prefix', text: string) => ({
    search: { joint: 'or' as const, terms: [{ mode, fields, text }], isCaseSensitive: false },
  })
  beforeAll(async () => {
    tenantId = await newTenant(db)
    const people: Partial<NewUserRow>[] = [
      { id: 'exact', username: 'Imp1', lastSignInAt: TEST_NOW - 5, primaryEmail: 'z@example.com' },
      { id: 'starts', username: 'imp12', identities: { github: { userId: '1' } }, isSuspended: true },
      { id: 'within', name: 'limp1', primaryEmail: 'B@example.com', emailVerified: false },
      { id: 'newest', username: 'blimp1', primaryPhone: '4912', identities: { google: { userId: '1' } } },
    ]
    for (const [age, person] of people.entries()) {
      await newUser(db, tenantId, { createdAt: TEST_NOW + age, ...person })
    }
    await db.insert(totpFactors).values({ tenantId, userId: 'exact', secret: 'sealed', createdAt: TEST_NOW })
    await db.insert(passkeys).values({
      tenantId,
      userId: 'newest',
      credentialId: randomId(),
      publicKey: 'k',
      counter: 0,
      transports: [],
      aaguid: '',
      rpId: 'x',
      isBackupEligible: false,
      isBackedUp: false,
      createdAt: TEST_NOW,
    })
    await db.insert(roles).values({ tenantId, id: 'editor', name: 'editor', description: '' })
    await db.insert(usersRoles).values({ tenantId, id: randomId(), userId: 'within', roleId: 'editor' })
  })

  it.each([
    { sort: 'createdAt', ids: ['newest', 'within', 'starts', 'exact'] },
    { sort: 'createdAt', order: 'asc', ids: ['exact', 'starts', 'within', 'newest'] },
    { sort: 'username', ids: ['newest', 'exact', 'starts', 'within'] },
    { sort: 'username', order: 'desc', ids: ['starts', 'exact', 'newest', 'within'] },
    { sort: 'primaryEmail', ids: ['within', 'exact', 'starts', 'newest'] },
    { sort: 'name', order: 'asc', ids: ['within', 'exact', 'starts', 'newest'] },
  ] as const)('sorts by $sort $order, with users without a value last', async ({ ids, ...order }) => {
    expect(await idsOf(order)).toEqual(ids)
    expect(await idsOf({ ...order, hasFactor: 'none' })).toEqual(
      ids.filter((id) => id === 'starts' || id === 'within'),
    )
    expect(await idsOf({ ...order, ...searchFor('contains', 'imp1') })).toEqual(ids)
  })

  it.each([
    { mode: 'contains', text: 'imp1', ids: ['exact', 'starts', 'newest', 'within'] },
    { mode: 'contains', text: 'IMP1', ids: ['exact', 'starts', 'newest', 'within'] },
    { mode: 'prefix', text: 'im', ids: ['starts', 'exact'] },
    { mode: 'prefix', text: 'imp1', ids: ['exact', 'starts'] },
  ] as const)(
    'a search for "$text" ($mode) by relevance returns equal values first',
    async ({ ids, ...term }) => {
      const search = searchFor(term.mode, term.text)
      expect(await idsOf({ ...search, sort: 'relevance' })).toEqual(ids)
      const { users } = await listUsers(db, tenantId, { ...search, sort: 'relevance', page: 2, pageSize: 1 })
      expect(users.map(({ id }) => id)).toEqual([ids[1]])
      expect(await idsOf({ ...search, sort: 'relevance', isSuspended: false })).toEqual(
        ids.filter((id) => id !== 'starts'),
      )
      expect(await idsOf({ ...search, sort: 'relevance', hasFactor: 'none', isSuspended: true })).toEqual([
        'starts',
      ])
    },
  )

  it.each([
    { filter: { hasFactor: 'totp' }, ids: ['exact'] },
    { filter: { hasFactor: 'passkey' }, ids: ['newest'] },
    { filter: { hasFactor: 'any' }, ids: ['newest', 'exact'] },
    { filter: { hasFactor: 'none' }, ids: ['within', 'starts'] },
    { filter: { emailVerified: true }, ids: ['exact'] },
    { filter: { emailVerified: false }, ids: ['within'] },
    { filter: { phoneVerified: true }, ids: ['newest'] },
    { filter: { phoneVerified: false }, ids: [] },
    { filter: { provider: 'github' }, ids: ['starts'] },
    { filter: { provider: 'gitlab' }, ids: [] },
    { filter: { roleId: 'editor' }, ids: ['within'] },
    { filter: { lastSignInAfter: TEST_NOW - 5 }, ids: ['exact'] },
    { filter: { lastSignInAfter: TEST_NOW - 4 }, ids: [] },
    { filter: { lastSignInBefore: TEST_NOW - 5 }, ids: ['newest', 'within', 'starts'] },
    { filter: { provider: 'github', isSuspended: true }, ids: ['starts'] },
    { filter: { provider: 'github', isSuspended: false }, ids: [] },
    { filter: { hasFactor: 'none', isSuspended: true }, ids: ['starts'] },
    { filter: { ...searchFor('contains', 'limp'), roleId: 'editor' }, ids: ['within'] },
  ] as const)('filters by $filter', async ({ filter, ids }) => {
    expect(await idsOf(filter)).toEqual(ids)
  })
})

describe.each(testDatabases)('suspended users on $name', ({ db }) => {
  let tenantId = ''
  beforeAll(async () => {
    tenantId = await newTenant(db)
    await db.insert(roles).values({ tenantId, id: 'editor', name: 'editor', description: '' })
    const people = [
      { id: 'a1', username: 'johnny', name: 'Ann' },
      { id: 's1', username: 'johnson', name: 'Sam', isSuspended: true },
      { id: 's2', username: 'mary', name: 'Sue', isSuspended: true },
      { id: 'a2', username: 'jo', name: 'Al' },
    ]
    for (const [age, { isSuspended = false, ...person }] of people.entries()) {
      await newUser(db, tenantId, { ...person, createdAt: TEST_NOW - age })
      if (isSuspended) await changeUser(db, tenantId, person.id, { isSuspended })
      if (person.id !== 's2') {
        await db.insert(usersRoles).values({ tenantId, id: randomId(), userId: person.id, roleId: 'editor' })
      }
    }
  })

  const searched = (joint: UserSearch['joint'], ...terms: UserSearchTerm[]) => ({
    search: { joint, isCaseSensitive: false, terms },
  })
  const contains: UserSearchTerm = { mode: 'contains', fields, text: 'ohn' }
  const prefix: UserSearchTerm = { mode: 'prefix', fields, text: 'jo' }
  const exact: UserSearchTerm = { mode: 'exact', fields, values: ['johnny', 'johnson', 'mary'] }

  it.each([
    { what: 'all users', filter: {}, suspended: ['s1', 's2'], active: ['a1', 'a2'] },
    { what: 'part of a value', filter: searched('or', contains), suspended: ['s1'], active: ['a1'] },
    { what: 'a prefix', filter: searched('or', prefix), suspended: ['s1'], active: ['a1', 'a2'] },
    { what: 'whole values', filter: searched('or', exact), suspended: ['s1', 's2'], active: ['a1'] },
    {
      what: 'either of two terms',
      filter: searched('or', contains, prefix),
      suspended: ['s1'],
      active: ['a1', 'a2'],
    },
    {
      what: 'both of two terms',
      filter: searched('and', contains, exact),
      suspended: ['s1'],
      active: ['a1'],
    },
    { what: 'users without a role', filter: { withoutRoleId: 'editor' }, suspended: ['s2'], active: [] },
  ])('can be listed separately or excluded in a search for $what', async ({ filter, suspended, active }) => {
    for (const [isSuspended, expected] of [
      [true, suspended],
      [false, active],
    ] as const) {
      const { users, ...counted } = await listUsers(db, tenantId, { ...first, ...filter, isSuspended })
      expect(users.map(({ id }) => id)).toEqual(expected)
      expect(counted).toEqual({ total: expected.length, isCapped: false })
    }
  })

  it('can be listed separately or excluded in the paginated list of a role’s users', async () => {
    const page = { page: 2, pageSize: 1, roleId: 'editor' }
    expect(await listUsersOfRole(db, tenantId, { ...page, isSuspended: false })).toMatchObject({
      users: [{ id: 'a1' }],
      total: 2,
    })
    const theirs = await listUsersOfRole(db, tenantId, { ...page, page: 1, isSuspended: true })
    expect(theirs).toMatchObject({ users: [{ id: 's1' }], total: 1 })
  })
})
