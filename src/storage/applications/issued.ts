import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { usersModels } from '../interactions/oidc-models.ts'
import { applications, consents, oidcModelInstances as models } from '../tables.ts'
import { isApplication } from './applications.ts'

/** How everything that was issued to one application ends at once. */

/**
 * Grants and tokens of an application, named before its own removal: the id may be used again, and another application
 * must not inherit the consent. Built-in clients have no row, and nothing of theirs is removed.
 */
export const removeIssued = (db: Database, tenantId: string, id: string) =>
  db.delete(models).where(issuedTo(tenantId, id))

/**
 * The same ahead of that batch, in portions, and the consents that the application's own removal would take along.
 * Answers whether that was all; if not, the same call continues.
 */
export const removeIssuedAhead = (db: Database, tenantId: string, id: string): Promise<boolean> =>
  inPortions(db, [
    { table: models, rows: issuedTo(tenantId, id) },
    { table: consents, rows: consentedTo(tenantId, id) },
  ])

/**
 * What a first party was given without a question, named before the change that makes it a third party
 * (spec/provider#consent). What users have consented to stays among the consents.
 */
export const deleteImplicitGrants = (db: Database, tenantId: string, id: string) =>
  db.delete(models).where(implicitGrantsOf(tenantId, id))

/** The same ahead of that batch, in portions. */
export const deleteImplicitGrantsAhead = (db: Database, tenantId: string, id: string): Promise<boolean> =>
  inPortions(db, [{ table: models, rows: implicitGrantsOf(tenantId, id) }])

const issuedTo = (tenantId: string, id: string) =>
  and(eq(models.tenantId, tenantId), eq(models.clientId, id), isApplication(tenantId, id))

const consentedTo = (tenantId: string, id: string) =>
  and(eq(consents.tenantId, tenantId), eq(consents.applicationId, id), isApplication(tenantId, id))

const implicitGrantsOf = (tenantId: string, id: string) =>
  and(
    eq(models.tenantId, tenantId),
    eq(models.clientId, id),
    inArray(models.modelName, usersModels),
    isFirstParty(tenantId, id),
  )

/**
 * For the batch that writes a grant without a question, because the application was a first party when it was read: a
 * change in between takes the grant along, and what is issued under it is worth nothing.
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
        sql`${isApplication(tenantId, applicationId)} and not ${isFirstParty(tenantId, applicationId)}`,
      ),
    )

const isFirstParty = (tenantId: string, id: string): Condition =>
  sql`exists (select 1 from ${applications} where ${applications.tenantId} = ${tenantId}
    and ${applications.id} = ${id} and not coalesce(${applications.customClientMetadata} ->> '$.isThirdParty', 0))`

/** Rows that one statement deletes quickly, and statements that one call may send (spec/storage#platform-limits). */
const ROWS_PER_ROUND = 2_000
const MAX_ROUNDS = 100

type Portion = { table: typeof models | typeof consents; rows: SQL | undefined }

/** One statement could not delete hundreds of thousands of rows in time. */
async function inPortions(db: Database, portions: readonly Portion[]): Promise<boolean> {
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
