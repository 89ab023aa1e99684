import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { users } from '../tables.ts'
import { cappedCount, MAX_LIST_COUNT } from '../totals.ts'
import {
  beginsWith,
  isInUserSubset,
  matchesSuspension,
  type UserSearchField,
  type UserSubset,
} from './user-search.ts'

/** A prefix to search for in these fields. */
type Prefix = { fields: readonly UserSearchField[]; text: string }

/**
 * Finds users by a prefix. Half of all users may share their first character or two. An index would find all of them,
 * and they would have to be read and sorted to find the newest twenty. So the matches are counted first. If there are
 * more than lists count, the prefix is common: the search then reads the newest users, many of whom match, until the
 * page is full. Otherwise, it uses the index. Both searches are part of one statement, which saves a round trip; the
 * limit of the unused one is 0 (ADR-0136).
 */
export function findByPrefix(subset: UserSubset, prefix: Prefix, last: number): { listed: SQL; count: SQL } {
  if (subset.isSuspended) {
    // Few users are suspended, so each of them is tested.
    const listed = sql`(${and(isInUserSubset(subset), isTested(prefix))})`
    return { listed, count: cappedCount(sql`select 1 from ${users} where ${listed}`) }
  }
  const isCommon = sql`(${or(...prefix.fields.map((field) => isCommonIn(subset, field, prefix.text)))})`
  const byIndex = foundByIndex(subset, prefix)
  const count = cappedCount(byIndex)
  return {
    listed: sql`(${users.searchId} in (${byIndex} limit case when ${isCommon} then 0 else -1 end)
      or ${users.searchId} in (select ${users.searchId} from ${users}
        where ${and(isInUserSubset(subset), isTested(prefix))}
        order by ${users.createdAt} desc, ${users.id} desc limit case when ${isCommon} then ${last} else 0 end))`,
    count:
      subset.isSuspended === undefined
        ? sql`case when ${isCommon} then ${MAX_LIST_COUNT + 1} else ${count} end`
        : count,
  }
}

const isTested = ({ fields, text }: Prefix) =>
  or(...fields.map((field) => beginsWith(field, text, 'unindexed')))

/** Finds users by each field through that field's index. */
function foundByIndex(subset: UserSubset, { fields, text }: Prefix): SQL {
  const conditions = fields.map((field) =>
    and(eq(users.tenantId, subset.tenantId), beginsWith(field, text), matchesSuspension(subset)),
  )
  return sql`select ${users.searchId} from ${users} where ${or(...conditions)}`
}

function isCommonIn({ tenantId }: UserSubset, field: UserSearchField, text: string): SQL {
  const condition = and(eq(users.tenantId, tenantId), beginsWith(field, text))
  return sql`${cappedCount(sql`select 1 from ${users} where ${condition}`)} > ${sql.raw(`${MAX_LIST_COUNT}`)}`
}
