import { env } from 'cloudflare:workers'
import type { D1Database, D1PreparedStatement } from '@cloudflare/workers-types'
import { beforeAll, describe, expect, it } from 'vitest'
import { activityQuery, newUsersQuery } from '../../src/storage/dashboard.ts'
import { type Database, openD1 } from '../../src/storage/database.ts'
import { listRoles } from '../../src/storage/role-list.ts'
import { roles } from '../../src/storage/tables.ts'
import { exportQuery } from '../../src/storage/user-export.ts'
import { type ImportedRow, insertImported, takenQueries } from '../../src/storage/user-import.ts'
import { listUsers, type UserSearchTerm } from '../../src/storage/user-search.ts'
import { accountsQuery } from '../../src/storage/users.ts'
import { NOW } from './databases.ts'

/**
 * A million users take minutes to make, and time says little on a busy machine. What makes a list slow is the rows it reads:
 * when those are as many among ten times the users, they are as many among a million. `npm run million` makes them all.
 */
const FEW = 2_000
const MANY = 20_000
/** Where a filtered list is counted no further, it costs more until there are so many, and the same from then on. */
const ALL_COUNTED = 10_500

const HOUR = 60 * 60 * 1000
const t = 'default'
const page = { page: 1, pageSize: 20 }
const fields = ['id', 'username', 'primaryEmail', 'primaryPhone', 'name'] as const
const searchFor = (term: UserSearchTerm, isCaseSensitive = false) => ({
  ...page,
  search: { joint: 'or' as const, terms: [term], isCaseSensitive },
})

/** One user an hour, back in time; half-way to `FEW` is one that searches find. */
const grow = async (from: number, to: number) => {
  await env.DB.prepare(
    `insert into users (tenant_id, id, username, primary_email, primary_phone, name, identities, created_at)
     with recursive numbers(n) as (select ? union all select n + 1 from numbers where n + 1 < ?)
     select 'default', printf('user%08d', n), printf('person_%08d', n),
       printf('Person.%d@%s.example.com', n, case n when 1000 then 'needle' else 'mail' end),
       printf('49151%08d', n), printf('Person %08d', n),
       json_object('github', json_object('userId', printf('gh%d', n))), ? - n * ?
     from numbers`,
  )
    .bind(from, to, NOW, HOUR)
    .run()
}

/** Somebody nobody has heard of, each time another: the second would be there already. */
let newcomers = 0
const newcomer = (): ImportedRow => {
  const id = `new${newcomers++}`
  return {
    id,
    username: id,
    primaryEmail: null,
    primaryPhone: null,
    passwordEncrypted: null,
    passwordEncryptionMethod: null,
    name: null,
    avatar: null,
    identities: { github: { userId: id } },
    customData: {},
    isSuspended: false,
    lastSignInAt: null,
    // Long ago: not one of those whom the next question counts.
    createdAt: 0,
    roleIds: ['user'],
  }
}

const lookedUp = {
  id: { by: 'id', value: 'user00001000' },
  username: { by: 'username', value: 'person_00001000' },
  email: { by: 'email', value: 'person.1000@needle.example.com' },
  phone: { by: 'phone', value: '4915100001000' },
  identity: { by: 'identity', target: 'github', value: 'gh1000' },
} as const

type Read = (db: Database) => Promise<unknown>

const sought = {
  id: 'user00001000',
  username: 'person_00001000',
  primaryEmail: 'person.1000@needle.example.com',
  primaryPhone: '4915100001000',
  name: 'Person 00001000',
}

const reads: Record<string, Read> = {
  'the first page and the total': (db) => listUsers(db, t, page),
  ...Object.fromEntries(
    Object.entries(lookedUp).map(([name, asked]) => [
      `a look-up by ${name}`,
      (db: Database) => db.batch([accountsQuery(db, t, [asked])]),
    ]),
  ),
  'an exact search': (db) =>
    listUsers(db, t, searchFor({ mode: 'exact', fields, values: ['PERSON_00001000'] })),
  // One field alone: there is no OR that would tell the database which index to take.
  ...Object.fromEntries(
    fields.flatMap((field) => [
      [
        `an exact search by ${field}`,
        (db: Database) =>
          listUsers(db, t, searchFor({ mode: 'exact', fields: [field], values: [sought[field]] })),
      ],
      [
        `a search by the beginning of ${field}`,
        (db: Database) =>
          listUsers(db, t, searchFor({ mode: 'prefix', fields: [field], text: sought[field] })),
      ],
    ]),
  ),
  'an exact search that minds the case': (db) =>
    listUsers(db, t, searchFor({ mode: 'exact', fields, values: ['person_00001000'] }, true)),
  'a search by a beginning': (db) =>
    listUsers(db, t, searchFor({ mode: 'prefix', fields, text: 'person_0000100' })),
  'a search within': (db) => listUsers(db, t, searchFor({ mode: 'contains', fields, text: 'needle' })),
  'a search for what nobody has': (db) =>
    listUsers(db, t, searchFor({ mode: 'contains', fields, text: 'haystack' })),
  'a page of an export': (db) => db.batch([exportQuery(db, t, { after: 'user00000500', limit: 100 })]),
  'the last page of an export': (db) => db.batch([exportQuery(db, t, { after: 'user00001900', limit: 20 })]),
  'who is there already': (db) =>
    db.batch(
      takenQueries(db, t, {
        ids: ['user00001000', 'nobody'],
        usernames: ['person_00001000', 'nobody'],
        emails: ['person.1000@needle.example.com', 'nobody@example.com'],
        phones: ['4915100001000'],
        identities: [['github', 'gh1000']],
        roleNames: ['user'],
      }),
    ),
  'an import': (db) => {
    const {
      users: [users],
      roles: [roles],
    } = insertImported(db, t, { imported: [newcomer()], now: NOW })
    if (!users || !roles) throw new Error('Nobody to insert')
    return db.batch([users, roles])
  },
  'how many are new': (db) => db.batch([newUsersQuery(db, t, Math.floor(NOW / HOUR / 24))]),
  'how many are active': (db) => db.batch([activityQuery(db, t, Math.floor(NOW / HOUR / 24))]),
}

const everybodyHas = 'everybody-has'
const nothing = { joint: 'or', isCaseSensitive: false, terms: [] } as const

const cappedReads: Record<string, Read> = {
  'who has not got a role everybody has': (db) => listUsers(db, t, { ...page, withoutRoleId: everybodyHas }),
  'who has not got a role nobody has': (db) => listUsers(db, t, { ...page, withoutRoleId: 'no-role' }),
  'the roles, one of which everybody has': (db) => listRoles(db, t, { ...page, search: nothing }),
}

const giveRole = (from: number, to: number) =>
  env.DB.prepare(
    `insert into users_roles (tenant_id, id, user_id, role_id)
     with recursive numbers(n) as (select ? union all select n + 1 from numbers where n + 1 < ?)
     select 'default', printf('link%08d', n), printf('user%08d', n), ? from numbers`,
  )
    .bind(from, to, everybodyHas)
    .run()

describe('On D1, among ten times the users', () => {
  const few: Record<string, number> = {}
  const many: Record<string, number> = {}
  beforeAll(async () => {
    await grow(0, FEW)
    // The first of a day begins its count.
    for (const read of Object.values(reads)) await read(openD1(env.DB))
    for (const [name, read] of Object.entries(reads)) few[name] = await rowsRead(read)

    const role = { tenantId: t, id: everybodyHas, name: everybodyHas, description: '' }
    await openD1(env.DB).insert(roles).values(role)
    await grow(FEW, ALL_COUNTED)
    await giveRole(0, ALL_COUNTED)
    for (const [name, read] of Object.entries(cappedReads)) few[name] = await rowsRead(read)
    await env.DB.prepare('delete from users_roles where role_id = ?').bind(everybodyHas).run()

    await grow(ALL_COUNTED, MANY)
    for (const [name, read] of Object.entries(reads)) many[name] = await rowsRead(read)
    await giveRole(0, MANY)
    for (const [name, read] of Object.entries(cappedReads)) many[name] = await rowsRead(read)
  }, 120_000)

  it('what is no longer counted says so', async () => {
    const db = openD1(env.DB)
    const { roles: listed } = await listRoles(db, t, { ...page, search: nothing })
    expect(listed.find(({ id }) => id === everybodyHas)?.usersCount).toBe(10_000)
    const without = { ...page, withoutRoleId: everybodyHas }
    expect(await listUsers(db, t, without)).toEqual({ users: [], total: 0, isCapped: true })
  })

  it.each(Object.keys(reads))('%s costs what it did', (name) => {
    expect(few[name]).toBeGreaterThan(0)
    expect(many[name]).toBe(few[name])
  })

  it.each(Object.keys(cappedReads))('%s costs no more than before', (name) => {
    expect(many[name]).toBeGreaterThan(0)
    expect(many[name]).toBeLessThanOrEqual(few[name] ?? 0)
  })
})

/** What D1 says it read, and bills. */
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
