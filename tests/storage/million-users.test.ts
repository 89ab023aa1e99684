import { env } from 'cloudflare:workers'
import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import { beforeAll, describe, expect, it } from 'vitest'
import { HOUR } from '../../src/contract/time.ts'
import { listRoles } from '../../src/storage/access/role-list.ts'
import { listUsersOfRole } from '../../src/storage/access/role-members.ts'
import { readTogether, runInOneBatch, sendBatch } from '../../src/storage/batches.ts'
import { openD1 } from '../../src/storage/d1.ts'
import type { Database } from '../../src/storage/database.ts'
import { roles } from '../../src/storage/tables.ts'
import { activityQuery, newUsersQuery } from '../../src/storage/tenants/dashboard.ts'
import { takenIdentifierQueries } from '../../src/storage/users/duplicate-identifiers.ts'
import { exportQuery } from '../../src/storage/users/user-export.ts'
import { type ImportedRow, insertImportedUsers } from '../../src/storage/users/user-import.ts'
import { listUsers } from '../../src/storage/users/user-list.ts'
import type { UserSearchTerm } from '../../src/storage/users/user-search.ts'
import { accountsQuery } from '../../src/storage/users/users.ts'
import { newImportedRow, TEST_NOW } from './databases.ts'

/**
 * Creating a million users takes minutes, and timings are unreliable on a busy machine. These tests count rows read
 * instead: if a list reads the same number of rows with ten times as many users, it also does so with a million users
 * (`npm run million`).
 */
const FEW = 2_000
const MANY = 20_000
/** The number of users at which the counts of filtered lists are capped. Below this number, longer lists cost more. */
const ALL_COUNTED = 10_500
const t = 'default'
const page = { page: 1, pageSize: 20 }
const fields = ['id', 'username', 'primaryEmail', 'primaryPhone', 'name'] as const
const searchFor = (term: UserSearchTerm, isCaseSensitive = false) => ({
  ...page,
  search: { joint: 'or' as const, terms: [term], isCaseSensitive },
})

/** A search for a prefix that all users have. */
const commonPrefix = searchFor({ mode: 'prefix', fields, text: 'p' })

/**
 * Adds one user per hour, going back in time. Searches look for user number 1000, and some of the newest users are
 * suspended.
 */
const grow = async (from: number, to: number) => {
  await env.DB.prepare(
    `insert into users (tenant_id, id, username, primary_email, primary_phone, name, identities, created_at, is_suspended)
     with recursive numbers(n) as (select ? union all select n + 1 from numbers where n + 1 < ?)
     select 'default', printf('user%08d', n), printf('person_%08d', n),
       printf('Person.%d@%s.example.com', n, case n when 1000 then 'needle' else 'mail' end),
       printf('49151%08d', n), printf('Person %08d', n),
       json_object('github', json_object('userId', printf('gh%d', n))), ? - n * ?, n in (3, 5)
     from numbers`,
  )
    .bind(from, to, TEST_NOW, HOUR)
    .run()
}

/** The number of imported users. Each import uses a new user, because inserting the same user again would conflict. */
let newcomers = 0
const newcomer = (): ImportedRow => {
  const id = `new${newcomers++}`
  // The user is backdated, so that the number of today's new users stays the same.
  const createdAt = 0
  return newImportedRow({
    id,
    username: id,
    identities: { github: { userId: id } },
    createdAt,
    roleIds: ['user'],
  })
}

const lookups = {
  id: { by: 'id', value: 'user00001000' },
  username: { by: 'username', value: 'person_00001000' },
  email: { by: 'email', value: 'person.1000@needle.example.com' },
  phone: { by: 'phone', value: '4915100001000' },
  identity: { by: 'identity', target: 'github', value: 'gh1000' },
} as const

const hundredIds = Array.from({ length: 100 }, (_, n) => `user${String(n).padStart(8, '0')}`)

type Read = (db: Database) => Promise<unknown>

const searched = {
  id: 'user00001000',
  username: 'person_00001000',
  primaryEmail: 'person.1000@needle.example.com',
  primaryPhone: '4915100001000',
  name: 'Person 00001000',
}

const reads: Record<string, Read> = {
  'the first page and the total': (db) => listUsers(db, t, page),
  ...Object.fromEntries(
    Object.entries(lookups).map(([name, lookup]) => [
      `a look-up by ${name}`,
      (db: Database) => sendBatch(db, [accountsQuery(db, t, [lookup])]),
    ]),
  ),
  'an exact search': (db) =>
    listUsers(db, t, searchFor({ mode: 'exact', fields, values: ['PERSON_00001000'] })),
  // Each search uses a single field, because the database chooses the index by itself if there is no OR.
  ...Object.fromEntries(
    fields.flatMap((field) => [
      [
        `an exact search by ${field}`,
        (db: Database) =>
          listUsers(db, t, searchFor({ mode: 'exact', fields: [field], values: [searched[field]] })),
      ],
      [
        `a prefix search by ${field}`,
        (db: Database) =>
          listUsers(db, t, searchFor({ mode: 'prefix', fields: [field], text: searched[field] })),
      ],
    ]),
  ),
  // The console's log page reads these users (spec/console#log).
  'the users of a page of the log': (db) =>
    listUsers(db, t, { ...searchFor({ mode: 'exact', fields: ['id'], values: hundredIds }), pageSize: 100 }),
  'a case-sensitive exact search': (db) =>
    listUsers(db, t, searchFor({ mode: 'exact', fields, values: ['person_00001000'] }, true)),
  'a prefix search': (db) => listUsers(db, t, searchFor({ mode: 'prefix', fields, text: 'person_0000100' })),
  'a search within texts': (db) => listUsers(db, t, searchFor({ mode: 'contains', fields, text: 'needle' })),
  'the first page by username': (db) => listUsers(db, t, { ...page, sort: 'username' }),
  'the last page by email address': (db) =>
    listUsers(db, t, { ...page, sort: 'primaryEmail', order: 'desc' }),
  'the oldest users': (db) => listUsers(db, t, { ...page, order: 'asc' }),
  'the users with an authenticator app, which none has': (db) =>
    listUsers(db, t, { ...page, hasFactor: 'totp' }),
  'the users of a provider, of whom there are none': (db) =>
    listUsers(db, t, { ...page, provider: 'gitlab' }),
  'the suspended users': (db) => listUsers(db, t, { ...page, isSuspended: true }),
  'a search within texts of suspended users': (db) =>
    listUsers(db, t, { ...searchFor({ mode: 'contains', fields, text: 'needle' }), isSuspended: true }),
  'a prefix search among suspended users': (db) => listUsers(db, t, { ...commonPrefix, isSuspended: true }),
  'a search without a match': (db) =>
    listUsers(db, t, searchFor({ mode: 'contains', fields, text: 'haystack' })),
  'a page of an export': (db) =>
    sendBatch(db, [exportQuery(db, t, { after: 'user00000500', limit: 100, withTotpSecrets: true })]),
  'the last page of an export': (db) =>
    sendBatch(db, [exportQuery(db, t, { after: 'user00001900', limit: 20, withTotpSecrets: true })]),
  'the taken identifiers': (db) =>
    readTogether(
      db,
      takenIdentifierQueries(db, t, {
        ids: ['user00001000', 'unknown'],
        usernames: ['person_00001000', 'unknown'],
        emails: ['person.1000@needle.example.com', 'unknown@example.com'],
        phones: ['4915100001000'],
        identities: [['github', 'gh1000']],
        roleNames: ['user'],
        credentialIds: ['c'],
      }),
    ),
  'an import': (db) =>
    runInOneBatch(db, insertImportedUsers(db, t, { imported: [newcomer()], now: TEST_NOW })),
  'the number of new users': (db) => sendBatch(db, [newUsersQuery(db, t, Math.floor(TEST_NOW / HOUR / 24))]),
  'the number of active users': (db) =>
    sendBatch(db, [activityQuery(db, t, Math.floor(TEST_NOW / HOUR / 24))]),
}

const COMMON_ROLE = 'common-role'
const nothing = { joint: 'or', isCaseSensitive: false, terms: [] } as const

const cappedReads: Record<string, Read> = {
  'the users who are not suspended': (db) => listUsers(db, t, { ...page, isSuspended: false }),
  'a prefix that all have': (db) => listUsers(db, t, commonPrefix),
  'a prefix that all have who are not suspended': (db) =>
    listUsers(db, t, { ...commonPrefix, isSuspended: false }),
  'the suspended users of a role that all have': (db) =>
    listUsersOfRole(db, t, { ...page, roleId: COMMON_ROLE, isSuspended: true }),
  'users without a role that all have': (db) => listUsers(db, t, { ...page, withoutRoleId: COMMON_ROLE }),
  'users without a role that none has': (db) => listUsers(db, t, { ...page, withoutRoleId: 'no-role' }),
  'the users of a provider that all have': (db) => listUsers(db, t, { ...page, provider: 'github' }),
  'the users of a role that all have': (db) => listUsers(db, t, { ...page, roleId: COMMON_ROLE }),
  'users with a factor that none has': (db) => listUsers(db, t, { ...page, hasFactor: 'any' }),
  'users who have never signed in': (db) => listUsers(db, t, { ...page, lastSignInBefore: TEST_NOW }),
  'suspended users by name': (db) => listUsers(db, t, { ...page, isSuspended: true, sort: 'name' }),
  'active users by name': (db) => listUsers(db, t, { ...page, isSuspended: false, sort: 'name' }),
  'a search that all match, by relevance': (db) =>
    listUsers(db, t, { ...searchFor({ mode: 'contains', fields, text: 'person' }), sort: 'relevance' }),
  'a prefix that all have, by relevance': (db) => listUsers(db, t, { ...commonPrefix, sort: 'relevance' }),
  'a prefix that all have, by name': (db) => listUsers(db, t, { ...commonPrefix, sort: 'name' }),
  'a prefix that all have, with a filter': (db) =>
    listUsers(db, t, { ...commonPrefix, lastSignInBefore: TEST_NOW }),
  'the roles, one of which all users have': (db) => listRoles(db, t, { ...page, search: nothing }),
}

const giveRole = (from: number, to: number) =>
  env.DB.prepare(
    `insert into users_roles (tenant_id, id, user_id, role_id)
     with recursive numbers(n) as (select ? union all select n + 1 from numbers where n + 1 < ?)
     select 'default', printf('link%08d', n), printf('user%08d', n), ? from numbers`,
  )
    .bind(from, to, COMMON_ROLE)
    .run()

/** Removes the newcomers' role assignments, because the list of roles counts them. */
const withoutNewcomers = () => env.DB.prepare("delete from users_roles where role_id = 'user'").run()

describe('D1 with ten times the users', () => {
  const few: Record<string, number> = {}
  const many: Record<string, number> = {}
  beforeAll(async () => {
    await grow(0, FEW)
    // Run every read once before measuring, because the first new user of a day also inserts the row with the day's
    // count.
    for (const read of Object.values(reads)) await read(openD1(env.DB))
    for (const [name, read] of Object.entries(reads)) few[name] = await rowsRead(read)

    const role = { tenantId: t, id: COMMON_ROLE, name: COMMON_ROLE, description: '' }
    await openD1(env.DB).insert(roles).values(role)
    await grow(FEW, ALL_COUNTED)
    await giveRole(0, ALL_COUNTED)
    await withoutNewcomers()
    for (const [name, read] of Object.entries(cappedReads)) few[name] = await rowsRead(read)
    await env.DB.prepare('delete from users_roles where role_id = ?').bind(COMMON_ROLE).run()

    await grow(ALL_COUNTED, MANY)
    for (const [name, read] of Object.entries(reads)) many[name] = await rowsRead(read)
    await giveRole(0, MANY)
    await withoutNewcomers()
    for (const [name, read] of Object.entries(cappedReads)) many[name] = await rowsRead(read)
  }, 120_000)

  it('marks a list as capped if it is too long to be counted', async () => {
    const db = openD1(env.DB)
    const { roles: listed } = await listRoles(db, t, { ...page, search: nothing })
    expect(listed.find(({ id }) => id === COMMON_ROLE)?.usersCount).toBe(10_000)
    const without = { ...page, withoutRoleId: COMMON_ROLE }
    expect(await listUsers(db, t, without)).toEqual({ users: [], total: 0, isCapped: true })
  })

  it('finds all users by a common prefix, newest first, optionally filtered by state', async () => {
    const db = openD1(env.DB)
    const idsOf = async (more: { page?: number; isSuspended?: boolean }) => {
      const list = await listUsers(db, t, { ...commonPrefix, ...more })
      return [list.total, list.isCapped, ...list.users.map(({ id }) => Number(id.slice('user'.length)))]
    }
    const numbers = (from: number, ...without: number[]) =>
      Array.from({ length: 20 + without.length }, (_, at) => from + at).filter((n) => !without.includes(n))
    expect(await idsOf({})).toEqual([10_000, true, ...numbers(0)])
    expect(await idsOf({ page: MANY / 20 })).toEqual([10_000, true, ...numbers(MANY - 20)])
    expect(await idsOf({ isSuspended: false })).toEqual([10_000, true, ...numbers(0, 3, 5)])
    expect(await idsOf({ isSuspended: true })).toEqual([2, false, 3, 5])
  })

  it('puts an exact match first that is not among the newest matches of a search', async () => {
    const oldest = `person_${String(MANY - 1).padStart(8, '0')}`
    const text = 'person_0001'
    const db = openD1(env.DB)
    const byRelevance = { sort: 'relevance' as const }
    const find = async (mode: 'contains' | 'prefix', searchedText: string) => {
      const list = await listUsers(db, t, {
        ...searchFor({ mode, fields, text: searchedText }),
        ...byRelevance,
      })
      return list.users[0]?.username
    }
    expect(await find('contains', oldest)).toBe(oldest)
    await env.DB.prepare('update users set name = ? where username = ?').bind(text, oldest).run()
    expect(await find('contains', text)).toBe(oldest)
    expect(await find('prefix', text)).toBe(oldest)
  })

  it('reports a filtered list as capped if it did not test all users', async () => {
    const list = await listUsers(openD1(env.DB), t, { ...page, hasFactor: 'any' })
    expect(list).toEqual({ users: [], total: 0, isCapped: true })
  })

  it('marks a search as capped if the cap applies before users with a role are filtered out', async () => {
    const within = searchFor({ mode: 'contains', fields, text: 'person' })
    const list = await listUsers(openD1(env.DB), t, { ...within, withoutRoleId: COMMON_ROLE })
    expect(list).toEqual({ users: [], total: 0, isCapped: true })
  })

  it.each(Object.keys(reads))('reads the same number of rows for %s', (name) => {
    expect(few[name]).toBeGreaterThan(0)
    expect(many[name]).toBe(few[name])
  })

  it.each(Object.keys(cappedReads))('reads no more rows for %s', (name) => {
    expect(many[name]).toBeGreaterThan(0)
    expect(many[name]).toBeLessThanOrEqual(few[name] ?? 0)
  })
})

/** Returns the number of rows read that D1 reports and bills. */
async function rowsRead(read: Read): Promise<number> {
  let rows = 0
  const batch: D1Database['batch'] = async <T>(statements: D1PreparedStatement[]) => {
    const results = await env.DB.batch<T>(statements)
    for (const { meta } of results) rows += meta.rows_read
    return results
  }
  await read(
    openD1(new Proxy(env.DB, { get: (target, name) => (name === 'batch' ? batch : bound(target, name)) })),
  )
  return rows
}

function bound(target: D1Database, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name)
  return typeof value === 'function' ? value.bind(target) : value
}
