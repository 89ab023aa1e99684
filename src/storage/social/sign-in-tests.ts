import { and, gt } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { type ModelKey, matchesModelKey } from '../interactions/oidc-models.ts'
import { consumeExisting } from '../interactions/single-use.ts'
import { oidcModelInstances as models } from '../tables.ts'

/**
 * Test sign-ins of operators. Each is stored as a row that exists as long as the test is valid
 * (spec/storage#oidc-models), with sealed content.
 */
const signInTest = (tenantId: string, id: string): ModelKey => ({ tenantId, modelName: 'SignInTest', id })

type Place = { tenantId: string; id: string }

/** Inserts a test. The statement is safe to repeat. */
export const insertSignInTest = (
  db: Database,
  { tenantId, id, sealed, expiresAt }: Place & { sealed: string; expiresAt: number },
) =>
  db
    .insert(models)
    .values({ ...signInTest(tenantId, id), payload: { sealed }, expiresAt })
    .onConflictDoNothing()
    .returning({ id: models.id })

/** Selects a test that is valid at this time, with or without a result. */
export const signInTestQuery = (db: Database, { tenantId, id, now }: Place & { now: number }) =>
  db
    .select({ payload: models.payload, expiresAt: models.expiresAt })
    .from(models)
    .where(and(matchesModelKey(signInTest(tenantId, id)), gt(models.expiresAt, now)))
    .limit(1)

/**
 * Consumes a test on the provider's first response, whatever it contains. `used` returns a row if the condition held.
 */
export function consumeSignInTest(db: Database, { tenantId, id, now }: Place & { now: number }) {
  const { condition, mark } = consumeExisting(db, signInTest(tenantId, id), { now })
  return { condition, used: [mark(condition)] }
}

export const updateSignInTest = (db: Database, { tenantId, id, sealed }: Place & { sealed: string }) =>
  db
    .update(models)
    .set({ payload: { sealed } })
    .where(matchesModelKey(signInTest(tenantId, id)))
    .returning({ id: models.id })
