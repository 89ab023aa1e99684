import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { USER_ID_LENGTH } from '../../src/contract/ids.ts'
import { readTogether } from '../../src/storage/batches.ts'
import { commitChange, notAudited } from '../../src/storage/commit.ts'
import { ALWAYS_TRUE, allOf } from '../../src/storage/conditions.ts'
import type { Database } from '../../src/storage/database.ts'
import { entityVersions } from '../../src/storage/entity-versions.ts'
import { insertHook } from '../../src/storage/hooks/hooks.ts'
import { randomId } from '../../src/storage/ids.ts'
import { createVersionPrecondition, type Precondition } from '../../src/storage/preconditions.ts'
import { matchesOtherSessions } from '../../src/storage/sessions/sessions.ts'
import { configs, logs, oidcModelInstances as models, outbox, users } from '../../src/storage/tables.ts'
import { insertUserIf, updateUserIf } from '../../src/storage/users/user-changes.ts'
import { removeUser, userExists } from '../../src/storage/users/users.ts'
import { newApplication, newTenant, newUser, TEST_NOW, testDatabases } from './databases.ts'

const entry = (key = 'Management.User.Delete') => ({
  key,
  payload: { key, result: 'Success' as const },
  createdAt: TEST_NOW,
})
const occasion = {
  event: 'PostRegister',
  interactionEvent: 'Register',
  sessionId: 'uid',
  userAgent: undefined,
  applicationId: 'shop',
  now: TEST_NOW,
} as const

const auditKeys = async (db: Database, tenantId: string) =>
  (await db.select({ key: logs.key }).from(logs).where(eq(logs.tenantId, tenantId))).map(({ key }) => key)
const waiting = (db: Database, tenantId: string) =>
  db.select().from(outbox).where(eq(outbox.tenantId, tenantId))
const config = (db: Database, tenantId: string, key: string) =>
  db.insert(configs).values({ tenantId, key, value: {} }).returning({ key: configs.key })

describe.each(testDatabases)('a change on $name', ({ db }) => {
  /** Signs a user in to an application that is notified when a session ends. */
  async function signedIn(tenantId: string, userId: string, ...sessions: string[]) {
    await newApplication(db, tenantId, {
      customClientMetadata: {
        backchannelLogoutUri: 'https://shop.example/logout',
        backchannelLogoutSessionRequired: true,
      },
    })
    await db.insert(models).values(
      sessions.map((uid) => ({
        tenantId,
        modelName: 'Session',
        id: randomId(),
        payload: { uid, accountId: userId, loginTs: 1, authorizations: { shop: { sid: `sid-${uid}` } } },
        expiresAt: TEST_NOW + 60_000,
      })),
    )
  }

  const logouts = (userId: string) => ({ userId, issuer: 'https://a.example/oidc', now: TEST_NOW })

  it('is applied only if the entity still has the version that the caller read', async () => {
    const tenantId = await newTenant(db)
    const user = await newUser(db, tenantId)
    const change = (preconditions: readonly Precondition[], name: string) =>
      commitChange(db, {
        tenantId,
        preconditions,
        audit: entry(name),
        statements: {
          before: config(db, tenantId, name),
          changed: updateUserIf(db, tenantId, ALWAYS_TRUE, user.id, { name }),
        },
      })
    const version = entityVersions.User(tenantId, user.id)
    const unchanged = [await createVersionPrecondition(db, version)]
    await change(unchanged, 'first')
    await expect(change(unchanged, 'second')).rejects.toMatchObject({
      refusal: { code: 'request.precondition_failed' },
    })
    expect(await auditKeys(db, tenantId)).toEqual(['first'])
  })

  it('returns the rows of each statement by name, and combines the rows of a list of statements', async () => {
    const tenantId = await newTenant(db)
    const { first, several, none, absent, read, outboxIds } = await commitChange(db, {
      tenantId,
      audit: entry(),
      statements: {
        first: config(db, tenantId, 'a'),
        several: [config(db, tenantId, 'b'), config(db, tenantId, 'c')],
        none: [] as ReturnType<typeof config>[],
        absent: undefined,
        read: db.select({ key: configs.key }).from(configs).where(eq(configs.tenantId, tenantId)),
      },
    })
    expect(first).toEqual([{ key: 'a' }])
    expect(several.map(({ key }) => key)).toEqual(['b', 'c'])
    expect([none, absent]).toEqual([[], []])
    expect(read.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
    expect(outboxIds).toEqual([])
    expect(await auditKeys(db, tenantId)).toEqual(['Management.User.Delete'])
  })

  it('writes audit entries and logout events before it deletes the rows that they read', async () => {
    const tenantId = await newTenant(db)
    const { id } = await newUser(db, tenantId)
    await signedIn(tenantId, id, 'here', 'there')

    const remove = () =>
      commitChange(db, {
        tenantId,
        condition: userExists(tenantId, id),
        audit: [entry(), entry('Management.User.Update')],
        outbox: { logouts: logouts(id) },
        statements: { deleted: removeUser(db, tenantId, id) },
      })
    const { deleted, outboxIds } = await remove()
    expect(deleted).toHaveLength(1)
    expect((await auditKeys(db, tenantId)).toSorted()).toEqual([
      'Management.User.Delete',
      'Management.User.Update',
    ])
    expect((await waiting(db, tenantId)).map((row) => row.id).toSorted()).toEqual(outboxIds.toSorted())
    expect(outboxIds).toHaveLength(2)

    expect(await remove()).toEqual({ deleted: [], outboxIds: [] })
    expect(await auditKeys(db, tenantId)).toHaveLength(2)
  })

  it('writes hook events after the statements, with the changed user', async () => {
    const tenantId = await newTenant(db)
    await insertHook(db, {
      tenantId,
      id: 'hook',
      events: ['PostRegister'],
      config: { url: 'https://a.example', retries: 0 },
      secret: 's',
      createdAt: TEST_NOW,
    })
    const user = { id: randomId(USER_ID_LENGTH), username: 'ann', createdAt: TEST_NOW }
    const { outboxIds } = await commitChange(db, {
      tenantId,
      audit: entry('Interaction.Register.Submit'),
      outbox: { hooks: [{ ...occasion, userId: user.id }] },
      statements: { created: insertUserIf(db, tenantId, ALWAYS_TRUE, user) },
    })
    const [event] = await waiting(db, tenantId)
    expect([event?.id]).toEqual(outboxIds)
    expect(event?.payload).toMatchObject({ userId: user.id, user: { username: 'ann' } })
  })

  it('writes no audit entries or events if the condition does not hold', async () => {
    const tenantId = await newTenant(db)
    const { id } = await newUser(db, tenantId)
    await signedIn(tenantId, id, 'here')
    const condition = allOf(userExists(tenantId, id), sql`1 = 2`)
    const { changed, outboxIds } = await commitChange(db, {
      tenantId,
      condition,
      audit: entry(),
      outbox: {
        logouts: logouts(id),
        hooks: [{ ...occasion, userId: id }],
        hooksBefore: [{ ...occasion, userId: id }],
      },
      statements: { changed: updateUserIf(db, tenantId, condition, id, { name: 'Ann' }) },
    })
    expect([changed, outboxIds]).toEqual([[], []])
    expect(await auditKeys(db, tenantId)).toEqual([])
    expect(await waiting(db, tenantId)).toEqual([])
  })

  it('writes logout events only for the selected sessions', async () => {
    const tenantId = await newTenant(db)
    const { id } = await newUser(db, tenantId)
    await signedIn(tenantId, id, 'here', 'there')
    await commitChange(db, {
      tenantId,
      audit: entry(),
      outbox: { logouts: { ...logouts(id), sessions: matchesOtherSessions('here') } },
      statements: {},
    })
    expect((await waiting(db, tenantId)).map(({ payload }) => payload)).toEqual([
      { sub: id, sid: 'sid-there', issuer: 'https://a.example/oidc' },
    ])
  })

  it('writes nothing if one statement fails', async () => {
    const tenantId = await newTenant(db)
    const twice = [config(db, tenantId, 'a'), config(db, tenantId, 'a')]
    await expect(commitChange(db, { tenantId, audit: entry(), statements: { twice } })).rejects.toThrow()
    expect(await auditKeys(db, tenantId)).toEqual([])
    expect(await db.select().from(configs).where(eq(configs.tenantId, tenantId))).toEqual([])
  })

  it('does not compile without an audit entry or a reason for omitting it', async () => {
    const tenantId = await newTenant(db)
    const statements = { stored: config(db, tenantId, 'a') }
    // @ts-expect-error: `audit` is missing.
    const forgotten = () => commitChange(db, { tenantId, statements })
    // @ts-expect-error: There is no audit entry.
    const empty = () => commitChange(db, { tenantId, statements, audit: [] })
    expect([forgotten, empty]).toHaveLength(2)
    const { stored } = await commitChange(db, { tenantId, statements, audit: notAudited('a test') })
    expect(stored).toEqual([{ key: 'a' }])
    expect(await auditKeys(db, tenantId)).toEqual([])
  })

  it('can read several queries by name in one round trip', async () => {
    const tenantId = await newTenant(db)
    const { id } = await newUser(db, tenantId)
    const rows = await readTogether(db, {
      users: db.select({ id: users.id }).from(users).where(eq(users.tenantId, tenantId)),
      configs: [db.select({ key: configs.key }).from(configs).where(eq(configs.tenantId, tenantId))],
      nothing: undefined,
    })
    expect(rows).toEqual({ users: [{ id }], configs: [], nothing: [] })
    expect(await readTogether(db, {})).toEqual({})
  })
})
