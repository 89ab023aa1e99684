import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Database } from '../database.ts'
import { connectors, signInExperiences } from '../tables.ts'

/** Checks whether the tenant's pages reference an upload whose key has this prefix. */
export async function hasUploadsInUse(db: Database, tenantId: string, prefix: string): Promise<boolean> {
  const contains = (...columns: readonly SQLiteColumn[]): SQL | undefined =>
    or(...columns.map((column) => sql`instr(${column}, ${prefix}) > 0`))
  const rows = await db
    .select({ id: signInExperiences.id })
    .from(signInExperiences)
    .where(
      and(
        eq(signInExperiences.tenantId, tenantId),
        or(
          contains(
            signInExperiences.branding,
            signInExperiences.customCss,
            signInExperiences.customContent,
            signInExperiences.layout,
          ),
          sql`exists (select 1 from ${connectors} where ${connectors.tenantId} = ${tenantId} and ${contains(connectors.metadata)})`,
        ),
      ),
    )
    .limit(1)
  return rows.length > 0
}
