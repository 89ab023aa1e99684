import { and, type SQL, sql } from 'drizzle-orm'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { users } from '../tables.ts'
import { matchesUserKey } from '../users/users.ts'

/** Merges custom data of users inside the database, so that no concurrent change is lost. */

/**
 * Merges a patch at the top level: a value, even null, replaces the stored value of its key, and undefined removes the
 * key.
 */
export function mergedCustomData(patch: Readonly<Record<string, unknown>>): SQL {
  // `json_patch` merges at all levels and treats null as a removal. So the patched keys are removed first, and a random
  // placeholder represents null until the merge is complete.
  const nullPlaceholder = randomId()
  const removal = Object.fromEntries(Object.keys(patch).map((key) => [key, null]))
  const added = JSON.stringify(patch, (_key, value: unknown) => (value === null ? nullPlaceholder : value))
  return sql`replace(json_patch(json_patch(${users.customData}, ${JSON.stringify(removal)}), ${added}), ${JSON.stringify(nullPlaceholder)}, 'null')`
}

/** Merges a patch without nested objects at all levels. Null removes a key. */
export const patchedCustomData = (patch: Readonly<Record<string, unknown>>): SQL =>
  sql`json_patch(${users.customData}, ${JSON.stringify(patch)})`

/**
 * Checks that the user exists and that the merged data has at most `most` bytes. The condition still holds after the
 * merge.
 */
export const isDataWithinLimit = (
  tenantId: string,
  id: string,
  { data, most }: { data: SQL; most: number },
): Condition =>
  sql`exists (select 1 from ${users} where ${and(matchesUserKey(tenantId, id), sql`length(cast(${data} as blob)) <= ${most}`)})`

/** Stores the merged data and returns it, or returns no row if the condition does not hold. */
export const setCustomDataIf = (
  db: Database,
  tenantId: string,
  condition: Condition,
  { id, data }: { id: string; data: SQL },
) =>
  db
    .update(users)
    .set({ customData: data })
    .where(and(matchesUserKey(tenantId, id), condition))
    .returning({ customData: users.customData })
