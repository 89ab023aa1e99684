import { and, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../../src/contract/time.ts'
import { createUnitOfWork } from '../../../src/oidc/persistence/unit-of-work.ts'
import type { Database } from '../../../src/storage/database.ts'
import { oidcModelInstances as models } from '../../../src/storage/tables.ts'
import { newTenant, TEST_NOW, testDatabases } from '../databases.ts'

const supersededCode = new Error('the code was used')
const overtakenProof = new Error('the proof was used')

/**
 * If two requests read the same row, only the first request writes. The second request's batch detects the conflict and
 * fails.
 */
describe.each(testDatabases)('a single-use value on $name', ({ db }) => {
  it('yields tokens to the first request, and its use by a second request revokes the grant', async () => {
    const tenantId = await newTenant(db)
    await insertCode(db, tenantId, 'code')
    const [first, second] = [await redeeming('one'), await redeeming('two')]
    expect(await first.commit()).toBe(true)
    expect(await rows(db, tenantId)).toEqual([
      'AccessToken one',
      'AuthorizationCode code used',
      'Grant grant',
    ])

    await expect(second.commit()).rejects.toBe(supersededCode)
    expect(await rows(db, tenantId)).not.toContain('Grant grant')

    async function redeeming(token: string) {
      const work = createUnitOfWork(db, tenantId, () => TEST_NOW)
      const row = await work.read('AuthorizationCode', 'code')
      work.consume('AuthorizationCode', 'code', {
        superseded: { error: supersededCode, grantId: row?.grantId ?? '' },
      })
      issue(work, token)
      return work
    }
  })

  it('yields no tokens if its grant was deleted after the request read it', async () => {
    const tenantId = await newTenant(db)
    await insertCode(db, tenantId, 'code')
    const work = createUnitOfWork(db, tenantId, () => TEST_NOW)
    const row = await work.read('AuthorizationCode', 'code')
    work.claim(
      { modelName: 'ReplayDetection', id: 'proof', payload: {}, expiresAt: TEST_NOW + MINUTE },
      { error: overtakenProof },
    )
    work.consume('AuthorizationCode', 'code', {
      superseded: { error: supersededCode, grantId: row?.grantId ?? '' },
    })
    issue(work, 'token')
    await db.delete(models).where(and(eq(models.tenantId, tenantId), eq(models.modelName, 'Grant')))
    await expect(work.commit()).rejects.toBe(supersededCode)
    const remaining = await rows(db, tenantId)
    expect(remaining.filter((name) => name !== 'AuthorizationCode code')).toEqual([])
  })

  it('is not consumed if another value in the same request was already used', async () => {
    const tenantId = await newTenant(db)
    await insertCode(db, tenantId, 'code')
    await insertCode(db, tenantId, 'other')
    const [first, second] = [await redeeming('code'), await redeeming('other')]
    expect(await first.commit()).toBe(true)
    await expect(second.commit()).rejects.toBe(overtakenProof)
    expect(await rows(db, tenantId)).toEqual([
      'AccessToken token of code',
      'AuthorizationCode code used',
      'AuthorizationCode other',
      'Grant grant',
      'ReplayDetection proof',
    ])

    async function redeeming(code: string) {
      const work = createUnitOfWork(db, tenantId, () => TEST_NOW)
      await work.read('AuthorizationCode', code)
      work.consume('AuthorizationCode', code, { superseded: { error: supersededCode, grantId: 'grant' } })
      work.claim(
        { modelName: 'ReplayDetection', id: 'proof', payload: {}, expiresAt: TEST_NOW + MINUTE },
        { error: overtakenProof },
      )
      issue(work, `token of ${code}`)
      return work
    }
  })

  it('is not claimed by a read-only request, which fails if the value was claimed before', async () => {
    const tenantId = await newTenant(db)
    await insertCode(db, tenantId, 'code')
    const others = ['AuthorizationCode code', 'Grant grant']
    const claiming = () => {
      const work = createUnitOfWork(db, tenantId, () => TEST_NOW)
      const proof = { modelName: 'ReplayDetection', id: 'proof', payload: {}, expiresAt: TEST_NOW + MINUTE }
      work.claim(proof, { error: overtakenProof })
      return work
    }
    expect(await claiming().commit()).toBe(true)
    expect(await rows(db, tenantId)).toEqual(others)
    const change = claiming()
    issue(change, 'one')
    expect(await change.commit()).toBe(true)
    expect(await rows(db, tenantId)).toEqual(['AccessToken one', ...others, 'ReplayDetection proof'])
    await expect(claiming().commit()).rejects.toBe(overtakenProof)
  })

  it('can be reused within its leeway, and keeps the time of its first use', async () => {
    const tenantId = await newTenant(db)
    await insertCode(db, tenantId, 'code')
    const consumedAt = async (now: number) => {
      const work = createUnitOfWork(db, tenantId, () => now)
      work.consume('AuthorizationCode', 'code', { leewaySeconds: 10, superseded: { error: supersededCode } })
      return work.commit()
    }
    await consumedAt(TEST_NOW)
    expect(await consumedAt(TEST_NOW + 9_000)).toBe(true)
    await expect(consumedAt(TEST_NOW + 11_000)).rejects.toBe(supersededCode)
    const [code] = await db.select().from(models).where(eq(models.id, 'code'))
    expect(code?.consumedAt).toBe(TEST_NOW)
  })
})

const issue = (work: ReturnType<typeof createUnitOfWork>, id: string) =>
  work.write({ modelName: 'AccessToken', id, payload: { grantId: 'grant' }, expiresAt: TEST_NOW + MINUTE })

async function insertCode(db: Database, tenantId: string, id: string) {
  const row = (modelName: string, key: string, payload: Record<string, unknown>) => ({
    tenantId,
    modelName,
    id: key,
    payload,
    expiresAt: TEST_NOW + MINUTE,
  })
  await db
    .insert(models)
    .values([row('Grant', 'grant', {}), row('AuthorizationCode', id, { grantId: 'grant' })])
    .onConflictDoNothing()
}

const rows = async (db: Database, tenantId: string) =>
  (await db.select().from(models).where(eq(models.tenantId, tenantId)))
    .map(({ modelName, id, consumedAt }) => `${modelName} ${id}${consumedAt === null ? '' : ' used'}`)
    .toSorted()
