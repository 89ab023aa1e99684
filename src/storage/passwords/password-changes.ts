import { and, eq } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { passwordChanges } from '../tables.ts'

/** Selects the time of the last change of a user's password, in epoch milliseconds. */
export const passwordChangeQuery = (
  db: Database,
  { tenantId, userId }: { tenantId: string; userId: string },
) =>
  db
    .select({ at: passwordChanges.changedAt })
    .from(passwordChanges)
    .where(and(eq(passwordChanges.tenantId, tenantId), eq(passwordChanges.userId, userId)))
