import type { SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Statements } from './batches.ts'
import { type Change, type Committed, commitClosing } from './commit.ts'
import { type Database, mayRepeat } from './database.ts'
import { interactionIs } from './oidc-models.ts'
import { oidcModelInstances as models } from './tables.ts'

/** How an interaction ends (decision 8). */
export type Conclusion = {
  tenantId: string
  uid: string
  /** What the provider finds at resume. It says who, and when or by which grant: no other conclusion is the same. */
  result: Record<string, unknown>
  /** `isOpen`, and whatever else must still hold. */
  condition: SQL
}

/**
 * Writes the result together with what comes of it, in one batch of statements that ask the same condition; answers what
 * these answered, or null when the interaction was no longer open. An answer that was lost on its way is asked for again:
 * then the interaction is closed, by us, and nothing happens twice.
 */
export async function conclude(
  db: Database,
  { tenantId, uid, result, condition }: Conclusion,
  statements: readonly BatchItem<'sqlite'>[] = [],
): Promise<unknown[] | null> {
  const is = interactionIs(tenantId, uid)
  const written = JSON.stringify(result)
  const write = db
    .update(models)
    .set({ payload: sql`json_set(${models.payload}, '$.result', json(${written}))` })
    .where(sql`${is} and ${condition}`)
    .returning({ id: models.id })
  const [first = write, ...rest] = [...statements, write]

  const results: unknown[] = await db.batch([first, ...rest]).catch(async (error: unknown) => {
    if (!mayRepeat(error)) throw error
    const isOurs = db
      .select({ id: models.id })
      .from(models)
      .where(sql`${is} and json_extract(${models.payload}, '$.result') = json(${written})`)
    return db.batch([first, ...rest, isOurs])
  })
  const concluded = results.at(-1)
  return Array.isArray(concluded) && concluded.length > 0 ? results.slice(0, statements.length) : null
}

/** The same for `concludeInteraction`: what is committed together with the result. */
type ConclusionWith<S extends Statements> = Conclusion & Omit<Change<S>, 'condition'>

/**
 * Commits how an interaction ends together with what comes of it; the result is written behind everything else. Answers
 * the rows by name, or null when the interaction was no longer open: then nothing was written. An answer that was
 * lost on its way is asked for again: then the interaction is closed, by this request, and nothing happens twice.
 */
export async function concludeInteraction<const S extends Statements>(
  db: Database,
  { uid, result, ...change }: ConclusionWith<S>,
): Promise<Committed<S> | null> {
  const { tenantId, condition } = change
  const written = JSON.stringify(result)
  const isThis = interactionIs(tenantId, uid)
  const last = db
    .update(models)
    .set({ payload: sql`json_set(${models.payload}, '$.result', json(${written}))` })
    .where(sql`${isThis} and ${condition}`)
    .returning({ id: models.id })
  const isOurs = db
    .select({ id: models.id })
    .from(models)
    .where(sql`${isThis} and json_extract(${models.payload}, '$.result') = json(${written})`)
  return commitClosing(db, change, { last, isOurs })
}

/**
 * True as long as this interaction waits for its conclusion: it has no result, and the last password reset in it,
 * if any, is the one its record knows about (decision 8).
 */
export const isOpen = (tenantId: string, uid: string, afterReset: string | undefined, now: number): SQL =>
  sql`exists (select 1 from ${models} where ${interactionIs(tenantId, uid)}
    and ${models.expiresAt} > ${now}
    and json_extract(${models.payload}, '$.result.login') is null
    and json_extract(${models.payload}, '$.result.consent') is null
    and json_extract(${models.payload}, '$.result.error') is null
    and json_extract(${models.payload}, '$.result.reset') is ${afterReset ?? null})`
