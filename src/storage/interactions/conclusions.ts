import { sql } from 'drizzle-orm'
import type { Statements } from '../batches.ts'
import { type CommittedRows, commitAndCloseInteraction, type StorageChange } from '../commit.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { oidcModelInstances as models } from '../tables.ts'
import { matchesInteraction } from './oidc-models.ts'

/** The conclusion of an interaction (spec/storage#conclusion). */
type Conclusion = {
  tenantId: string
  uid: string
  /** The result that the provider reads when the interaction is resumed. */
  result: Record<string, unknown>
  /** The condition `isInteractionOpen`, possibly combined with others. */
  condition: Condition
}

type ConclusionWith<S extends Statements> = Conclusion & Omit<StorageChange<S>, 'condition'>

/**
 * Commits the result of an interaction together with its effects; the result is written last. Returns the rows by name,
 * or null if the interaction was no longer open, in which case nothing was written. If the response is lost, the batch
 * is repeated, which has no effect if the first run succeeded.
 */
export async function concludeInteraction<const S extends Statements>(
  db: Database,
  { uid, result, ...change }: ConclusionWith<S>,
): Promise<CommittedRows<S> | null> {
  const { tenantId, condition } = change
  const concludedBy = randomId()
  const isThis = matchesInteraction(tenantId, uid)
  const last = db
    .update(models)
    .set({
      payload: sql`json_set(${models.payload}, '$.result', json(${JSON.stringify(result)}), '$.concludedBy', ${concludedBy})`,
    })
    .where(sql`${isThis} and ${condition}`)
    .returning({ id: models.id })
  const isOurs = db
    .select({ id: models.id })
    .from(models)
    .where(sql`${isThis} and json_extract(${models.payload}, '$.concludedBy') = ${concludedBy}`)
  return commitAndCloseInteraction(db, change, { last, isOurs })
}

/**
 * Checks that the interaction has no result yet, and that its record was created after the interaction's last password
 * reset, if any (spec/interaction#conclusion).
 */
export const isInteractionOpen = (
  tenantId: string,
  uid: string,
  afterReset: string | undefined,
  now: number,
): Condition =>
  sql`exists (select 1 from ${models} where ${matchesInteraction(tenantId, uid)}
    and ${models.expiresAt} > ${now} and ${models.consumedAt} is null
    and json_extract(${models.payload}, '$.result.login') is null
    and json_extract(${models.payload}, '$.result.consent') is null
    and json_extract(${models.payload}, '$.result.error') is null
    and json_extract(${models.payload}, '$.result.reset') is ${afterReset ?? null})`
