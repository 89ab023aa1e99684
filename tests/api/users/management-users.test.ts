import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { countedDatabase } from '../../../bench/counted-database.ts'
import { MAX_USERS_PER_BULK_CALL } from '../../../src/contract/users/user-bulk.schema.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  resumeAuthorization,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import {
  asOperator,
  machineToken,
  newMachine,
  newOperator,
  type Operator,
} from '../../kit/clients/management-client.ts'
import { newReceiver } from '../../kit/receiver.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

type User = {
  id: string
  username: string | null
  primaryPhone: string | null
  customData: Record<string, unknown>
}

const bodyOf = async <T = User>(response: Response) => (await response.json()) as T
const codeOf = async (response: Response) => [
  response.status,
  (await bodyOf<{ code: string }>(response)).code,
]

async function create(fields: Record<string, unknown> = {}): Promise<User> {
  const response = await operator.send('POST', '/users', fields)
  expect(response.status).toBe(200)
  return bodyOf(response)
}

const patch = (id: string, body: unknown, part = '') => operator.send('PATCH', `/users/${id}${part}`, body)
const get = async (id: string) => bodyOf(await operator.get(`/users/${id}`))

/** Returns a phone number that no other user has. */
const freshPhone = () => `49${crypto.getRandomValues(new Uint32Array(1))[0]}`
const freshEmail = () => `${freshName()}@example.com`

/** Checks through the interaction API whether the user can sign in with this password. */
async function canSignIn(username: string, password = PASSWORD) {
  const client = newCookieClient(app)
  return (
    await signIn(client, await openSignInPage(client, await authorizationRequest()), username, password)
  ).ok
}

describe('a new user', () => {
  it('[ASVS-15.3.1-2] requires no fields and is returned with every documented field', async () => {
    expect(await create()).toEqual({
      id: expect.stringMatching(/^[\dA-Za-z]{12}$/),
      username: null,
      primaryEmail: null,
      primaryPhone: null,
      name: null,
      avatar: null,
      customData: {},
      identities: {},
      lastSignInAt: null,
      createdAt: expect.any(Number),
      applicationId: null,
      termsAgreement: null,
      emailVerified: false,
      phoneVerified: false,
      isSuspended: false,
      profile: {},
      profileUpdatedAt: null,
    })
  })

  it('is stored with all identifiers and can sign in with the password', async () => {
    const fields = {
      username: freshName(),
      primaryEmail: freshEmail(),
      primaryPhone: freshPhone(),
      name: 'Ann',
    }
    const created = await create({ ...fields, password: PASSWORD })
    expect(created).toMatchObject(fields)
    expect(JSON.stringify(created)).not.toMatch(/password|argon2|tenantId/i)
    expect(await get(created.id)).toEqual(created)
    expect(await canSignIn(fields.username)).toBe(true)
  })

  // The specification: "Phone values are a calling code plus national number, with a '+' prefix."
  it('can be given a phone number with a plus sign, but is stored, returned and found without the sign', async () => {
    const [first, second] = [freshPhone(), freshPhone()]
    const created = await create({ primaryPhone: `+${first}` })
    expect(created.primaryPhone).toBe(first)
    expect((await patch(created.id, { primaryPhone: `+${second}` })).status).toBe(200)
    expect((await get(created.id)).primaryPhone).toBe(second)
    const foundBy = async (search: string) =>
      ((await (await operator.get(`/users?${search}`)).json()) as { id: string }[]).map(({ id }) => id)
    for (const value of [second, `%2B${second}`, `+${second}`])
      expect(await foundBy(`search.primaryPhone=${value}&mode=exact`)).toEqual([created.id])
    expect(await foundBy(`search.primaryPhone=%2B${second.slice(0, -1)}%25`)).toEqual([created.id])
    const patched = await patch(created.id, { primaryPhone: '++491' })
    expect(await codeOf(patched)).toEqual([400, 'guard.invalid_input'])
  })

  it.each([
    { field: 'username', value: freshName, code: 'user.username_already_in_use' },
    { field: 'primaryEmail', value: freshEmail, code: 'user.email_already_in_use' },
    { field: 'primaryPhone', value: freshPhone, code: 'user.phone_already_in_use' },
  ])(
    'cannot be given another user’s $field when it is created or changed',
    async ({ field, value, code }) => {
      const identifier = { [field]: value() }
      await create(identifier)
      expect(await codeOf(await operator.send('POST', '/users', identifier))).toEqual([422, code])
      const other = await create()
      expect(await codeOf(await patch(other.id, { ...identifier, name: 'Changed' }))).toEqual([422, code])
      expect(await get(other.id)).toEqual(other)
    },
  )

  it('cannot have an e-mail address that differs from another user’s only in case', async () => {
    const email = freshEmail()
    await create({ primaryEmail: email })
    expect(
      await codeOf(await operator.send('POST', '/users', { primaryEmail: email.toUpperCase() })),
    ).toEqual([422, 'user.email_already_in_use'])
  })

  it('is created only once by concurrent calls with the same username', async () => {
    const username = freshName()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => operator.send('POST', '/users', { username })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(4).fill(422)])
    const { DB } = app.env
    const { results } = await DB.prepare('select id from users where username = ?').bind(username).all()
    expect(results).toHaveLength(1)
    const entries = await DB.prepare(
      "select count(*) as n from logs where key = 'Management.User.Create' and user_id = ?",
    )
      .bind(results[0]?.id)
      .first('n')
    expect(entries).toBe(1)
  })
})

describe('changing a user', () => {
  it('replaces the fields in the request body, including custom data as a whole', async () => {
    const { id } = await create({ username: freshName(), name: 'Ann' })
    await patch(id, { customData: { plan: 'free', since: 2026 } })
    const avatar = 'https://example.com/ann.png'
    const response = await patch(id, { name: 'Anna', avatar, customData: { plan: 'paid' } })
    expect(await bodyOf(response)).toMatchObject({ name: 'Anna', avatar, customData: { plan: 'paid' } })
    expect((await get(id)).customData).toEqual({ plan: 'paid' })
  })

  it.each(['', null])('clears fields that are set to %j', async (empty) => {
    const { id } = await create({
      username: freshName(),
      primaryEmail: freshEmail(),
      primaryPhone: freshPhone(),
      name: 'Ann',
    })
    await patch(id, { avatar: 'https://example.com/ann.png' })
    const cleared = {
      username: empty,
      primaryEmail: empty,
      primaryPhone: empty,
      name: empty,
      avatar: empty,
    }
    expect(await bodyOf(await patch(id, cleared))).toMatchObject({
      username: null,
      primaryEmail: null,
      primaryPhone: null,
      name: null,
      avatar: null,
    })
  })

  it('can set the username to its current value', async () => {
    const { id, username } = await create({ username: freshName() })
    expect((await patch(id, { username })).status).toBe(200)
  })

  it('has no effect if the request body is empty', async () => {
    const created = await create({ name: 'Ann' })
    expect(await bodyOf(await patch(created.id, {}))).toEqual(created)
    expect((await patch(created.id, { isSuspended: true, id: 'mine' })).status).toBe(400)
    expect(await bodyOf(await patch(created.id, {}))).toEqual(created)
  })

  it.each([
    { avatar: 'ann.png' },
    { avatar: 'javascript:alert(1)' },
    { avatar: 'https://example.com/a b' },
    { customData: [] },
    { customData: 'free' },
    { customData: { 'a\0': 1 } },
    { username: 'ann smith' },
    { primaryPhone: 'x' },
  ])('rejects %o', async (body) => {
    const { id } = await create()
    expect(await codeOf(await patch(id, body))).toEqual([400, 'guard.invalid_input'])
  })

  it('rejects custom data that is nested too deeply', async () => {
    const { id } = await create()
    const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])
    expect((await patch(id, { customData: { deep: deep(20) } })).status).toBe(200)
    expect(await codeOf(await patch(id, { customData: { deep: deep(40) } }))).toEqual([
      400,
      'guard.invalid_input',
    ])
    const hostile = `{"customData":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`
    const response = await app.fetch(`/api/users/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${operator.token}`, 'content-type': 'application/json' },
      body: hostile,
    })
    expect(await codeOf(response)).toEqual([400, 'guard.invalid_input'])
  })

  it.each([
    { method: 'GET', part: '' },
    { method: 'PATCH', part: '', body: { name: 'Ann' } },
    { method: 'PATCH', part: '', body: {} },
    { method: 'DELETE', part: '' },
    { method: 'GET', part: '/custom-data' },
    { method: 'PATCH', part: '/custom-data', body: { customData: {} } },
    { method: 'PATCH', part: '/password', body: { password: PASSWORD } },
    { method: 'PATCH', part: '/is-suspended', body: { isSuspended: true } },
  ])('returns 404 for an unknown user: $method $part', async ({ method, part, body }) => {
    expect(await codeOf(await operator.send(method, `/users/unknown${part}`, body))).toEqual([
      404,
      'entity.not_found',
    ])
  })

  it('writes one audit entry for each change, with the values before and after it', async () => {
    const { id } = await create({ name: 'Ann', password: PASSWORD })
    await patch(id, { name: 'Bea' })
    await patch(id, { name: 'Bea', avatar: 'https://a.example/b.png' })
    await patch(id, { password: 'another-horse-8' }, '/password')
    await patch(id, { isSuspended: true }, '/is-suspended')
    await patch(id, { isSuspended: false }, '/is-suspended')
    await patch(id, { customData: { plan: 'free', secret: 'horse-1' } }, '/custom-data')
    await patch(id, { customData: { plan: 'paid' } }, '/custom-data')
    await operator.send('DELETE', `/users/${id}`)
    const { results } = await app.env.DB.prepare(
      'select key, payload from logs where user_id = ? order by created_at, rowid',
    )
      .bind(id)
      .all<{ key: string; payload: string }>()
    const rows = results.map(({ key, payload }) => [key.split('.').at(-1), JSON.parse(payload)])
    const change = (before: unknown, after: unknown) => ({ before, after })
    expect(rows.map(([key, { changed, changes }]) => [key, changed, changes])).toEqual([
      ['Create', ['password', 'name'], undefined],
      ['Rename', ['name'], { name: change('Ann', 'Bea') }],
      ['Update', ['name', 'avatar'], { avatar: change(null, 'https://a.example/b.png') }],
      ['Update', ['password'], undefined],
      ['Suspend', ['isSuspended'], { isSuspended: change(false, true) }],
      ['Reinstate', ['isSuspended'], { isSuspended: change(true, false) }],
      ['Update', ['customData'], { 'customData.plan': change(null, 'free') }],
      ['Update', ['customData'], { 'customData.plan': change('free', 'paid') }],
      ['Delete', undefined, undefined],
    ])
    expect(JSON.stringify(results)).not.toMatch(/horse/i)
  })
})

describe('a user’s custom data', () => {
  it('is merged at the first level, including null values', async () => {
    const { id } = await create()
    await patch(id, { customData: { plan: { name: 'free', seats: 1 }, beta: true } }, '/custom-data')
    const merged = await patch(id, { customData: { plan: { name: 'paid' }, beta: null } }, '/custom-data')
    expect(await bodyOf<unknown>(merged)).toEqual({ plan: { name: 'paid' }, beta: null })
    expect(await bodyOf<unknown>(await operator.get(`/users/${id}/custom-data`))).toEqual({
      plan: { name: 'paid' },
      beta: null,
    })
  })

  it('keeps the additions from all concurrent calls', async () => {
    const { id } = await create()
    const keys = Array.from({ length: 20 }, (_, index) => `key-${index}`)
    const answers = await Promise.all(
      keys.map((key) => patch(id, { customData: { [key]: 1, 7: 'a number first' } }, '/custom-data')),
    )
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200))
    expect(Object.keys((await get(id)).customData)).toEqual(expect.arrayContaining(keys))
  })

  it('has a size limit that concurrent calls cannot exceed', async () => {
    const { id } = await create()
    const add = (key: string) => patch(id, { customData: { [key]: 'x'.repeat(20_000) } }, '/custom-data')
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(add))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 413, 413])
    expect(await codeOf(await add('f'))).toEqual([413, 'guard.invalid_input'])
  })
})

describe('a password that an operator sets for a user', () => {
  it('replaces the old password and ends all sessions', async () => {
    const username = freshName()
    const { id } = await create({ username, password: PASSWORD })
    const client = newCookieClient(app)
    await resumeAuthorization(
      client,
      await signIn(client, await openSignInPage(client, await authorizationRequest()), username),
    )

    const response = await patch(id, { password: 'another-horse-8' }, '/password')
    expect(await bodyOf(response)).toMatchObject({ id, username })
    expect(await canSignIn(username)).toBe(false)
    expect(await canSignIn(username, 'another-horse-8')).toBe(true)
    const again = await client.get((await authorizationRequest()).url)
    expect(again.headers.get('location')).toMatch(/^\/sign-in/)
  })

  it('must follow the password policy', async () => {
    const { id } = await create()
    expect(await codeOf(await patch(id, { password: 'weak' }, '/password'))).toEqual([
      400,
      'guard.invalid_input',
    ])
  })
})

describe('suspending a user', () => {
  it('signs the user out and prevents further sign-ins until the user is reinstated', async () => {
    const username = freshName()
    const { id } = await create({ username, password: PASSWORD })
    const client = newCookieClient(app)
    await resumeAuthorization(
      client,
      await signIn(client, await openSignInPage(client, await authorizationRequest()), username),
    )
    const silent = async () => (await client.get((await authorizationRequest()).url)).headers.get('location')
    expect(await silent()).toContain('code=')

    const suspended = await patch(id, { isSuspended: true }, '/is-suspended')
    expect(await bodyOf(suspended)).toMatchObject({ isSuspended: true })
    expect(await silent()).toMatch(/^\/sign-in/)
    expect(await canSignIn(username)).toBe(false)

    await patch(id, { isSuspended: false }, '/is-suspended')
    expect(await silent()).toMatch(/^\/sign-in/)
    expect(await canSignIn(username)).toBe(true)
  })

  it('requires a boolean, not a string', async () => {
    const { id } = await create()
    expect(await codeOf(await patch(id, { isSuspended: 'true' }, '/is-suspended'))).toEqual([
      400,
      'guard.invalid_input',
    ])
    expect(await codeOf(await patch(id, {}, '/is-suspended'))).toEqual([400, 'guard.invalid_input'])
  })
})

it('deleting a user removes the account and frees its username', async () => {
  const username = freshName()
  const { id } = await create({ username })
  const response = await operator.send('DELETE', `/users/${id}`)
  expect([response.status, await response.text()]).toEqual([204, ''])
  expect((await operator.get(`/users/${id}`)).status).toBe(404)
  await create({ username })
})

describe('a search for users', () => {
  let users: Record<'anna' | 'hannah' | 'bob' | 'percent', User>
  beforeAll(async () => {
    users = {
      anna: await create({ username: 'Anna_Smith', name: 'Zoë Miller', primaryEmail: 'anna@find.example' }),
      hannah: await create({ username: 'hannah', name: 'Anna Bell', primaryPhone: '491234567' }),
      bob: await create({ username: 'AnnaXSmith', name: 'Bob' }),
      percent: await create({ name: '100% wool' }),
    }
  })

  const search = async (query: Record<string, string> | string[][]) => {
    const response = await operator.get(`/users?${new URLSearchParams(query)}`)
    expect(response.status).toBe(200)
    const ids = (await bodyOf<User[]>(response)).map(({ id }) => id)
    expect(response.headers.get('total-number')).toBe(String(ids.length))
    return Object.entries(users).flatMap(([name, { id }]) => (ids.includes(id) ? [name] : []))
  }

  it.each<{ query: Record<string, string> | string[][]; names: string[] }>([
    { query: { search: '%anna%' }, names: ['anna', 'hannah', 'bob'] },
    { query: { search: 'anna%' }, names: ['anna', 'hannah', 'bob'] },
    { query: { search: 'anna' }, names: [] },
    { query: { search: 'hannah' }, names: ['hannah'] },
    { query: { search: '%nah' }, names: ['hannah'] },
    { query: { search: '%ann_h' }, names: ['hannah'] },
    { query: { 'search.username': 'anna_smith' }, names: ['anna', 'bob'] },
    { query: { 'search.username': 'anna\\_smith' }, names: ['anna'] },
    { query: { 'search.username': '%na\\_sm%' }, names: ['anna'] },
    { query: { 'search.username': 'a%smith' }, names: ['anna', 'bob'] },
    { query: { 'search.username': 'Anna_Smith', isCaseSensitive: 'true' }, names: ['anna', 'bob'] },
    { query: { 'search.username': 'anna_smith', isCaseSensitive: 'true' }, names: [] },
    { query: { 'search.username': '%nna%', isCaseSensitive: 'yes' }, names: ['anna', 'hannah', 'bob'] },
    { query: { 'search.username': '%Ann%', isCaseSensitive: 'yes' }, names: ['anna', 'bob'] },
    { query: { 'search.username': '%NNA%', isCaseSensitive: '1' }, names: [] },
    { query: { 'search.name': '100\\%%' }, names: ['percent'] },
    { query: { 'search.name': '%miller' }, names: ['anna'] },
    { query: { 'search.name': 'b' }, names: [] },
    { query: { 'search.name': 'b%' }, names: ['bob'] },
    { query: { 'search.primaryPhone': '%3456%' }, names: ['hannah'] },
    { query: { 'search.primaryEmail': 'ANNA@FIND.EXAMPLE', mode: 'exact' }, names: ['anna'] },
    { query: { 'search.name': '%bell', 'search.username': 'hannah', joint: 'and' }, names: ['hannah'] },
    { query: { 'search.name': '%bell', 'search.username': 'AnnaX%', joint: 'and' }, names: [] },
    { query: { 'search.name': '%bell', 'search.username': 'AnnaX%' }, names: ['hannah', 'bob'] },
    {
      query: { 'search.name': 'Bob', 'mode.name': 'exact', 'search.username': 'hann%' },
      names: ['hannah', 'bob'],
    },
    {
      query: [
        ['search.name', 'Bob'],
        ['search.name', 'Anna Bell'],
        ['mode', 'exact'],
      ],
      names: ['hannah', 'bob'],
    },
  ])('returns $names for $query', async ({ query, names }) => {
    expect(await search(query)).toEqual(names)
  })

  it.each<{ why: string; query: string }>([
    { why: 'an empty value', query: 'search=' },
    { why: 'an unknown field', query: 'search.color=red' },
    { why: 'a nested field', query: 'search.customData.plan=free' },
    { why: 'an unknown mode', query: 'search=anna&mode=fuzzy' },
    { why: 'a mode for an unknown field', query: 'search=anna&mode.color=like' },
    { why: 'the mode posix', query: 'search=anna&mode=posix' },
    { why: 'the mode similar_to', query: 'search.name=anna&mode.name=similar_to&isCaseSensitive=true' },
    { why: 'several patterns for one field', query: 'search=anna&search=bob' },
    { why: 'an unknown joint', query: 'search=anna&joint=xor' },
    { why: 'too few letters after a wildcard', query: 'search=%25an%25' },
    { why: 'only wildcards', query: 'search=%25' },
    { why: 'a pattern that is too long to be matched', query: `search=${'x'.repeat(60)}_y` },
    { why: 'a value that is too long for any field', query: `search=${'x'.repeat(129)}` },
    { why: 'a NUL character', query: 'search=ann%00' },
  ])('is rejected if it has $why', async ({ query }) => {
    expect(await codeOf(await operator.get(`/users?${query}`))).toEqual([400, 'request.invalid_input'])
  })

  it('causes no server error if it has many parts', async () => {
    const parts = ['id', 'primaryEmail', 'primaryPhone', 'username', 'name'].flatMap((field) => [
      `search.${field}=ann_a%25bcd`,
    ])
    const response = await operator.get(
      `/users?search=ann_a%25bcd&${parts.join('&')}&joint=and&isCaseSensitive=true`,
    )
    expect([200, 400]).toContain(response.status)
    const exact = Array.from({ length: 300 }, (_, number) => `search.name=n${number}`).join('&')
    expect((await operator.get(`/users?${exact}&mode=exact`)).status).toBe(200)
  })

  it('treats quotes as text', async () => {
    for (const search of ['%"anna%', "%'; drop table users; --%", '%* OR anna%', '%{name}: anna%']) {
      expect((await operator.get(`/users?${new URLSearchParams({ search })}`)).status).toBe(200)
    }
  })

  it('can exclude users who have a role', async () => {
    await app.env.DB.prepare(
      "insert into users_roles (tenant_id, id, user_id, role_id) values ('default', 'ur-bob', ?, 'admin-role')",
    )
      .bind(users.bob.id)
      .run()
    expect(await search({ 'search.username': 'anna%', excludeRoleId: 'admin-role' })).toEqual(['anna'])
  })

  it('can be limited to suspended users, or to users who are not suspended', async () => {
    const pattern = { search: '%anna%' }
    await patch(users.hannah.id, { isSuspended: true }, '/is-suspended')
    expect(await search({ ...pattern, isSuspended: 'true' })).toEqual(['hannah'])
    expect(await search({ ...pattern, isSuspended: 'false' })).toEqual(['anna', 'bob'])
    expect(await search({ ...pattern, isSuspended: 'false', excludeRoleId: 'admin-role' })).toEqual(['anna'])
    const active = await operator.get('/roles/admin-role/users?isSuspended=false')
    expect((await bodyOf<User[]>(active)).map(({ id }) => id)).toContain(users.bob.id)
    const suspended = await operator.get('/roles/admin-role/users?isSuspended=true')
    expect([await suspended.json(), suspended.headers.get('total-number')]).toEqual([[], '0'])
    expect(await codeOf(await operator.get('/users?isSuspended=maybe'))).toEqual([400, 'guard.invalid_input'])
  })
})

describe('the order and the filters of the list', () => {
  it('apply together with a search', async () => {
    const text = freshName().replaceAll('_', '')
    const { id: exact } = await create({ username: text, primaryEmail: freshEmail() })
    const { id: longer } = await create({
      username: `${text}2`,
      primaryEmail: freshEmail(),
      emailVerified: false,
    })
    await app.env.DB.prepare('update users set created_at = created_at + 1000 where id = ?')
      .bind(longer)
      .run()
    const idsOf = async (query: Record<string, string>) => {
      const response = await operator.get(`/users?${new URLSearchParams({ search: `%${text}%`, ...query })}`)
      return (await bodyOf<User[]>(response)).map(({ id }) => id)
    }
    expect(await idsOf({})).toEqual([longer, exact])
    expect(await idsOf({ sort: 'relevance' })).toEqual([exact, longer])
    expect(await idsOf({ sort: 'username', order: 'desc' })).toEqual([longer, exact])
    expect(await idsOf({ emailVerified: 'false' })).toEqual([longer])
    expect(await idsOf({ lastSignInBefore: '1', hasFactor: 'none' })).toEqual([longer, exact])
    expect(await idsOf({ lastSignInAfter: '0' })).toEqual([])
    expect(await idsOf({ provider: 'github' })).toEqual([])
    expect(await idsOf({ roleId: 'admin-role' })).toEqual([])
  })

  it.each(['sort=lastSignInAt', 'order=up', 'hasFactor=sms', 'emailVerified=1', 'lastSignInAfter=yesterday'])(
    'reject %s',
    async (query) => {
      expect(await codeOf(await operator.get(`/users?${query}`))).toEqual([400, 'guard.invalid_input'])
    },
  )
})

describe('a change of several users', () => {
  type Result = { id: string; status: string; error?: { code: string } }
  const change = (body: unknown, by = operator) => by.send('POST', '/users/bulk', body)
  const outcomes = async (response: Response) =>
    (await bodyOf<{ results: Result[] }>(response)).results.map(({ id, error }) => [
      id,
      error?.code ?? 'changed',
    ])
  const newPair = async () => [(await create()).id, (await create()).id] as const

  it('has one result per user, with the audit entry of the change of one user', async () => {
    const [one, other] = await newPair()
    const userIds = [one, 'nobody', other, one]
    const missing = ['nobody', 'entity.not_found']
    const suspension = await change({ operation: 'suspend', userIds })
    expect(await outcomes(suspension)).toEqual([[one, 'changed'], missing, [other, 'changed']])
    const rejected = await app.env.DB.prepare(
      "select payload from logs where payload ->> '$.userId' = 'nobody' and key = 'Management.User.Suspend'",
    ).first<{ payload: string }>()
    expect(JSON.parse(rejected?.payload ?? '')).toMatchObject({
      result: 'Error',
      error: { code: 'entity.not_found' },
    })
    expect(await get(other)).toMatchObject({ isSuspended: true })
    const reinstatement = await change({ operation: 'reinstate', userIds: [one] })
    expect(await outcomes(reinstatement)).toEqual([[one, 'changed']])
    expect(await get(one)).toMatchObject({ isSuspended: false })
    const deletion = await change({ operation: 'delete', userIds })
    expect(await outcomes(deletion)).toEqual([[one, 'changed'], missing, [other, 'changed']])
    expect(await codeOf(await operator.get(`/users/${one}`))).toEqual([404, 'entity.not_found'])
    const rows = await app.env.DB.prepare(
      "select key from logs where payload ->> '$.userId' = ? and key like 'Management.%' order by created_at, rowid",
    )
      .bind(one)
      .all<{ key: string }>()
    expect(rows.results.map(({ key }) => key)).toEqual([
      'Management.User.Create',
      'Management.User.Suspend',
      'Management.User.Reinstate',
      'Management.User.Delete',
    ])
  })

  it('assigns a role, and reports the users who have it', async () => {
    const [one, other] = await newPair()
    const role = await bodyOf<{ id: string }>(
      await operator.send('POST', '/roles', { name: freshName(), description: 'x' }),
    )
    await operator.send('POST', `/users/${other}/roles`, { roleIds: [role.id] })
    const response = await change({ operation: 'assignRole', userIds: [one, other], roleId: role.id })
    expect(await outcomes(response)).toEqual([
      [one, 'changed'],
      [other, 'user.role_exists'],
    ])
    const unknown = await change({ operation: 'assignRole', userIds: [one], roleId: 'no-role' })
    expect(await outcomes(unknown)).toEqual([[one, 'entity.not_exists_with_id']])
    await operator.send('DELETE', `/roles/${role.id}`)
  })

  it('is rejected for users and roles with scopes that the caller lacks', async () => {
    const machine = await newMachine(operator, 'support-role')
    const support = asOperator(app, await machineToken(app, machine, 'users:read users:write'))
    const [owner, other] = await newPair()
    await operator.send('POST', `/users/${owner}/roles`, { roleIds: ['admin-role'] })
    const userIds = [owner, other]
    for (const operation of ['suspend', 'reinstate', 'delete']) {
      const response = await change({ operation, userIds }, support)
      expect(response.headers.get('www-authenticate')).toBeNull()
      const [ofOwner, ofOther] = await outcomes(response)
      expect([ofOwner, ofOther]).toEqual([
        [owner, 'auth.forbidden'],
        [other, 'changed'],
      ])
    }
    const promotion = await change(
      { operation: 'assignRole', userIds: [other], roleId: 'admin-role' },
      support,
    )
    expect(await codeOf(promotion)).toEqual([403, 'auth.forbidden'])
    await operator.send('DELETE', `/users/${owner}`)
  })

  describe('of as many users as one call accepts', () => {
    /** The most statements that the messages sent after one response take (spec/limits#deliveries). */
    const DELIVERY_STATEMENTS = 30 * 10
    let statements = 0
    const counted = openTestApp({
      DB: countedDatabase(env.DB, {
        trip(count) {
          statements += count
        },
      }),
    })
    const newUsers = async (count: number) => {
      const users = Array.from({ length: count }, () => ({ username: freshName() }))
      const imported = await operator.send('POST', '/users/import', { users })
      return (await bodyOf<{ results: { id: string }[] }>(imported)).results.map(({ id }) => id)
    }

    it('stays far below the number of statements that D1 accepts for one request', async () => {
      // Unlike the caller with every scope, this one has its authority over each user checked.
      const machine = await newMachine(operator, 'support-role')
      const support = asOperator(counted, await machineToken(counted, machine, 'users:read users:write'))
      const owner = await newOperator(counted)
      const { id: roleId } = await bodyOf(
        await operator.send('POST', '/roles', { name: freshName(), description: 'x' }),
      )
      const statementsOf = async (operation: string, userIds: readonly string[], by: Operator) => {
        const before = statements
        const body = { operation, userIds, ...(operation === 'assignRole' && { roleId }) }
        for (const [, outcome] of await outcomes(await change(body, by))) expect(outcome).toBe('changed')
        return statements - before
      }
      const ids = await newUsers(3)
      for (const operation of ['suspend', 'reinstate', 'assignRole', 'delete']) {
        const by = operation === 'assignRole' ? owner : support
        const one = await statementsOf(operation, ids.slice(0, 1), by)
        const two = await statementsOf(operation, ids.slice(1), by)
        const most = one + (two - one) * (MAX_USERS_PER_BULK_CALL - 1) + DELIVERY_STATEMENTS
        expect(most, operation).toBeLessThan(850)
      }
      await operator.send('DELETE', `/roles/${roleId}`)
    })

    it('sends the messages to three hooks once, and leaves most of them to the schedule', async () => {
      const receiver = await newReceiver()
      const events = ['User.Suspended']
      for (const retries of [0, 0, 0])
        await operator.send('POST', '/hooks', { events, config: { url: receiver.url, retries } })
      const by = await newOperator(counted)
      const userIds = await newUsers(MAX_USERS_PER_BULK_CALL)
      const before = statements
      expect(await outcomes(await change({ operation: 'suspend', userIds }, by))).toHaveLength(50)
      expect(statements - before).toBeLessThan(600)
      expect(await receiver.received()).toHaveLength(30)
      expect(
        await env.DB.prepare("select count(*) as waiting from outbox where status = 'pending'").first(
          'waiting',
        ),
      ).toBe(120)
      await env.DB.prepare('delete from hooks').run()
    })
  })

  it.each([
    { operation: 'rename', userIds: ['a'] },
    { operation: 'suspend', userIds: [] },
    { operation: 'suspend', userIds: Array.from({ length: 51 }, (_, n) => `u${n}`) },
    { operation: 'assignRole', userIds: ['a'] },
    { operation: 'delete', userIds: ['a'], roleId: 'r' },
  ])('rejects $operation without a valid list of users and role', async (body) => {
    expect(await codeOf(await change(body))).toEqual([400, 'guard.invalid_input'])
  })
})
