import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { SubscribedEvents, UserHookEvent } from '../../../src/contract/hooks/hooks.ts'
import { ALWAYS_TRUE } from '../../../src/storage/conditions.ts'
import type { Database } from '../../../src/storage/database.ts'
import { enqueueHooks } from '../../../src/storage/hooks/hook-events.ts'
import { getHook, insertHook, updateHook } from '../../../src/storage/hooks/hooks.ts'
import { randomId } from '../../../src/storage/ids.ts'
import { outbox } from '../../../src/storage/tables.ts'
import { newTenant, newUser, TEST_NOW, testDatabases } from '../databases.ts'

/** Creates a hook. The first schema's CHECK constraint does not allow every event (ADR-0084). */
async function newHook(db: Database, tenantId: string, ...events: SubscribedEvents) {
  const config = { url: 'https://a.example', retries: 0 }
  const hook = { tenantId, id: randomId(), events, config, secret: 's', createdAt: TEST_NOW }
  await insertHook(db, hook)
  return hook
}

/**
 * Inserts a delivery in the same way as an earlier version of the Worker, which reads the event from only one column.
 */
const enqueueAsEarlierVersion = (db: Database, tenantId: string, event: string, column = 'event') =>
  db.all<{ id: string }>(sql`insert into outbox
      (tenant_id, id, hook_id, event, payload, attempts, next_attempt_at, status, created_at)
    select tenant_id, lower(hex(randomblob(16))), id, ${event}, '{}', 0, 1, 'delivered', 1 from hooks
    where tenant_id = ${tenantId} and ${sql.identifier(column)} = ${event} returning id`)

describe.each(testDatabases)('a hook for an account event on $name', ({ db }) => {
  it('receives only its own event, even from an earlier version of the Worker', async () => {
    const tenantId = await newTenant(db)
    const accountHook = await newHook(db, tenantId, 'User.PasskeyAdded')
    const old = await newHook(db, tenantId, 'PostResetPassword')
    const { id: userId } = await newUser(db, tenantId)
    const enqueue = (event: 'PostResetPassword' | 'User.PasskeyAdded') =>
      enqueueHooks(db, tenantId, ALWAYS_TRUE, { event, userId }, TEST_NOW)
    expect(await enqueueAsEarlierVersion(db, tenantId, 'PostResetPassword')).toHaveLength(1)
    expect(await enqueue('PostResetPassword')).toHaveLength(1)
    expect(await enqueue('User.PasskeyAdded')).toHaveLength(1)
    const rows = await db.select().from(outbox).where(eq(outbox.tenantId, tenantId))
    expect(rows.map(({ hookId, event }) => [event, hookId]).toSorted()).toEqual([
      ['PostResetPassword', old.id],
      ['PostResetPassword', old.id],
      ['User.PasskeyAdded', accountHook.id],
    ])
  })

  it('can be read and changed if an earlier version of the Worker set its event', async () => {
    const tenantId = await newTenant(db)
    const { id } = await newHook(db, tenantId, 'User.PasskeyAdded')
    await db.run(sql`update hooks set event = 'PostSignIn' where tenant_id = ${tenantId} and id = ${id}`)
    expect(await getHook(db, tenantId, id)).toMatchObject({ event: 'PostSignIn' })
    expect(await enqueueAsEarlierVersion(db, tenantId, 'PostSignIn')).toHaveLength(1)
    const [again] = await updateHook(db, tenantId, id, { events: ['User.PasskeyAdded'] })
    expect(again).toMatchObject({ event: 'User.PasskeyAdded' })
    expect(await enqueueAsEarlierVersion(db, tenantId, 'PostResetPassword')).toEqual([])
  })
})

describe.each(testDatabases)('a hook for several events on $name', ({ db }) => {
  it('receives one message for each of them, and only its first event from an earlier version', async () => {
    const tenantId = await newTenant(db)
    const { id } = await newHook(db, tenantId, 'User.Created', 'PostSignIn')
    const { id: userId } = await newUser(db, tenantId)
    const enqueue = (event: UserHookEvent) =>
      enqueueHooks(db, tenantId, ALWAYS_TRUE, { event, userId }, TEST_NOW)
    expect(await enqueue('User.Created')).toHaveLength(1)
    expect(await enqueue('PostSignIn')).toHaveLength(1)
    expect(await enqueue('PostResetPassword')).toEqual([])
    // An earlier version takes the first event from one of two columns.
    expect(await enqueueAsEarlierVersion(db, tenantId, 'PostResetPassword')).toEqual([])
    expect(await enqueueAsEarlierVersion(db, tenantId, 'User.Created', 'account_event')).toHaveLength(1)
    await db.run(sql`update hooks set event = 'PostRegister', account_event = null where id = ${id}`)
    expect(await getHook(db, tenantId, id)).toMatchObject({ event: 'PostRegister', events: ['PostRegister'] })
    expect(await enqueue('PostSignIn')).toEqual([])
  })

  it('has the event that an earlier version stored', async () => {
    const tenantId = await newTenant(db)
    const { id } = await newHook(db, tenantId, 'User.Deleted')
    await db.run(sql`update hooks set events = null where tenant_id = ${tenantId} and id = ${id}`)
    expect(await getHook(db, tenantId, id)).toMatchObject({
      event: 'User.Deleted',
      events: ['User.Deleted'],
    })
    const { id: userId } = await newUser(db, tenantId)
    const occasion = { event: 'User.Deleted', userId } as const
    expect(await enqueueHooks(db, tenantId, ALWAYS_TRUE, occasion, TEST_NOW)).toHaveLength(1)
  })
})
