import { sql } from 'drizzle-orm'
import type { Statements } from '../batches.ts'
import { type CommittedRows, commitClosing, type StorageChange } from '../commit.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { oidcModelInstances as models } from '../tables.ts'
import { interactionIs } from './oidc-models.ts'

/** How an interaction ends (spec/storage#conclusion). */
type Conclusion = {
  tenantId: string
  uid: string
  /** What the provider reads at resume. */
  result: Record<string, unknown>
  /** `isInteractionOpen`, and what else must still hold. */
  condition: Condition
}

type ConclusionWith<S extends Statements> = Conclusion & Omit<StorageChange<S>, 'condition'>

/**
 * Commits how an interaction ends together with what comes of it; the result is written behind everything else. Answers
 * the rows by name, or null when the interaction was no longer open: then nothing was written. An answer that was
 * lost on its way is asked for again: then the interaction is closed, by this request, and nothing happens twice.
 */
export async function concludeInteraction<const S extends Statements>(
  db: Database,
  { uid, result, ...change }: ConclusionWith<S>,
): Promise<CommittedRows<S> | null> {
  const { tenantId, condition } = change
  const concludedBy = randomId()
  const isThis = interactionIs(tenantId, uid)
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
  return commitClosing(db, change, { last, isOurs })
}

/**
 * The interaction has no result yet, and the last password reset in it, if any, is the one its record was made after
 * (spec/interaction#conclusion).
 */
export const isInteractionOpen = (
  tenantId: string,
  uid: string,
  afterReset: string | undefined,
  now: number,
): Condition =>
  sql`exists (select 1 from ${models} where ${interactionIs(tenantId, uid)}
    and ${models.expiresAt} > ${now} and ${models.consumedAt} is null
    and json_extract(${models.payload}, '$.result.login') is null
    and json_extract(${models.payload}, '$.result.consent') is null
    and json_extract(${models.payload}, '$.result.error') is null
    and json_extract(${models.payload}, '$.result.reset') is ${afterReset ?? null})`
