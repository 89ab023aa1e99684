import { and, type SQL, sql } from 'drizzle-orm'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { users } from '../tables.ts'
import { hasUserKey } from '../users/users.ts'

/** The custom data of a user after a merge that the database makes, so that of many at the same time all stay. */

/** At the first level: a key replaces the one of its name, null included; undefined removes it. */
export function mergedData(patch: Readonly<Record<string, unknown>>): SQL {
  // `json_patch` merges at all levels and takes null as a removal. So the keys are removed first, and null is a text meanwhile that is in no data.
  const forNull = randomId()
  const removal = Object.fromEntries(Object.keys(patch).map((key) => [key, null]))
  const added = JSON.stringify(patch, (_key, value: unknown) => (value === null ? forNull : value))
  return sql`replace(json_patch(json_patch(${users.customData}, ${JSON.stringify(removal)}), ${added}), ${JSON.stringify(forNull)}, 'null')`
}

/** At all levels, as fields are that hold no objects; null removes a key. */
export const patchedData = (patch: Readonly<Record<string, unknown>>): SQL =>
  sql`json_patch(${users.customData}, ${JSON.stringify(patch)})`

/** There is the user, and the merged data has at most `most` bytes. It also holds behind the merge. */
export const fitsData = (
  tenantId: string,
  id: string,
  { data, most }: { data: SQL; most: number },
): Condition =>
  sql`exists (select 1 from ${users} where ${and(hasUserKey(tenantId, id), sql`length(cast(${data} as blob)) <= ${most}`)})`

/** Answers the merged data, or nothing if the condition does not hold. */
export const setDataIf = (
  db: Database,
  tenantId: string,
  condition: Condition,
  { id, data }: { id: string; data: SQL },
) =>
  db
    .update(users)
    .set({ customData: data })
    .where(and(hasUserKey(tenantId, id), condition))
    .returning({ customData: users.customData })
