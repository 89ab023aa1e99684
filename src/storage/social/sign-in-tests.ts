import { and, gt } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { hasModelKey, type ModelKey } from '../interactions/oidc-models.ts'
import { consumptionOf } from '../interactions/single-use.ts'
import { oidcModelInstances as models } from '../tables.ts'

/** Sign-ins that operators test, as rows that live as long as they count (spec/storage#oidc-models). What they say is sealed. */
const signInTest = (tenantId: string, id: string): ModelKey => ({ tenantId, modelName: 'SignInTest', id })

type Place = { tenantId: string; id: string }

/** Safe to repeat. */
export const insertSignInTest = (
  db: Database,
  { tenantId, id, sealed, expiresAt }: Place & { sealed: string; expiresAt: number },
) =>
  db
    .insert(models)
    .values({ ...signInTest(tenantId, id), payload: { sealed }, expiresAt })
    .onConflictDoNothing()
    .returning({ id: models.id })

/** One that counts at this time, answered or not. */
export const signInTestQuery = (db: Database, { tenantId, id, now }: Place & { now: number }) =>
  db
    .select({ payload: models.payload, expiresAt: models.expiresAt })
    .from(models)
    .where(and(hasModelKey(signInTest(tenantId, id)), gt(models.expiresAt, now)))
    .limit(1)

/** The first answer uses it up, whatever the provider says then. `used` answers a row if the condition held. */
export function signInTestUse(db: Database, { tenantId, id, now }: Place & { now: number }) {
  const { condition, mark } = consumptionOf(db, signInTest(tenantId, id), { now })
  return { condition, used: [mark(condition)] }
}

export const updateSignInTest = (db: Database, { tenantId, id, sealed }: Place & { sealed: string }) =>
  db
    .update(models)
    .set({ payload: { sealed } })
    .where(hasModelKey(signInTest(tenantId, id)))
    .returning({ id: models.id })
