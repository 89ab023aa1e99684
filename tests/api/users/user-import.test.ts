import { createHash, pbkdf2Sync, scryptSync } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  openSignInPage,
  PASSWORD,
  signIn,
} from '../../kit/clients/cookie-client.ts'
import { newOperator, type Operator } from '../../kit/clients/management-client.ts'
import { openTestApp, type TestApp } from '../../kit/test-app.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = openTestApp()
  operator = await newOperator(app)
})

type Result = {
  index: number
  status: string
  id?: string
  error?: { code: string; message: string; data?: unknown; details?: string }
}

const send = (users: unknown) => operator.send('POST', '/users/import', { users })

async function importUsers(...users: unknown[]): Promise<Result[]> {
  const response = await send(users)
  expect(response.status).toBe(200)
  return ((await response.json()) as { results: Result[] }).results
}

const get = async (id = '') => {
  const response = await operator.get(`/users/${id}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, unknown> & { customData: unknown }
}

const outcomes = (results: Result[]) => results.map(({ status, error }) => error?.code ?? status)

const freshId = () =>
  crypto
    .getRandomValues(new Uint8Array(12))
    .reduce((id, byte) => id + 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ'[byte % 36], '')
const freshEmail = () => `${freshName()}@example.com`
const freshPhone = () => `49${crypto.getRandomValues(new Uint32Array(1))[0]}`

async function canSignIn(username: string, password = PASSWORD) {
  const client = newCookieClient(app)
  return (
    await signIn(client, await openSignInPage(client, await authorizationRequest()), username, password)
  ).ok
}

const storedPassword = async (id = '') =>
  app.env.DB.prepare(
    `select password_encrypted as encoded, password_encryption_method as method,
      (select changed_at from password_changes where user_id = users.id) as changedAt
    from users where id = ?`,
  )
    .bind(id)
    .first<{ encoded: string; method: string; changedAt: number | null }>()

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replaceAll('=', '')
const salt = crypto.getRandomValues(new Uint8Array(16))

/** Hashes computed by Node.js, or published test vectors for algorithms that Node.js lacks. */
const digests = [
  {
    algorithm: 'Scrypt',
    password: PASSWORD,
    digest: `$scrypt$ln=12,r=8,p=1$${base64(salt)}$${base64(scryptSync(PASSWORD, salt, 64, { N: 4096, r: 8, p: 1 }))}`,
  },
  {
    algorithm: 'PBKDF2',
    password: PASSWORD,
    digest: `$pbkdf2-sha256$i=10000$${base64(salt)}$${base64(pbkdf2Sync(PASSWORD, salt, 10_000, 32, 'sha256'))}`,
  },
  {
    algorithm: 'PBKDF2',
    password: PASSWORD,
    digest: `$pbkdf2-sha512$i=10000$${base64(salt)}$${base64(pbkdf2Sync(PASSWORD, salt, 10_000, 64, 'sha512'))}`,
  },
  ...(['sha256', 'sha512'] as const).map((name) => ({
    algorithm: name.toUpperCase(),
    password: PASSWORD,
    digest: `$${name}$${base64(salt)}$${base64(createHash(name).update(salt).update(PASSWORD).digest())}`,
  })),
  {
    // crypt_blowfish
    algorithm: 'Bcrypt',
    password: 'U*U',
    digest: '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
  },
  {
    algorithm: 'Argon2i',
    password: 'password',
    digest: '$argon2i$v=19$m=256,t=3,p=1$MDEyMzQ1Njc4OWFiY2RlZg$DnLBxxVso2Pk7RB6kubZY3mIe0GEmQQ3+bQ5XwA05BQ',
  },
  {
    algorithm: 'Argon2id',
    password: 'password',
    digest: '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  },
]

describe('an imported user', () => {
  it('has the fields from its entry', async () => {
    const entry = {
      id: freshId(),
      username: freshName(),
      primaryEmail: freshEmail(),
      primaryPhone: freshPhone(),
      name: 'Zoë "the" \\ Miller',
      avatar: 'https://example.com/zoe.png',
      customData: { plan: 'paid', seats: 1.5e21, nested: [{ 'a.b': null, $: 'é\u2028\\u0041' }] },
      identities: {
        github: { userId: freshName(), details: { id: '7', name: 'zoe' } },
        'a "b"': { userId: freshId() },
      },
      emailVerified: false,
      phoneVerified: true,
      termsAgreement: {
        agreedAt: Date.UTC(2019, 1, 3),
        policy: 'Manual',
        termsOfUseUrl: 'https://example.com/terms?of="use"',
        privacyPolicyUrl: null,
      },
      isSuspended: true,
      createdAt: Date.UTC(2019, 1, 2),
      lastSignInAt: Date.UTC(2020, 1, 2),
      profile: { givenName: 'Zoë "the"', address: { formatted: '1 Street\nBerlin' } },
      profileUpdatedAt: Date.UTC(2020, 1, 3),
    }
    expect(await importUsers(entry)).toEqual([{ index: 0, status: 'created', id: entry.id }])
    const { identities, ...rest } = await get(entry.id)
    expect(rest).toEqual({ ...entry, identities: undefined, applicationId: null })
    expect(identities).toEqual(entry.identities)
    // Later changes are validated against the stored value.
    const merged = await operator.send('PATCH', `/users/${entry.id}/custom-data`, { customData: { more: 1 } })
    expect(await merged.json()).toEqual({ ...entry.customData, more: 1 })
    const matches = await operator.get(`/users?search.username=${entry.username}`)
    expect(await matches.json()).toMatchObject([{ id: entry.id }])
  })

  it('can be created from an empty entry or from empty fields', async () => {
    const [none, empty] = await importUsers(
      {},
      { username: '', primaryEmail: '', primaryPhone: null, name: '', avatar: '', lastSignInAt: null },
    )
    expect(none).toEqual({ index: 0, status: 'created', id: expect.stringMatching(/^[\dA-Za-z]{12}$/) })
    expect(await get(empty?.id)).toMatchObject({
      username: null,
      primaryEmail: null,
      name: null,
      customData: {},
      termsAgreement: null,
      createdAt: expect.any(Number),
    })
  })

  it.each(digests)(
    'can sign in with an imported $algorithm hash, which is then replaced',
    async ({ algorithm, password, digest }) => {
      const username = freshName()
      for (const passwordAlgorithm of [undefined, algorithm.toLowerCase()]) {
        const name = `${username}${passwordAlgorithm ?? ''}`
        const [result] = await importUsers({ username: name, passwordDigest: digest, passwordAlgorithm })
        expect(result).toMatchObject({ status: 'created' })
        expect(await storedPassword(result?.id)).toEqual({
          encoded: digest,
          method: algorithm,
          changedAt: null,
        })
        if (passwordAlgorithm) continue

        expect(await canSignIn(name, `${password}!`)).toBe(false)
        expect(await canSignIn(name, password)).toBe(true)
        const rehashed = await storedPassword(result?.id)
        // A stronger hash is not a new password.
        expect(rehashed).toMatchObject({ method: 'Argon2id', changedAt: null })
        expect(rehashed?.encoded).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
        expect(await canSignIn(name, password)).toBe(true)
      }
    },
  )

  it('can sign in with an imported plain-text password, which is hashed on import', async () => {
    const username = freshName()
    const [result] = await importUsers({ username, password: PASSWORD })
    expect((await storedPassword(result?.id))?.encoded).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await canSignIn(username)).toBe(true)
  })

  it('has the roles from its entry', async () => {
    const name = freshName()
    const created = await operator.send('POST', '/roles', { name, description: 'For a test' })
    const { id: roleId } = (await created.json()) as { id: string }
    const [first, second] = await importUsers({ roleNames: [name, name] }, { username: freshName() })
    const roles = async (id = '') => (await operator.get(`/users/${id}/roles`)).json()
    expect(await roles(first?.id)).toMatchObject([{ id: roleId, name }])
    expect(await roles(second?.id)).toEqual([])
  })

  it('is left unchanged if it already exists, so a call can safely be repeated', async () => {
    const users = [
      { id: freshId(), username: freshName(), name: 'Ann' },
      { id: freshId(), primaryEmail: freshEmail() },
    ]
    expect(outcomes(await importUsers(...users))).toEqual(['created', 'created'])
    await operator.send('PATCH', `/users/${users[0]?.id}`, { name: 'Changed' })
    const again = await importUsers(...users, { id: freshId() })
    expect(again.map(({ id, status }) => [id, status])).toEqual([
      [users[0]?.id, 'existing'],
      [users[1]?.id, 'existing'],
      [expect.any(String), 'created'],
    ])
    expect(await get(users[0]?.id)).toMatchObject({ name: 'Changed' })
  })
})

describe('an imported id', () => {
  it('is rejected if it belongs to a different user', async () => {
    const ann = { id: freshId(), primaryEmail: freshEmail() }
    const bob = { id: ann.id, primaryEmail: freshEmail() }
    expect(outcomes(await importUsers(ann, bob))).toEqual(['created', 'entity.id_in_use'])
    expect(outcomes(await importUsers(bob, ann))).toEqual(['entity.id_in_use', 'existing'])
    expect(await get(ann.id)).toMatchObject({ primaryEmail: ann.primaryEmail })
  })
})

describe('an imported administrator', () => {
  const users = () => [{ roleNames: ['#internal:admin'] }, { username: freshName() }]

  it('is not created without the flag withAdministrators', async () => {
    expect(outcomes(await importUsers(...users()))).toEqual(['role.internal_role_violation', 'created'])
  })

  it('is created with the flag withAdministrators', async () => {
    const response = await operator.send('POST', '/users/import', {
      users: users(),
      withAdministrators: true,
    })
    const { results } = (await response.json()) as { results: Result[] }
    expect(outcomes(results)).toEqual(['created', 'created'])
  })
})

describe('an invalid import entry', () => {
  const salt16 = base64(salt)
  const zeros = base64(new Uint8Array(32))

  it.each<{ what: string; entry: unknown; code: string; status?: string }>([
    { what: 'is not an object', entry: 'ann', code: 'guard.invalid_input' },
    { what: 'is null', entry: null, code: 'guard.invalid_input' },
    { what: 'has an unknown key', entry: { emial: 'a@b.c' }, code: 'guard.invalid_input' },
    { what: 'has an invalid username', entry: { username: '1ann' }, code: 'guard.invalid_input' },
    { what: 'has an invalid address', entry: { primaryEmail: 'ann' }, code: 'guard.invalid_input' },
    { what: 'has an invalid phone number', entry: { primaryPhone: '+' }, code: 'guard.invalid_input' },
    { what: 'has an id that is too long', entry: { id: 'a'.repeat(13) }, code: 'guard.invalid_input' },
    { what: 'has the name of a call as its id', entry: { id: 'export' }, code: 'guard.invalid_input' },
    { what: 'has a weak password', entry: { password: 'weak' }, code: 'guard.invalid_input' },
    {
      what: 'has a password and a hash',
      entry: { password: PASSWORD, passwordDigest: 'x' },
      code: 'guard.invalid_input',
    },
    {
      what: 'has a NUL character in its data',
      entry: { customData: { a: '\0' } },
      code: 'guard.invalid_input',
    },
    {
      what: 'has too much custom data',
      entry: { customData: { a: 'x'.repeat(70_000) } },
      code: 'guard.invalid_input',
    },
    { what: 'has a negative time', entry: { createdAt: -1 }, code: 'guard.invalid_input' },
    {
      what: 'has an agreement to terms without its time',
      entry: {
        termsAgreement: { policy: 'Manual', termsOfUseUrl: 'https://example.com', privacyPolicyUrl: null },
      },
      code: 'guard.invalid_input',
    },
    {
      what: 'has an agreement to terms at an invalid URL',
      entry: {
        termsAgreement: {
          agreedAt: 1,
          policy: 'Manual',
          termsOfUseUrl: 'javascript:alert(1)',
          privacyPolicyUrl: null,
        },
      },
      code: 'guard.invalid_input',
    },
    {
      what: 'has an unknown profile field',
      entry: { profile: { given_name: 'Ann' } },
      code: 'guard.invalid_input',
    },
    {
      what: 'has a profile field that is null',
      entry: { profile: { givenName: null } },
      code: 'guard.invalid_input',
    },
    {
      what: 'has an identity without an id',
      entry: { identities: { github: {} } },
      code: 'guard.invalid_input',
    },
    {
      what: 'has a hash in an unknown format',
      entry: { passwordDigest: 'md5$abc' },
      code: 'password.unsupported_encryption_method',
    },
    {
      what: 'names an unknown algorithm',
      entry: { passwordDigest: `$sha256$${salt16}$${zeros}`, passwordAlgorithm: 'MD5' },
      code: 'password.unsupported_encryption_method',
    },
    {
      what: 'names an algorithm that differs from its hash',
      entry: { passwordDigest: `$sha256$${salt16}$${zeros}`, passwordAlgorithm: 'Bcrypt' },
      code: 'password.invalid_digest',
    },
    {
      what: 'has an incomplete hash',
      entry: { passwordDigest: `$sha256$${salt16}$` },
      code: 'password.invalid_digest',
    },
    {
      what: 'has a hash that costs too much',
      entry: { passwordDigest: `$pbkdf2-sha256$i=1200001$${salt16}$${zeros}` },
      code: 'password.invalid_digest',
    },
    { what: 'has an unknown role', entry: { roleNames: ['no such role'] }, code: 'role.unknown_name' },
  ])('is rejected without affecting other entries if it $what', async ({ entry, code }) => {
    const [before, bad, after] = await importUsers({ name: 'A' }, entry, { name: 'B' })
    expect([before?.status, after?.status]).toEqual(['created', 'created'])
    expect(bad).toEqual({
      index: 1,
      status: 'rejected',
      error: expect.objectContaining({ code, message: expect.stringMatching(/\w/) }),
    })
  })

  it('is reported with the reason for its rejection', async () => {
    const [unknown, costly] = await importUsers(
      { emial: 'a@b.c' },
      { passwordDigest: `$pbkdf2-sha256$i=9999999$${salt16}$${zeros}` },
    )
    expect(unknown?.error?.details).toContain('emial')
    expect(costly?.error).toMatchObject({
      data: { problem: 'too costly' },
      message: expect.stringContaining('too costly'),
    })
  })

  it.each([
    { field: 'username', value: freshName, code: 'user.username_already_in_use' },
    { field: 'primaryEmail', value: freshEmail, code: 'user.email_already_in_use' },
    { field: 'primaryPhone', value: freshPhone, code: 'user.phone_already_in_use' },
    {
      field: 'identities',
      value: () => ({ github: { userId: freshName() } }),
      code: 'user.identity_already_in_use',
    },
  ])(
    'is rejected if its $field belongs to another user, whether new or existing',
    async ({ field, value, code }) => {
      const entry = { [field]: value() }
      expect(outcomes(await importUsers(entry, entry, { name: 'Ann' }))).toEqual(['created', code, 'created'])
      expect(outcomes(await importUsers(entry))).toEqual([code])
    },
  )

  it('is rejected if its e-mail address differs from another user’s only in case', async () => {
    const primaryEmail = freshEmail()
    const twice = await importUsers({ primaryEmail }, { primaryEmail: primaryEmail.toUpperCase() })
    expect(outcomes(twice)).toEqual(['created', 'user.email_already_in_use'])
    expect(outcomes(await importUsers({ primaryEmail: primaryEmail.toUpperCase() }))).toEqual([
      'user.email_already_in_use',
    ])
  })

  it('is rejected if the call contains too many plain-text passwords', async () => {
    const results = await importUsers(
      ...Array.from({ length: 22 }, () => ({ id: freshId(), password: PASSWORD })),
      { name: 'No password' },
    )
    expect(outcomes(results)).toEqual([
      ...Array<string>(20).fill('created'),
      'password.too_many_to_hash',
      'password.too_many_to_hash',
      'created',
    ])
    expect(results[20]?.error?.message).toContain('20')
  })
})

describe('concurrent imports', () => {
  it('create each user only once and assign each identifier only once', async () => {
    const same = { id: freshId(), username: freshName() }
    const identities = { github: { userId: freshName() } }
    const username = freshName()
    const calls = await Promise.all(
      Array.from({ length: 8 }, () =>
        importUsers(same, { id: freshId(), username }, { id: freshId(), identities }),
      ),
    )
    for (const [index, code] of [
      'existing',
      'user.username_already_in_use',
      'user.identity_already_in_use',
    ].entries()) {
      const statuses = calls.map((results) => outcomes(results)[index])
      expect(statuses.toSorted()).toEqual(['created', ...Array<string>(7).fill(code)].toSorted())
    }
  })
})

describe('a user import call', () => {
  it.each([
    { what: 'an empty list', users: [] },
    { what: 'more than 200 users', users: Array.from({ length: 201 }, () => ({})) },
    { what: 'an object in place of the list', users: { name: 'Ann' } },
  ])('rejects $what', async ({ users }) => {
    const response = await send(users)
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'guard.invalid_input' }])
  })

  it('imports two hundred users in at most three round trips', async () => {
    const users = Array.from({ length: 200 }, (_, index) => ({
      id: freshId(),
      username: freshName(),
      primaryEmail: `${index}.${freshEmail()}`,
      customData: { index, text: 'ü'.repeat(1000) },
    }))
    app.trips()
    const results = await importUsers(...users)
    expect(app.trips().awaited).toBeLessThanOrEqual(3)
    expect(results.map(({ id }) => id)).toEqual(users.map(({ id }) => id))
    expect(outcomes(results)).toEqual(users.map(() => 'created'))
    expect((await get(users[199]?.id)).customData).toEqual(users[199]?.customData)
  })

  it('accepts a body of at most 1 MiB', async () => {
    const rows = (characters: number) =>
      Array.from({ length: 20 }, () => ({ customData: { text: 'x'.repeat(characters / 20) } }))
    expect((await send(rows(1_000_000))).status).toBe(200)
    const rejected = await send(rows(1_100_000))
    expect([rejected.status, await rejected.json()]).toMatchObject([413, { code: 'guard.invalid_input' }])
  })

  it('accepts numbers whose stored form is longer than their form in the request', async () => {
    const numbers = Array.from({ length: 2900 }, () => 1e20)
    const rows = Array.from(
      { length: 60 },
      () => `{"customData":{"n":[${numbers.map(() => '1e20').join(',')}]}}`,
    )
    const response = await app.fetch('/api/users/import', {
      method: 'POST',
      headers: { authorization: `Bearer ${operator.token}`, 'content-type': 'application/json' },
      body: `{"users":[${rows.join(',')}]}`,
    })
    expect(response.status).toBe(200)
    const { results } = (await response.json()) as { results: Result[] }
    expect(outcomes(results)).toEqual(rows.map(() => 'created'))
    expect((await get(results[59]?.id)).customData).toEqual({ n: numbers })
  })

  it('writes one audit entry with the ids but no values', async () => {
    const [first, second] = await importUsers(
      { name: 'Private Ann', password: PASSWORD },
      { name: 'Private Bob' },
    )
    const { results } = await app.env.DB.prepare(
      "select payload from logs where key = 'Management.User.Create' and payload like ?",
    )
      .bind(`%${first?.id}%`)
      .all<{ payload: string }>()
    expect(results).toHaveLength(1)
    expect(JSON.parse(results[0]?.payload ?? '')).toMatchObject({
      result: 'Success',
      userIds: [first?.id, second?.id],
    })
    expect(JSON.stringify(results)).not.toMatch(/Private|horse/)
  })

  it('updates the user count', async () => {
    const total = async () =>
      ((await (await operator.get('/dashboard/users/total')).json()) as { totalUserCount: number })
        .totalUserCount
    const before = await total()
    await importUsers({}, {}, { username: '1' })
    expect(await total()).toBe(before + 2)
  })
})

describe('a user export', () => {
  type Page = { users: Record<string, unknown>[]; next: string | null }
  const page = async (query: string) => (await (await operator.get(`/users/export?${query}`)).json()) as Page

  it('contains every user once, in pages and without passwords', async () => {
    const exported: Page['users'] = []
    let after = ''
    for (;;) {
      const { users, next } = await page(`limit=50&after=${after}`)
      expect(users.length).toBeLessThanOrEqual(50)
      exported.push(...users)
      if (next === null) break
      after = next
    }
    const { n } = (await app.env.DB.prepare('select count(*) as n from users').first<{ n: number }>()) ?? {
      n: 0,
    }
    expect(exported).toHaveLength(n)
    expect(new Set(exported.map(({ id }) => id)).size).toBe(n)
    expect(JSON.stringify(exported)).not.toMatch(/"password|\$argon2|\$2a\$|tenantId/)
  })

  it('can be imported again without changing anything', async () => {
    const role = freshName()
    await operator.send('POST', '/roles', { name: role, description: 'For a test' })
    const user = {
      id: freshId(),
      username: freshName(),
      customData: { a: [1] },
      identities: { github: { userId: freshName(), details: { id: '1', email: 'a@b.c' } } },
      termsAgreement: {
        agreedAt: 4,
        policy: 'Automatic',
        termsOfUseUrl: null,
        privacyPolicyUrl: 'https://example.com/privacy',
      },
      isSuspended: true,
      createdAt: 5,
      profile: { birthdate: '1990', address: { country: 'DE' } },
      profileUpdatedAt: 6,
      roleNames: [role],
    }
    await importUsers(user)
    const before = await app.env.DB.prepare('select max(id) as id from users where id < ?')
      .bind(user.id)
      .first('id')
    const { users } = await page(`limit=1&after=${before ?? ''}`)
    expect(users).toEqual([user])
    // Delete the row directly, because the API never reassigns the id of a deleted user.
    await app.env.DB.prepare('delete from users where id = ?').bind(user.id).run()
    expect(await importUsers(...users)).toEqual([{ index: 0, status: 'created', id: user.id }])
    expect((await page(`limit=1&after=${before ?? ''}`)).users).toEqual([user])
  })

  it('continues after a page with fewer users than the limit', async () => {
    const text = 'x'.repeat(60_000)
    const ids = Array.from({ length: 80 }, (_, n) => `zzzzzz${n + 10}`)
    for (let n = 0; n < ids.length; n += 16)
      await importUsers(...ids.slice(n, n + 16).map((id) => ({ id, customData: { text } })))
    const first = await page('limit=500&after=zzzzzz')
    expect(first.users.length).toBeLessThan(ids.length)
    expect(first.next).toBe(first.users.at(-1)?.id)
    const second = await page(`limit=500&after=${first.next}`)
    expect([...first.users, ...second.users].map(({ id }) => id)).toEqual(ids)
    expect(second.next).toBeNull()
  })

  it('ends after the last user', async () => {
    expect(await page('after=zzzzzzzzzzzz')).toEqual({ users: [], next: null })
  })

  it.each(['limit=0', 'limit=501', 'limit=x', 'limit=1.5'])(
    'cannot be requested with the query %s',
    async (query) => {
      const response = await operator.get(`/users/export?${query}`)
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'guard.invalid_input' }])
    },
  )
})
