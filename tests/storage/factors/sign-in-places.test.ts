import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../../src/contract/time.ts'
import type { SignInPlace } from '../../../src/domain/factors/sign-in-place.ts'
import { KNOWN_COUNTRY_PERIOD, MAX_COUNTRIES } from '../../../src/domain/factors/sign-in-risk.ts'
import { runInOneBatch } from '../../../src/storage/batches.ts'
import { ALWAYS_TRUE, type Condition } from '../../../src/storage/conditions.ts'
import type { Database } from '../../../src/storage/database.ts'
import { deleteExpired } from '../../../src/storage/expired.ts'
import {
  applicationPolicyQuery,
  rolePoliciesQuery,
} from '../../../src/storage/factors/second-factor-policies.ts'
import { historiesQuery, placeStatements } from '../../../src/storage/factors/sign-in-places.ts'
import {
  addressChanges,
  backupCodes,
  roles,
  signInPlaces,
  totpFactors,
  trustedBrowsers,
  users,
  usersRoles,
} from '../../../src/storage/tables.ts'
import { deleteSomeRows } from '../../../src/storage/tenants/tenant-deletion.ts'
import { removeUser, userExists } from '../../../src/storage/users/users.ts'
import { newApplication, newTenant, newUser, TEST_NOW, testDatabases } from '../databases.ts'

const berlin: SignInPlace = { country: 'DE', coordinates: { latitude: 52.5, longitude: 13.4 } }
const somewhere: SignInPlace = { country: null, coordinates: null }

type Owner = { tenantId: string; userId: string }

async function newOwner(db: Database): Promise<Owner> {
  const tenantId = await newTenant(db)
  const { id: userId } = await newUser(db, tenantId, { username: 'ann' })
  return { tenantId, userId }
}

const noAges = { totp: null, backupCode: null, passkeys: [], phone: null, email: null }

const keyOf = ({ userId }: Owner, browserId: string | null = null) => ({
  lookups: [
    { by: 'id' as const, value: userId },
    { by: 'username' as const, value: 'bob' },
  ],
  browserId,
})

describe.each(testDatabases)('sign-in places on $name', ({ db }) => {
  const record = (
    owner: Owner,
    place: SignInPlace | null,
    now = TEST_NOW,
    condition: Condition = ALWAYS_TRUE,
  ) => runInOneBatch(db, placeStatements(db, owner, condition, { place, now }))
  const rows = ({ tenantId }: Owner) =>
    db
      .select({ country: signInPlaces.country, at: signInPlaces.signedInAt })
      .from(signInPlaces)
      .where(eq(signInPlaces.tenantId, tenantId))
      .orderBy(signInPlaces.signedInAt)
  const historyOf = async (owner: Owner) =>
    (await historiesQuery(db, owner.tenantId, keyOf(owner))).flatMap(({ histories }) => histories)

  it('contain the last sign-in from each country', async () => {
    const owner = await newOwner(db)
    const nothing = { userId: owner.userId, knowsBrowser: false, added: noAges, places: [] }
    expect(await historyOf(owner)).toEqual([nothing])
    await record(owner, berlin)
    await record(owner, { country: 'FR', coordinates: null }, TEST_NOW + 1)
    await record(owner, somewhere, TEST_NOW + 2)
    const here = { latitude: -48.1, longitude: 0 }
    await record(owner, { ...berlin, coordinates: here }, TEST_NOW + 3)
    // The later of two concurrent sign-ins is stored, whichever the database executes last.
    await record(owner, berlin, TEST_NOW + 2)
    await record(owner, null, TEST_NOW + 9)
    const [{ places = [] } = {}] = await historyOf(owner)
    expect(places.toSorted((a, b) => a.at - b.at)).toEqual([
      { country: 'FR', coordinates: null, at: TEST_NOW + 1 },
      { ...somewhere, at: TEST_NOW + 2 },
      { country: 'DE', coordinates: here, at: TEST_NOW + 3 },
    ])
  })

  it('keep their coordinates for a day after sign-ins without coordinates', async () => {
    const owner = await newOwner(db)
    const nearby: SignInPlace = { country: 'DE', coordinates: null }
    const placesOf = async () => (await historyOf(owner)).flatMap(({ places }) => places)
    await record(owner, berlin)
    await record(owner, nearby, TEST_NOW + DAY)
    expect(await placesOf()).toEqual([{ ...berlin, at: TEST_NOW }])
    await record(owner, nearby, TEST_NOW + DAY + 1)
    expect(await placesOf()).toEqual([{ ...nearby, at: TEST_NOW + DAY + 1 }])
    await record(owner, nearby, TEST_NOW + DAY + 2)
    await record(owner, berlin, TEST_NOW + DAY + 3)
    expect(await placesOf()).toEqual([{ ...berlin, at: TEST_NOW + DAY + 3 }])
  })

  it('report whether the browser was used well before or after the last reset', async () => {
    const owner = await newOwner(db)
    const isOwn = and(eq(trustedBrowsers.tenantId, owner.tenantId), eq(trustedBrowsers.browserId, 'b'))
    await db.update(users).set({ revokedAt: TEST_NOW }).where(eq(users.id, owner.userId))
    const row = { ...owner, browserId: 'b', id: 'row', userAgent: null }
    const seen = { createdAt: TEST_NOW - 72 * HOUR, lastSeenAt: TEST_NOW }
    await db.insert(trustedBrowsers).values({ ...row, ...seen })
    const knows = async () => {
      const rows = await historiesQuery(db, owner.tenantId, keyOf(owner, 'b'))
      return rows.flatMap(({ histories }) => histories.map(({ knowsBrowser }) => knowsBrowser))
    }
    expect(await knows()).toEqual([false])
    await db
      .update(trustedBrowsers)
      .set({ createdAt: seen.createdAt - 1 })
      .where(isOwn)
    expect(await knows()).toEqual([true])
    await db
      .update(trustedBrowsers)
      .set({ ...seen, lastSeenAt: TEST_NOW + 1 })
      .where(isOwn)
    expect(await knows()).toEqual([true])
    await db.update(users).set({ revokedAt: null }).where(eq(users.id, owner.userId))
    await db.update(trustedBrowsers).set(seen).where(isOwn)
    expect(await knows()).toEqual([true])
  })

  it('are limited in number and age, but always include the last sign-in', async () => {
    const owner = await newOwner(db)
    const letters = [...'ABCDEFGHIJKL']
    for (const [index, letter] of letters.entries())
      await record(owner, { country: `A${letter}`, coordinates: null }, TEST_NOW + index)
    expect((await rows(owner)).map(({ country }) => country)).toEqual(
      letters.slice(-MAX_COUNTRIES).map((letter) => `A${letter}`),
    )
    const later = TEST_NOW + KNOWN_COUNTRY_PERIOD + 9
    // A sign-in that is rejected in the meantime does not replace the last place.
    await record(owner, berlin, later + DAY, userExists(owner.tenantId, 'nobody'))
    expect(await rows(owner)).toEqual([{ country: 'AL', at: TEST_NOW + 11 }])
    await record(owner, berlin, later + DAY)
    expect(await rows(owner)).toEqual([{ country: 'DE', at: later + DAY }])
  })

  it('never include another user’s places, even if the usernames are the same', async () => {
    const [owner, stranger] = [await newOwner(db), await newOwner(db)]
    const { id } = await newUser(db, owner.tenantId, { username: 'bob' })
    await newUser(db, stranger.tenantId, { username: 'bob' })
    await record(owner, berlin)
    await record({ ...stranger, userId: 'nobody' }, berlin)
    const histories = await historyOf(owner)
    expect(new Map(histories.map(({ userId, places }) => [userId, places.length]))).toEqual(
      new Map([
        [owner.userId, 1],
        [id, 0],
      ]),
    )
    expect(await rows(stranger)).toEqual([])
  })

  it('are returned with an application’s or a role’s adaptive policy, but with no other policy', async () => {
    const owner = await newOwner(db)
    const { tenantId, userId } = owner
    await record(owner, berlin)
    await db.insert(trustedBrowsers).values({
      ...owner,
      browserId: 'b',
      id: 'row',
      userAgent: null,
      createdAt: 1,
      lastSeenAt: 1,
    })
    for (const policy of ['adaptive', 'required'] as const) {
      await newApplication(db, tenantId, { id: policy, secondFactorPolicy: policy })
      await db
        .insert(roles)
        .values({ tenantId, id: policy, name: policy, description: '', secondFactorPolicy: policy })
      await db.insert(usersRoles).values({ tenantId, id: policy, userId, roleId: policy })
    }
    await db
      .insert(totpFactors)
      .values({ ...owner, secret: 's', lastStep: null, createdAt: 7, lastUsedAt: null })
    await db.insert(backupCodes).values({ ...owner, digest: 'd', createdAt: 8 })
    const change = { ...owner, previous: 'p' }
    await db.insert(addressChanges).values([
      { ...change, id: 'undo-1', type: 'email', createdAt: 9 },
      { ...change, id: 'undo-2', type: 'phone', createdAt: 10 },
      // This change was undone, so the account has its previous address again.
      { ...change, id: 'undo-3', type: 'phone', createdAt: 11, closedBy: 'x' },
    ])
    const added = { totp: 7, backupCode: 8, passkeys: [], phone: 10, email: 9 }
    const history = { userId, knowsBrowser: true, added, places: [{ ...berlin, at: TEST_NOW }] }
    const key = keyOf(owner, 'b')
    const histories = async (id: string) =>
      (await applicationPolicyQuery(db, tenantId, id, key)).map((row) => row.histories)
    expect(await histories('adaptive')).toEqual([[history]])
    expect(await histories('required')).toEqual([null])
    const ofRoles = await rolePoliciesQuery(db, tenantId, key.lookups, key)
    expect(new Map(ofRoles.map((row) => [row.policy, row.histories]))).toEqual(
      new Map([
        ['adaptive', [history]],
        ['required', null],
      ]),
    )
    // Calls that do not decide whether a sign-in succeeds do not read sign-in histories.
    expect(await rolePoliciesQuery(db, tenantId, key.lookups)).toMatchObject([
      { histories: null },
      { histories: null },
    ])
    const [other] = await historiesQuery(db, tenantId, keyOf(owner, 'another'))
    expect(other?.histories[0]?.knowsBrowser).toBe(false)
  })

  it('are deleted with their user, with their tenant, and 400 days after the last sign-in', async () => {
    const [removed, deleted] = [await newOwner(db), await newOwner(db)]
    await record(removed, berlin)
    await removeUser(db, removed.tenantId, removed.userId)
    await record(deleted, berlin)
    await deleteSomeRows(db, deleted.tenantId)
    expect([await rows(removed), await rows(deleted)]).toEqual([[], []])

    // The sweep covers all tenants, so these rows are years older than the rows of any other test.
    const now = Date.UTC(1951, 0, 1)
    const swept = await newOwner(db)
    await record(swept, { country: 'FR', coordinates: null }, now - 400 * DAY)
    await record(swept, somewhere, now - 400 * DAY - 1)
    await deleteExpired(db, now, 10)
    expect(await rows(swept)).toEqual([{ country: 'FR', at: now - 400 * DAY }])
  })
})
