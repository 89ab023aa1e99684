import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Database } from '../database.ts'
import { connectors, signInExperiences } from '../tables.ts'

/** Whether the tenant's pages show a picture whose key begins so. */
export async function namesUploads(db: Database, tenantId: string, prefix: string): Promise<boolean> {
  const names = (...columns: readonly SQLiteColumn[]): SQL | undefined =>
    or(...columns.map((column) => sql`instr(${column}, ${prefix}) > 0`))
  const rows = await db
    .select({ id: signInExperiences.id })
    .from(signInExperiences)
    .where(
      and(
        eq(signInExperiences.tenantId, tenantId),
        or(
          names(
            signInExperiences.branding,
            signInExperiences.customCss,
            signInExperiences.customContent,
            signInExperiences.layout,
          ),
          sql`exists (select 1 from ${connectors} where ${connectors.tenantId} = ${tenantId} and ${names(connectors.metadata)})`,
        ),
      ),
    )
    .limit(1)
  return rows.length > 0
}
