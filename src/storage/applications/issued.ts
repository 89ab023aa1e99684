import { and, eq, type SQL, sql } from 'drizzle-orm'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { belongsToClient } from '../interactions/oidc-models.ts'
import { applications, consents, oidcModelInstances as models } from '../tables.ts'
import { applicationExists } from './applications.ts'

/**
 * Deletes the grants of an application and the tokens that were issued to it without a user. The codes and tokens of users
 * end with their grants (ADR-0190).
 */

/**
 * Deletes the grants of an application and its own tokens. The statement runs before the application is deleted, in the
 * same batch, because another application with the same id must not inherit the grants. Nothing is deleted for built-in
 * clients, which have no row.
 */
export const deleteIssuedModels = (
  db: Database,
  tenantId: string,
  id: string,
  condition: Condition = ALWAYS_TRUE,
) => db.delete(models).where(and(issuedTo(tenantId, id), condition))

/** Deletes the consents of all users to an application. The deletion of an application deletes them by itself. */
export const deleteConsents = (db: Database, tenantId: string, id: string, condition: Condition) =>
  db.delete(consents).where(and(consentedTo(tenantId, id), condition))

/**
 * Deletes an application's grants, own tokens and consents in chunks, before the batch that deletes the application or
 * ends its consents. Returns true once nothing is left; until then, the caller repeats the call.
 */
export const deleteIssuedModelsInChunks = (
  db: Database,
  tenantId: string,
  id: string,
  condition: Condition = ALWAYS_TRUE,
): Promise<boolean> =>
  deleteInPortions(db, [
    { table: models, rows: and(issuedTo(tenantId, id), condition) },
    { table: consents, rows: and(consentedTo(tenantId, id), condition) },
  ])

/**
 * Deletes grants that a first-party application got without the user's consent. The statement runs before the
 * application becomes a third party, in the same batch (spec/provider#consent). The consents themselves are kept.
 */
export const deleteGrantsWithoutConsent = (db: Database, tenantId: string, id: string) =>
  db.delete(models).where(grantsWithoutConsent(tenantId, id))

/** Deletes grants that did not require consent in chunks, before the batch that makes the application a third party. */
export const deleteGrantsWithoutConsentInChunks = (
  db: Database,
  tenantId: string,
  id: string,
): Promise<boolean> => deleteInPortions(db, [{ table: models, rows: grantsWithoutConsent(tenantId, id) }])

const issuedTo = (tenantId: string, id: string) =>
  and(belongsToClient(tenantId, id), applicationExists(tenantId, id))

const consentedTo = (tenantId: string, id: string) =>
  and(eq(consents.tenantId, tenantId), eq(consents.applicationId, id), applicationExists(tenantId, id))

const grantsWithoutConsent = (tenantId: string, id: string) =>
  and(belongsToClient(tenantId, id), eq(models.modelName, 'Grant'), isFirstParty(tenantId, id))

/**
 * Deletes a new grant that did not require consent if the application has become a third party in the meantime. The
 * statement belongs in the batch that writes the grant; everything issued under a deleted grant is invalid.
 */
export const deleteImplicitGrant = (
  db: Database,
  { tenantId, applicationId }: { tenantId: string; applicationId: string },
  grantId: string,
) =>
  db
    .delete(models)
    .where(
      and(
        eq(models.tenantId, tenantId),
        eq(models.modelName, 'Grant'),
        eq(models.id, grantId),
        sql`${applicationExists(tenantId, applicationId)} and not ${isFirstParty(tenantId, applicationId)}`,
      ),
    )

const isFirstParty = (tenantId: string, id: string): Condition =>
  sql`exists (select 1 from ${applications} where ${applications.tenantId} = ${tenantId}
    and ${applications.id} = ${id} and not coalesce(${applications.customClientMetadata} ->> '$.isThirdParty', 0))`

/**
 * The number of rows that one statement can delete quickly, and the number of statements that one call sends
 * (spec/storage#platform-limits).
 */
const ROWS_PER_ROUND = 2_000
const MAX_ROUNDS = 100

type Portion = { table: typeof models | typeof consents; rows: SQL | undefined }

/** Deletes rows in chunks, because a single statement would take too long for hundreds of thousands of rows. */
async function deleteInPortions(db: Database, portions: readonly Portion[]): Promise<boolean> {
  let rounds = 0
  for (const { table, rows } of portions) {
    for (let isMore = true; isMore; rounds++) {
      if (rounds === MAX_ROUNDS) return false
      const deleted = await db
        .delete(table)
        .where(sql`rowid in (select rowid from ${table} where ${rows} limit ${ROWS_PER_ROUND})`)
        .returning({ deleted: sql`1`.as('deleted') })
      isMore = deleted.length === ROWS_PER_ROUND
    }
  }
  return true
}
