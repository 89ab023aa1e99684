import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import { users } from './tables.ts'
import { COUNTED_AT_MOST } from './totals.ts'
import {
  type Among,
  beginsWith,
  hasState,
  isAmong,
  type UserSearch,
  type UserSearchField,
} from './user-search.ts'

/** A beginning of any of these fields, and nothing else. */
export type PrefixSearch = { fields: readonly UserSearchField[]; text: string }

export function asPrefixSearch({
  terms: [term, ...others],
  isCaseSensitive,
}: UserSearch): PrefixSearch | null {
  if (others.length > 0 || term?.mode !== 'prefix' || term.pattern || isCaseSensitive) return null
  return term
}

/**
 * A beginning of one or two characters may be that of every other user: found by index these would all be read, and sorted,
 * for the newest twenty. So it is counted first. One that more users have than lists are counted is common, and found along
 * the newest users, who soon have it, up to the last that is listed. The limits are part of the statement, so that there is
 * no round trip more: of both ways one ends before it begins (ADR-0136).
 */
export function listedByPrefix(among: Among, prefix: PrefixSearch, last: number): SQL {
  if (among.isSuspended) return amongSuspended(among, prefix)
  const isCommon = or(...prefix.fields.map((field) => isCommonIn(among, field, prefix.text)))
  return sql`(${users.searchId} in (${byIndex(among, prefix, sql`case when ${isCommon} then 0 else -1 end`)})
    or ${users.searchId} in (select ${users.searchId} from ${users}
      where ${and(isAmong(among), isTested(prefix))}
      order by ${users.createdAt} desc, ${users.id} desc limit case when ${isCommon} then ${last} else 0 end))`
}

export const countedByPrefix = (among: Among, prefix: PrefixSearch): SQL =>
  among.isSuspended
    ? amongSuspended(among, prefix)
    : sql`${users.searchId} in (${byIndex(among, prefix, countedAtMost)})`

/** They are few: each of them is tested. */
const amongSuspended = (among: Among, prefix: PrefixSearch): SQL =>
  sql`(${and(isAmong(among), isTested(prefix))})`

const isTested = ({ fields, text }: PrefixSearch) =>
  or(...fields.map((field) => beginsWith(field, text, 'unindexed')))

/** Each field by its own index. */
function byIndex(among: Among, { fields, text }: PrefixSearch, limit: SQL): SQL {
  const found = fields.map((field) =>
    and(eq(users.tenantId, among.tenantId), beginsWith(field, text), hasState(among)),
  )
  return sql`select ${users.searchId} from ${users} where ${or(...found)} limit ${limit}`
}

const isCommonIn = ({ tenantId }: Among, field: UserSearchField, text: string): SQL =>
  sql`(select count(*) from (select 1 from ${users} where ${and(eq(users.tenantId, tenantId), beginsWith(field, text))}
    limit ${countedAtMost})) = ${countedAtMost}`

/** No parameter: a statement may have a hundred. */
const countedAtMost = sql.raw(`${COUNTED_AT_MOST + 1}`)
