import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ID_LENGTH } from '../../src/contract/ids.ts'
import { HOUR, MINUTE } from '../../src/contract/time.ts'
import { getActor } from '../../src/domain/audit-actor.ts'
import { eraseIndexedRows } from '../../src/storage/account/erasure-steps.ts'
import { ALWAYS_TRUE } from '../../src/storage/conditions.ts'
import type { Database } from '../../src/storage/database.ts'
import { randomId } from '../../src/storage/ids.ts'
import { insertProofLogs, mergePendingLogs } from '../../src/storage/interactions/interaction-logs.ts'
import { firstLogId, newLogId } from '../../src/storage/log-ids.ts'
import { getLog, listLogs } from '../../src/storage/log-list.ts'
import { entriesOf, joinLogs, MAX_STEP_AGE, type StoredLog } from '../../src/storage/log-steps.ts'
import { insertLogIf, type NewLog } from '../../src/storage/logs.ts'
import { type LogPayload, logs } from '../../src/storage/tables.ts'
import { newTenant, TEST_NOW, testDatabases } from './databases.ts'

const entry = (key: string, createdAt: number, payload: Partial<LogPayload> = {}): NewLog => ({
  key,
  createdAt,
  payload: { ...payload, key, result: payload.result ?? 'Success' },
})

const storedRows = (db: Database, tenantId: string): PromiseLike<StoredLog[]> =>
  db
    .select({ id: logs.id, key: logs.key, payload: logs.payload, createdAt: logs.createdAt })
    .from(logs)
    .where(eq(logs.tenantId, tenantId))

describe('the id of an audit row', () => {
  it('sorts by the time of the row, after all other ids', () => {
    const times = [0, 1, 61, 62, TEST_NOW - 1, TEST_NOW, TEST_NOW + HOUR, 8.64e15]
    const ids = times.map(newLogId)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.map(({ length }) => length)).toEqual(times.map(() => ID_LENGTH))
    expect(
      [...ids, 'z'.repeat(ID_LENGTH), `_${randomId(20)}`, randomId()].toSorted().slice(-ids.length),
    ).toEqual(ids)
  })

  it('is in the range of its time, and unique', () => {
    const ids = Array.from({ length: 1_000 }, () => newLogId(TEST_NOW))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => id > firstLogId(TEST_NOW) && id < firstLogId(TEST_NOW + 1))).toBe(true)
  })
})

describe('entries that share a row', () => {
  const request = { interactionId: 'i', requestId: 'r', ip: '203.0.113.7', userAgent: 'Browser' }
  const create = entry('Interaction.Create', TEST_NOW - MINUTE, {
    ...request,
    requestId: undefined,
    applicationId: 'shop',
    params: { scope: 'openid' },
  })
  const update = entry('Interaction.SignIn.Update', TEST_NOW - 1, { ...request, event: 'SignIn' })
  const end = entry('Interaction.End', TEST_NOW + 5, { ...request, applicationId: 'shop', userId: 'ann' })
  const submit = entry('Interaction.SignIn.Submit', TEST_NOW, { ...request, userId: 'ann', connectorId: 'c' })
  const join = (log: NewLog, steps: Parameters<typeof joinLogs>[1]) => {
    const [row, ...others] = joinLogs({ id: 'row', ...log }, steps)
    return { row, entries: entriesOf({ ...row, id: 'row' }).toReversed(), others }
  }

  it('keep their key, time and facts, and belong to the user and the application of the row', () => {
    const { row, entries, others } = join(submit, { before: [create, update], after: [end] })
    expect(others).toEqual([])
    const common = { ...request, userId: 'ann', applicationId: 'shop', result: 'Success' }
    const { requestId: _none, ...withoutRequest } = common
    expect(entries).toEqual([
      {
        id: 'row.1',
        key: create.key,
        createdAt: create.createdAt,
        payload: { ...withoutRequest, key: create.key, params: { scope: 'openid' } },
      },
      {
        id: 'row.2',
        key: update.key,
        createdAt: update.createdAt,
        payload: { ...common, key: update.key, event: 'SignIn' },
      },
      {
        id: 'row',
        key: submit.key,
        createdAt: TEST_NOW,
        payload: { ...common, key: submit.key, connectorId: 'c' },
      },
      // An entry of the same batch counts as having happened at the same time.
      { id: 'row.4', key: end.key, createdAt: TEST_NOW, payload: { ...common, key: end.key } },
    ])
    expect(row.payload).toMatchObject({
      keys: 'Interaction.Create Interaction.End Interaction.SignIn.Submit Interaction.SignIn.Update',
      steps: [{}, { key: update.key, event: 'SignIn', createdAt: update.createdAt }, {}, { key: end.key }],
    })
    expect(Object.keys(row.payload.steps?.[1] ?? {}).toSorted()).toEqual(['createdAt', 'event', 'key'])
  })

  it.each([
    { name: 'are about another user', other: { ...update, payload: { ...update.payload, userId: 'bob' } } },
    {
      name: 'have an actor',
      other: { ...update, payload: { ...update.payload, actor: { type: 'user', id: 'x' } } },
    },
    { name: 'are much older', other: { ...update, createdAt: TEST_NOW - MAX_STEP_AGE - 1 } },
    {
      name: 'do not fit',
      other: {
        ...update,
        payload: {
          ...update.payload,
          params: { resource: Array.from({ length: 8 }, () => 'x'.repeat(250)) },
        },
      },
    },
    {
      name: 'would make the keys too long',
      other: { ...update, key: `Interaction.${'x'.repeat(110)}.${'y'.repeat(110)}` },
    },
  ])('do not include those that $name', ({ other }) => {
    const { entries, others } = join(submit, { before: [create, other] })
    expect(entries.map(({ key }) => key)).toEqual([create.key, submit.key])
    expect(others).toEqual([other])
  })

  it('leave a row within its size', () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      entry('Interaction.SignIn.Update', TEST_NOW - index, { ...request, event: 'SignIn', count: index }),
    )
    const { row, entries, others } = join(submit, { before: many })
    expect(JSON.stringify(row.payload).length).toBeLessThanOrEqual(2_048)
    expect(entries.length + others.length).toBe(61)
    expect(entries.length).toBeGreaterThan(10)
  })
})

describe.each(testDatabases)('audit entries on $name', ({ db }) => {
  it('are listed newest first in exact pages, whichever rows contain them', async () => {
    const tenantId = await newTenant(db)
    const random = seeded()
    const pick = <Value>(...values: readonly Value[]) => values[Math.floor(random() * values.length)] as Value
    const keys = [
      'Interaction.Create',
      'Interaction.SignIn.Update',
      'Account.Update',
      'ExchangeTokenBy.Code',
    ] as const
    const actor = { type: 'app', id: 'ann' }
    // Few different times, so that many entries have the same one.
    const time = () => TEST_NOW - Math.floor(random() * 20) * MINUTE
    const rows = Array.from({ length: 90 }, (_, index) => {
      const at = time()
      const details = {
        userId: pick('ann', 'bob', undefined),
        applicationId: pick('shop', 'ann', undefined),
        interactionId: pick('one', 'two', undefined),
        result: pick<LogPayload['result']>('Success', 'Success', 'Error'),
        actor: pick(undefined, undefined, undefined, actor),
      }
      const steps = Array.from({ length: pick(0, 1, 3) }, () =>
        entry(pick(...keys), at - Math.floor(random() * 10) * MINUTE, { result: pick('Success', 'Error') }),
      )
      const [row] = joinLogs(entry(pick(...keys), at, details), { before: index < 60 ? steps : [] })
      // Rows without timed ids: those of the previous release, and those whose id is derived.
      return { ...row, tenantId, id: index < 60 ? newLogId(at) : randomId() }
    })
    for (let start = 0; start < rows.length; start += 15)
      await db.insert(logs).values(rows.slice(start, start + 15))

    const all = (await storedRows(db, tenantId))
      .flatMap((row) => entriesOf(row).map((each, index) => ({ ...each, rowId: row.id, index })))
      .toSorted(
        (one, other) =>
          other.createdAt - one.createdAt || compare(other.rowId, one.rowId) || one.index - other.index,
      )
    expect(all.length).toBeGreaterThan(130)

    const [from, to] = [TEST_NOW - 12 * MINUTE, TEST_NOW - 8 * MINUTE]
    const filters: Parameters<typeof listLogs>[2][] = [
      {},
      { from },
      { to },
      { from, to },
      { from: to, to },
      ...keys.map((key) => ({ key })),
      { key: 'Interaction' },
      { key: keys[0], from, to },
      { key: keys[1], to },
      { userId: 'ann' },
      { userId: 'ann', key: keys[1] },
      { userId: 'ann', key: keys[0], from, to },
      { applicationId: 'shop' },
      { applicationId: 'shop', key: keys[0], to },
      { interactionId: 'one' },
      { interactionId: 'one', userId: 'bob', key: keys[1] },
      { by: 'ann' },
      { by: 'ann', key: keys[1] },
      { by: 'ann', from, to },
      { of: 'ann' },
      { of: 'ann', by: 'ann' },
      { of: 'ann', key: keys[1], to },
    ].map((filter) => ({ page: 1, pageSize: 17, ...filter }))
    for (const filter of filters) {
      const expected = all.filter((each) => matches(each, filter)).map(({ id }) => id)
      const listed: string[] = []
      for (let page = 1; listed.length < expected.length || page === 1; page++) {
        const result = await listLogs(db, tenantId, { ...filter, page })
        expect(result).toMatchObject({ total: expected.length, isCapped: false })
        if (result.logs.length === 0) break
        listed.push(...result.logs.map(({ id }) => id))
      }
      expect(listed, JSON.stringify(filter)).toEqual(expected)
    }
    for (const { rowId: _row, index: _index, ...each } of all.slice(0, 30))
      expect(await getLog(db, tenantId, each.id)).toEqual({ tenantId, ...each, actor: getActor(each) })
    expect(await getLog(db, tenantId, `${all[0]?.rowId}.99`)).toBeNull()
  })

  it('of a proof that is repeated are counted in one further row', async () => {
    const tenantId = await newTenant(db)
    const interactionId = randomId(43)
    const details = { interactionId, userId: 'ann' }
    const pending = await mergePendingLogs(
      interactionId,
      [],
      [entry('Interaction.Create', TEST_NOW, { interactionId })],
    )
    const prove = (isRepeated: boolean, at: number, more: Partial<LogPayload> = {}) =>
      insertProofLogs(db, {
        tenantId,
        interactionId,
        entries: [
          entry('Interaction.SignIn.Update', at, { interactionId }),
          entry('Interaction.SignIn.Identifier.Password.Submit', at, { ...details, ...more }),
        ],
        pending,
        isRepeated,
      })
    for (let time = 1; time <= 4; time++) await prove(false, TEST_NOW + time)
    await prove(false, TEST_NOW + 5, { userId: 'bob' })

    const entries = (await storedRows(db, tenantId))
      .toSorted((one, other) => one.createdAt - other.createdAt)
      .map((row) =>
        entriesOf(row)
          .toReversed()
          .map(({ key, payload }) => [key.split('.').at(-1), payload.userId, payload.count]),
      )
    expect(entries).toEqual([
      [
        ['Create', 'ann', undefined],
        ['Update', 'ann', undefined],
        ['Submit', 'ann', undefined],
      ],
      [
        ['Update', 'ann', undefined],
        ['Submit', 'ann', 3],
      ],
      [
        ['Create', 'bob', undefined],
        ['Update', 'bob', undefined],
        ['Submit', 'bob', undefined],
      ],
    ])
  })

  it('that share a row are all erased with their user', async () => {
    const tenantId = await newTenant(db)
    const personal = { userId: 'ann', ip: '203.0.113.7', userAgent: 'Browser', applicationId: 'shop' }
    const step = entry('Interaction.SignIn.Update', TEST_NOW - 1, {
      ...personal,
      identifier: { username: 'ann-smith' },
      count: 2,
    })
    const failed = entry('Interaction.Factor', TEST_NOW - 2, {
      result: 'Error',
      error: { code: 'session.x', message: 'ann-smith' },
    })
    const [row] = joinLogs(entry('Interaction.SignIn.Submit', TEST_NOW, { ...personal, city: 'Rome' }), {
      before: [failed, step],
    })
    await insertLogIf(db, tenantId, ALWAYS_TRUE, row)
    const names = { id: 'ann', unique: ['ann-smith'], shared: [] }
    await eraseIndexedRows(db, { id: 'e', tenantId, names, createdAt: TEST_NOW, place: null })

    const [erased] = await db.select().from(logs).where(eq(logs.tenantId, tenantId))
    if (!erased) throw new Error('The row is gone.')
    const common = { isErased: true, applicationId: 'shop' }
    expect(entriesOf(erased).map(({ createdAt, payload }) => [createdAt, payload])).toEqual([
      [TEST_NOW, { ...common, key: 'Interaction.SignIn.Submit', result: 'Success' }],
      [TEST_NOW - 1, { ...common, key: 'Interaction.SignIn.Update', result: 'Success', count: 2 }],
      [TEST_NOW - 2, { ...common, key: 'Interaction.Factor', result: 'Error', error: { code: 'session.x' } }],
    ])
    expect(JSON.stringify(erased)).not.toMatch(/ann|Browser|Rome|203/)
    expect(
      (await listLogs(db, tenantId, { key: 'Interaction.SignIn.Update', page: 1, pageSize: 5 })).total,
    ).toBe(1)
  })
})

type Filter = Omit<Parameters<typeof listLogs>[2], 'page' | 'pageSize'>

function matches(log: StoredLog, { from = 0, to = Infinity, ...filter }: Filter): boolean {
  const { key, createdAt, payload } = log
  const { userId, applicationId, interactionId } = payload
  const is = (value: string | undefined, actual: unknown) => value === undefined || value === actual
  return (
    createdAt >= from &&
    createdAt <= to &&
    is(filter.key, key) &&
    is(filter.userId, userId) &&
    is(filter.applicationId, applicationId) &&
    is(filter.interactionId, interactionId) &&
    is(filter.by, getActor(log)?.id) &&
    (is(filter.of, userId) || is(filter.of, applicationId))
  )
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** Returns the same numbers in each run (a linear congruential generator). */
function seeded(state = 42) {
  let current = state
  return () => {
    current = (current * 1_103_515_245 + 12_345) % 2 ** 31
    return current / 2 ** 31
  }
}
