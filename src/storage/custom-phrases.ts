import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { customPhrases, signInExperiences } from './tables.ts'

/** What the operator's pages say in a language, where that is not what ours say (contract 5.2). */
export type CustomPhrases = typeof customPhrases.$inferSelect
export type NewCustomPhrases = Omit<CustomPhrases, 'tenantId'>

export const allCustomPhrasesQuery = (db: Database, tenantId: string) =>
  db
    .select()
    .from(customPhrases)
    .where(eq(customPhrases.tenantId, tenantId))
    .orderBy(asc(customPhrases.languageTag))

/** The tags alone: the translations of all languages may be long. Answers rows `{ languageTag }`. */
export const customLanguagesQuery = (db: Database, tenantId: string) =>
  db
    .select({ languageTag: customPhrases.languageTag })
    .from(customPhrases)
    .where(eq(customPhrases.tenantId, tenantId))
    .orderBy(asc(customPhrases.languageTag))

export async function getCustomPhrases(
  db: Database,
  tenantId: string,
  languageTag: string,
): Promise<CustomPhrases | null> {
  const [found] = await customPhrasesQuery(db, tenantId, languageTag)
  return found ?? null
}

export const customPhrasesQuery = (db: Database, tenantId: string, languageTag: string) =>
  db.select().from(customPhrases).where(is(tenantId, languageTag))

/** For the batch of a change and its audit row (decision 19). What is there keeps its id. */
export const putCustomPhrases = (
  db: Database,
  tenantId: string,
  { id, languageTag, translation }: NewCustomPhrases,
) =>
  db
    .insert(customPhrases)
    .values({ tenantId, id, languageTag, translation })
    .onConflictDoUpdate({
      target: [customPhrases.tenantId, customPhrases.languageTag],
      set: { translation },
    })
    .returning()

/** Not what visitors fall back to: their pages would change their language under them. */
export const deleteCustomPhrasesIfUnused = (db: Database, tenantId: string, languageTag: string) =>
  db.delete(customPhrases).where(isUnused(tenantId, languageTag)).returning({ id: customPhrases.id })

/** As a condition for other statements of a batch: there is something that may be deleted. */
export const hasUnusedPhrases = (tenantId: string, languageTag: string) =>
  sql`exists (select 1 from ${customPhrases} where ${isUnused(tenantId, languageTag)})`

const isUnused = (tenantId: string, languageTag: string) =>
  and(
    is(tenantId, languageTag),
    sql`not exists (select 1 from ${signInExperiences} where ${signInExperiences.tenantId} = ${tenantId}
      and json_extract(${signInExperiences.languageInfo}, '$.fallbackLanguage') = ${languageTag})`,
  )

const is = (tenantId: string, languageTag: string) =>
  and(eq(customPhrases.tenantId, tenantId), eq(customPhrases.languageTag, languageTag))
