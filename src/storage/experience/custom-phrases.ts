import { and, asc, eq, sql } from 'drizzle-orm'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { customPhrases, signInExperiences } from '../tables.ts'

/** An operator's phrases for a language, which override the built-in ones (spec/experience#custom-phrases). */
export type CustomPhrases = typeof customPhrases.$inferSelect
type NewCustomPhrases = Omit<CustomPhrases, 'tenantId'>

export const allCustomPhrasesQuery = (db: Database, tenantId: string) =>
  db
    .select()
    .from(customPhrases)
    .where(eq(customPhrases.tenantId, tenantId))
    .orderBy(asc(customPhrases.languageTag))

/** Selects only the language tags, because the translations may be long. */
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
  const [row] = await customPhrasesQuery(db, tenantId, languageTag)
  return row ?? null
}

export const customPhrasesQuery = (db: Database, tenantId: string, languageTag: string) =>
  db.select().from(customPhrases).where(hasKey(tenantId, languageTag))

/** Stores phrases. An existing row keeps its id. */
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

/**
 * Deletes the phrases of a language, unless it is the fallback language. Deleting the phrases of the fallback language
 * would change the language of pages in use.
 */
export const deleteCustomPhrasesIfUnused = (db: Database, tenantId: string, languageTag: string) =>
  db.delete(customPhrases).where(isUnused(tenantId, languageTag)).returning({ id: customPhrases.id })

export const hasUnusedPhrases = (tenantId: string, languageTag: string): Condition =>
  sql`exists (select 1 from ${customPhrases} where ${isUnused(tenantId, languageTag)})`

const isUnused = (tenantId: string, languageTag: string) =>
  and(
    hasKey(tenantId, languageTag),
    sql`not exists (select 1 from ${signInExperiences} where ${signInExperiences.tenantId} = ${tenantId}
      and json_extract(${signInExperiences.languageInfo}, '$.fallbackLanguage') = ${languageTag})`,
  )

const hasKey = (tenantId: string, languageTag: string) =>
  and(eq(customPhrases.tenantId, tenantId), eq(customPhrases.languageTag, languageTag))
