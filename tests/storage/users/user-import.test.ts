import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { USER_ID_LENGTH } from '../../../src/contract/ids.ts'
import type { ImportCandidate } from '../../../src/domain/users/user-import.ts'
import { runInOneBatch } from '../../../src/storage/batches.ts'
import type { Database } from '../../../src/storage/database.ts'
import { randomId } from '../../../src/storage/ids.ts'
import {
  configs,
  logs,
  passkeys,
  roles,
  totpFactors,
  userIdentities,
  users,
  usersRoles,
} from '../../../src/storage/tables.ts'
import { readTakenIdentifiers } from '../../../src/storage/users/duplicate-identifiers.ts'
import { exportQuery } from '../../../src/storage/users/user-export.ts'
import { type ImportedRow, insertImportedUsers } from '../../../src/storage/users/user-import.ts'
import { newImportedRow, newTenant, newUser, TEST_NOW, testDatabases } from '../databases.ts'

const newRow = (row: Partial<ImportedRow> = {}): ImportedRow =>
  newImportedRow({ id: randomId(USER_ID_LENGTH), ...row })

const passkeyOf = (credentialId: string): ImportedRow['passkeys'][number] => ({
  credentialId,
  publicKey: 'key',
  counter: 7,
  transports: ['usb'],
  aaguid: 'model',
  name: null,
  rpId: 'id.example.com',
  isBackupEligible: false,
  isBackedUp: true,
  createdAt: 5,
  lastUsedAt: 6,
  isSecondFactor: false,
  provenance: 'imported',
})

const setDomain = (db: Database, tenantId: string, rpId: string) =>
  db
    .insert(configs)
    .values({ tenantId, key: 'settings', value: { passkeys: { rpId } } })
    .onConflictDoUpdate({ target: [configs.tenantId, configs.key], set: { value: { passkeys: { rpId } } } })

async function insert(db: Database, tenantId: string, rows: ImportedRow[]): Promise<string[]> {
  const { users: inserted } = await runInOneBatch(
    db,
    insertImportedUsers(db, tenantId, { imported: rows, now: TEST_NOW }),
  )
  return inserted.map(({ id }) => id)
}

async function newRole(db: Database, tenantId: string) {
  const id = randomId()
  await db.insert(roles).values({ tenantId, id, name: id, description: 'For a test' })
  return id
}

describe.each(testDatabases)('an import on $name', ({ db }) => {
  it('skips only users whose identifiers are taken', async () => {
    const tenantId = await newTenant(db)
    const existing = await newUser(db, tenantId, {
      username: 'ann',
      primaryEmail: 'Ann@example.com',
      primaryPhone: '491',
      identities: { github: { userId: '7' } },
    })
    const free = [newRow({ username: 'anne' }), newRow({ identities: { github: { userId: '8' } } }), newRow()]
    const inserted = await insert(db, tenantId, [
      newRow({ id: existing.id, name: 'Another' }),
      newRow({ username: 'ann' }),
      newRow({ username: 'ANN' }),
      newRow({ primaryEmail: 'ann@EXAMPLE.com' }),
      newRow({ primaryPhone: '491' }),
      newRow({ identities: { google: { userId: '1' }, github: { userId: '7' } } }),
      ...free,
    ])
    expect(inserted.toSorted()).toEqual(free.map(({ id }) => id).toSorted())
    const linked = await db.select().from(userIdentities).where(eq(userIdentities.tenantId, tenantId))
    expect(linked.map(({ userId }) => userId).toSorted()).toEqual([existing.id, free[1]?.id].toSorted())
  })

  it('stores values unchanged', async () => {
    const tenantId = await newTenant(db)
    const row = newRow({
      username: "o'neil",
      name: '"\\ \u2028 😀 %_?',
      passwordEncrypted: '$2b$12$x',
      passwordEncryptionMethod: 'Bcrypt',
      customData: { 'a.b': [1.5, null, true, '\u0001'], n: 9007199254740991 },
      identities: { 'a"b.c': { userId: '1', details: { id: '1', name: 'ä' } } },
      isSuspended: true,
      lastSignInAt: 0,
    })
    await insert(db, tenantId, [row])
    const { roleIds: _roleIds, totp: _totp, passkeys: _passkeys, ...expected } = row
    const [stored] = await db.select().from(users).where(eq(users.tenantId, tenantId))
    expect(stored).toMatchObject(expected)
  })

  it('assigns roles only to the users that it inserted', async () => {
    const tenantId = await newTenant(db)
    const roleIds = [await newRole(db, tenantId), await newRole(db, tenantId)]
    const existing = await newUser(db, tenantId, { createdAt: TEST_NOW - 1 })
    const fresh = newRow({ roleIds })
    await insert(db, tenantId, [fresh, newRow({ id: existing.id, roleIds }), newRow({ roleIds: ['gone'] })])
    const links = await db.select().from(usersRoles).where(eq(usersRoles.tenantId, tenantId))
    expect(links.map(({ userId, roleId }) => [userId, roleId]).toSorted()).toEqual(
      roleIds.map((roleId) => [fresh.id, roleId]).toSorted(),
    )
  })

  it('adds factors only to the users that it inserted', async () => {
    const tenantId = await newTenant(db)
    await setDomain(db, tenantId, 'id.example.com')
    const existing = await newUser(db, tenantId)
    const row = newRow({ totp: 'sealed', passkeys: [passkeyOf('one'), passkeyOf('two')] })
    const other = newRow({ id: existing.id, createdAt: 1, totp: 'not his', passkeys: [passkeyOf('three')] })
    expect(await insert(db, tenantId, [row, other, newRow()])).toHaveLength(2)
    const stored = await db.select().from(passkeys).where(eq(passkeys.tenantId, tenantId))
    expect(stored.toSorted((a, b) => a.credentialId.localeCompare(b.credentialId))).toEqual(
      row.passkeys.map((passkey) => ({ ...passkey, tenantId, userId: row.id })),
    )
    expect(await db.select().from(totpFactors).where(eq(totpFactors.tenantId, tenantId))).toEqual([
      { tenantId, userId: row.id, secret: 'sealed', lastStep: null, createdAt: TEST_NOW, lastUsedAt: null },
    ])
  })

  it('skips users whose passkeys were taken meanwhile or belong to a previous domain', async () => {
    const tenantId = await newTenant(db)
    await setDomain(db, tenantId, 'id.example.com')
    const row = (credentialId: string) => newRow({ passkeys: [passkeyOf(credentialId)] })
    const [first, second] = [row('one'), row('one')]
    expect(await insert(db, tenantId, [first])).toEqual([first.id])
    expect(await insert(db, tenantId, [second])).toEqual([])
    await setDomain(db, tenantId, 'other.example.com')
    expect(await insert(db, tenantId, [row('two')])).toEqual([])
  })

  it('can be exported, in shorter pages if users have many passkeys', async () => {
    const tenantId = await newTenant(db)
    await setDomain(db, tenantId, 'id.example.com')
    const many = (user: number) =>
      Array.from({ length: 20 }, (_, n) => ({ ...passkeyOf(`${user}-${n}`), publicKey: 'k'.repeat(4_000) }))
    const rows = Array.from({ length: 45 }, (_, user) =>
      newRow({ id: `k${user + 10}`, passkeys: many(user) }),
    )
    await insert(db, tenantId, rows)
    const page = await exportQuery(db, tenantId, { after: '', limit: 500, withTotpSecrets: true })
    expect(page.length).toBeGreaterThan(30)
    expect(page.length).toBeLessThan(45)
    expect(JSON.stringify(page).length).toBeLessThan(4_000_000)
    expect(page[0]?.passkeys).toHaveLength(20)
  })

  it('[ASVS-10.3.3] revokes tokens that were issued to an earlier user with the same id', async () => {
    const [tenantId, other] = [await newTenant(db), await newTenant(db)]
    const [known, unknown] = [newRow(), newRow()]
    const payload = { key: 'ExchangeTokenBy.AuthorizationCode', result: 'Success' as const, userId: known.id }
    const log = { id: randomId(), key: payload.key, payload, createdAt: TEST_NOW - 1 }
    await db.insert(logs).values([
      { ...log, tenantId },
      { ...log, tenantId: other, payload: { ...payload, userId: unknown.id } },
    ])
    await insert(db, tenantId, [known, unknown])
    const stored = await db.select().from(users).where(eq(users.tenantId, tenantId))
    expect(Object.fromEntries(stored.map(({ id, revokedAt }) => [id, revokedAt]))).toEqual({
      [known.id]: TEST_NOW,
      [unknown.id]: null,
    })
  })

  it('is split into several statements if it does not fit into one', async () => {
    const tenantId = await newTenant(db)
    const rows = Array.from({ length: 60 }, () => newRow({ customData: { text: 'x'.repeat(60_000) } }))
    expect(insertImportedUsers(db, tenantId, { imported: rows, now: TEST_NOW }).users.length).toBeGreaterThan(
      1,
    )
    expect(await insert(db, tenantId, rows)).toHaveLength(60)
  })

  it('finds only its own tenant’s taken identifiers', async () => {
    const [tenantId, other] = [await newTenant(db), await newTenant(db)]
    const ann = { username: 'ann', primaryEmail: 'Ann@example.com', primaryPhone: '491' }
    const identities = { github: { userId: '7' } }
    const { id } = await newUser(db, tenantId, { ...ann, identities })
    const roleId = await newRole(db, tenantId)
    const candidate: ImportCandidate = {
      id,
      username: 'ann',
      email: 'ANN@example.com',
      phone: '491',
      identities: { github: '7', google: '7' },
      roleNames: [roleId, 'no such role'],
      needsHash: false,
      passkeys: ['free', 'held'],
    }
    await db.insert(passkeys).values({ ...passkeyOf('held'), tenantId, userId: id })
    expect(await readTakenIdentifiers(db, tenantId, [candidate])).toEqual({
      taken: {
        users: [{ id, username: 'ann', email: 'Ann@example.com', phone: '491', identities: { github: '7' } }],
        usernames: ['ann'],
        emails: ['ann@example.com'],
        phones: ['491'],
        identities: [{ target: 'github', identityId: '7' }],
        passkeys: ['held'],
        erasedIds: [],
      },
      roleIds: new Map([[roleId, roleId]]),
    })
    expect(await readTakenIdentifiers(db, other, [candidate])).toEqual({
      taken: {
        users: [],
        usernames: [],
        emails: [],
        phones: [],
        identities: [],
        passkeys: [],
        erasedIds: [],
      },
      roleIds: new Map(),
    })
    await insert(db, other, [newRow({ id, ...ann, identities })])
    const [copy] = await db
      .select()
      .from(users)
      .where(and(eq(users.tenantId, other), eq(users.id, id)))
    expect(copy?.username).toBe('ann')
  })

  it('can be exported, in shorter pages if users have a lot of data, without missing a user', async () => {
    const tenantId = await newTenant(db)
    const text = 'x'.repeat(60_000)
    const many = Array.from({ length: 80 }, (_, n) => newRow({ id: `m${n + 10}`, customData: { text } }))
    await insert(db, tenantId, many)
    const exportedIds: string[] = []
    for (let after = '', pages = 0; ; pages++) {
      const page = await exportQuery(db, tenantId, { after, limit: 500, withTotpSecrets: false })
      expect(JSON.stringify(page).length).toBeLessThan(5_000_000)
      exportedIds.push(...page.map(({ id }) => id))
      const end = page.at(-1)
      if (!end || end.id === end.last) {
        expect(pages).toBe(1)
        break
      }
      after = end.id
    }
    expect(exportedIds).toEqual(many.map(({ id }) => id))
  })

  it('can be exported in order of ids', async () => {
    const tenantId = await newTenant(db)
    const roleId = await newRole(db, tenantId)
    await insert(db, tenantId, [
      newRow({ id: 'c' }),
      newRow({ id: 'a', roleIds: [roleId] }),
      newRow({ id: 'B' }),
    ])
    const page = await exportQuery(db, tenantId, { after: '', limit: 2, withTotpSecrets: true })
    expect(page.map(({ id, roleNames }) => [id, roleNames])).toEqual([
      ['B', []],
      ['a', [roleId]],
    ])
    expect(
      (await exportQuery(db, tenantId, { after: 'a', limit: 2, withTotpSecrets: true })).map(({ id }) => id),
    ).toEqual(['c'])
  })
})
