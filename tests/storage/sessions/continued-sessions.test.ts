import { and, eq, ne } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createUnitOfWork, type UnitOfWork } from '../../../src/oidc/persistence/unit-of-work.ts'
import type { Database } from '../../../src/storage/database.ts'
import { oidcModelInstances as models } from '../../../src/storage/tables.ts'
import { newTenant, TEST_NOW, testDatabases } from '../databases.ts'

const expiresAt = TEST_NOW + 60_000
const session = { accountId: 'ann', uid: 'uid', loginTs: 7 }

/**
 * Tests requests to the OpenID Provider that continue a session while another request ends it
 * (spec/provider#revocation).
 */
describe.each(testDatabases)('a session on $name', ({ db }) => {
  it.each<[string, (work: UnitOfWork) => void]>([
    ['a resume that changes its id', (work) => renew(work, 'new')],
    [
      'a resume that ends its interaction',
      (work) => {
        renew(work, 'new')
        work.remove('Interaction', 'interaction')
      },
    ],
    ['a silent sign-in', (work) => save(work, 'old')],
  ])(
    '[ASVS-7.4.1-3] is not restored if it ended before %s, which then writes nothing',
    async (_, continueSession) => {
      const { tenantId, begin } = await newSession(db)
      const work = await begin()
      continueSession(work)
      issue(work)
      await db.delete(models).where(and(eq(models.tenantId, tenantId), eq(models.modelName, 'Session')))
      expect(await work.commit()).toBe(false)
      expect(await rows(db, tenantId)).toEqual(['Interaction interaction'])
    },
  )

  it('continues in both of two concurrent requests that change its id', async () => {
    const { tenantId, begin } = await newSession(db)
    const [first, second] = [await begin(), await begin()]
    renew(first, 'first')
    renew(second, 'second')
    expect([await first.commit(), await second.commit()]).toEqual([true, true])
    expect(await rows(db, tenantId)).toEqual(['Interaction interaction', 'Session first', 'Session second'])
  })

  it('[ASVS-7.4.1-4] is ended by a sign-out even if its id has changed meanwhile', async () => {
    const { tenantId, begin } = await newSession(db)
    const [signIn, signOut] = [await begin(), await begin()]
    renew(signIn, 'new')
    signOut.remove('Session', 'old')
    await signIn.commit()
    expect(await signOut.commit()).toBe(true)
    expect(await rows(db, tenantId)).toEqual(['Interaction interaction'])
  })
})

async function newSession(db: Database) {
  const tenantId = await newTenant(db)
  await db.insert(models).values([
    { tenantId, modelName: 'Session', id: 'old', payload: session, expiresAt },
    { tenantId, modelName: 'Interaction', id: 'interaction', payload: {}, expiresAt },
    // The sweep of another test on the same server deletes codes without a grant.
    { tenantId, modelName: 'Grant', id: 'grant', payload: {}, expiresAt },
  ])
  return {
    tenantId,
    /** Starts a request and reads the session. */
    async begin() {
      const work = createUnitOfWork(db, tenantId, () => TEST_NOW)
      await work.read('Session', 'old')
      return work
    },
  }
}

const save = (work: UnitOfWork, id: string) =>
  work.write({ modelName: 'Session', id, payload: session, expiresAt })

/** Changes the session's id, as the OpenID Provider library does. */
function renew(work: UnitOfWork, id: string) {
  work.remove('Session', 'old')
  save(work, id)
}

const issue = (work: UnitOfWork) =>
  work.write({ modelName: 'AuthorizationCode', id: 'code', payload: { grantId: 'grant' }, expiresAt })

const rows = async (db: Database, tenantId: string) =>
  (
    await db
      .select()
      .from(models)
      .where(and(eq(models.tenantId, tenantId), ne(models.modelName, 'Grant')))
  )
    .map(({ modelName, id, consumedAt }) => `${modelName} ${id}${consumedAt === null ? '' : ' ended'}`)
    .toSorted()
