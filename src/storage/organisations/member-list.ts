import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { readTogether } from '../batches.ts'
import type { Database } from '../database.ts'
import { organizationUserRoles, organizationUsers, users } from '../tables.ts'
import { cappedCount, cappedTotal, type PageRange, pageOffset } from '../totals.ts'
import { MAX_PARAMETERS, SearchTooLargeError } from '../users/user-list.ts'
import { matchesBranches, matchesSearch, testSearch, type UserSearch } from '../users/user-search.ts'
import { userColumns } from '../users/users.ts'
import { memberRolesJson, memberSourcesJson } from './member-columns.ts'
import type { MemberKey } from './memberships.ts'
import type { OrganizationKey } from './organizations.ts'

/**
 * The list of an organisation's members (spec/organisations#api). There may be 100,000 of them, so a search and a role
 * filter find their matches through an index. If the index finds more than 5,000 users, the filter is common, and the
 * newest 5,000 members are tested instead (ADR-0183).
 */

/** Testing more members would take longer than 200 ms. */
const MAX_TESTED = 5_000

type Filter = { search?: UserSearch | undefined; roleId?: string | undefined }

/** Lists members, the newest first. */
export async function listMembers(
  db: Database,
  key: OrganizationKey,
  { search, roleId, ...page }: PageRange & Filter,
) {
  const statement = pageStatement(key, { search: search?.terms.length ? search : undefined, roleId }, page)
  const query = db.select(pageColumns).from(sql`(${statement}) as page`)
  if (query.toSQL().params.length > MAX_PARAMETERS) throw new SearchTooLargeError()
  const { pages } = await readTogether(db, { pages: query })
  const { count = 0, isPartial = 0, rowids = '[]' } = pages[0] ?? {}
  const { rows } = await readTogether(db, {
    rows: membersQuery(
      db,
      key.tenantId,
      sql`${organizationUsers}.rowid in (select value from json_each(${rowids}))`,
    ),
  })
  const { total, isCapped } = cappedTotal(count)
  return { members: rows, total, isCapped: isCapped || isPartial === 1 }
}

const pageColumns = {
  count: sql<number>`count`.as('count'),
  isPartial: sql<number>`"isPartial"`.as('is_partial'),
  rowids: sql<string>`rowids`.as('rowids'),
}

/**
 * Selects the total, and the rows of one page. A filter that is costly to test is thereby tested once for both; the
 * details of the members are read afterwards.
 */
function pageStatement(key: OrganizationKey, filter: Filter, page: PageRange): SQL {
  const { candidates, listed, isCommon } = selectMembers(key, filter)
  const all = sql`select 1 from ${organizationUsers} where ${isOfOrganization(key)}`
  const pageOf = (from: SQL) =>
    sql`(select json_group_array(id) from (select ${from} ${newestFirst}
      limit ${page.pageSize} offset ${pageOffset(page)}))`
  if (!candidates) {
    const rows = sql`rowid as id from ${organizationUsers} where ${listed}`
    return sql`select ${cappedCount(all)} as count, 0 as "isPartial", ${pageOf(rows)} as rowids`
  }
  return sql`with ${candidates}, listed as materialized (
      select rowid as id, created_at, user_id from ${organizationUsers} where ${listed})
    select (select count(*) from listed) as count, ${isCommon} and (select count(*) from (${all} limit ${limit} + 1)) > ${limit} as "isPartial",
      ${pageOf(sql`id from listed`)} as rowids`
}

type Range = { limit: number; offset: number }

/** Selects members of the list, as many as `limit`, without counting all of them. */
export function membersPageQuery(
  db: Database,
  key: OrganizationKey,
  { search, limit: length, offset }: Range & { search: UserSearch | undefined },
) {
  const { candidates, listed } = selectMembers(key, { search })
  const rowids = sql`${candidates ? sql`with ${candidates}` : sql``} select rowid from ${organizationUsers}
    where ${listed} ${newestFirst} limit ${length} offset ${offset}`
  return membersQuery(db, key.tenantId, sql`${organizationUsers}.rowid in (${rowids})`)
}

/** Selects one member, as the list has it. */
export const memberQuery = (db: Database, { userId, ...key }: MemberKey) =>
  membersQuery(db, key.tenantId, sql`${isOfOrganization(key)} and ${organizationUsers.userId} = ${userId}`)

/** Selects the members of a condition, the newest first. */
const membersQuery = (db: Database, tenantId: string, condition: SQL) =>
  db
    .select({
      ...userColumns,
      roles: memberRolesJson.as('roles'),
      sources: memberSourcesJson.as('sources'),
      joinedAt: sql<number>`${organizationUsers.createdAt}`.as('joined_at'),
    })
    .from(organizationUsers)
    .innerJoin(users, and(eq(users.tenantId, tenantId), eq(users.id, organizationUsers.userId)))
    .where(condition)
    .orderBy(desc(organizationUsers.createdAt), desc(organizationUsers.userId))

const limit = sql.raw(String(MAX_TESTED))

const newestFirst = sql.raw('order by created_at desc, user_id desc')

const isOfOrganization = ({ tenantId, organizationId }: OrganizationKey): SQL =>
  sql`${organizationUsers.tenantId} = ${tenantId} and ${organizationUsers.organizationId} = ${organizationId}`

type Selection = {
  /** The common table expression that the conditions refer to. Undefined if all members are listed. */
  candidates: SQL | undefined
  /** The condition for the listed members. */
  listed: SQL
  /** True if only the newest members are tested. */
  isCommon: SQL
}

function selectMembers(key: OrganizationKey, { search, roleId }: Filter): Selection {
  const all = isOfOrganization(key)
  const ids = roleId === undefined ? search && idsBySearch(key.tenantId, search) : idsByRole(key, roleId)
  if (!ids) return { candidates: undefined, listed: all, isCommon: sql`false` }
  const candidates = sql`matches(user_id) as materialized (select * from (${ids}) limit ${limit} + 1)`
  const isCommon = sql`((select count(*) from matches) > ${limit})`
  const satisfiesSearch =
    search &&
    sql`exists (select 1 from ${users} where ${users.tenantId} = ${key.tenantId}
      and ${users.id} = ${organizationUsers.userId} and ${testSearch(search)})`
  // The index has already applied the first filter, unless the newest members are tested.
  const firstTest = roleId === undefined ? satisfiesSearch : hasRole(key, roleId)
  const secondTest = roleId !== undefined && satisfiesSearch ? sql` and ${satisfiesSearch}` : sql``
  const newest = sql`select ${organizationUsers.userId} from ${organizationUsers} where ${all} ${newestFirst}
    limit case when ${isCommon} then ${limit} else 0 end`
  return {
    candidates,
    listed: sql`${all} and ${organizationUsers.userId} in (select user_id from matches where not ${isCommon}
        union all select * from (${newest}))
      and (not ${isCommon} or ${firstTest})${secondTest}`,
    isCommon,
  }
}

/**
 * Selects the users whom a search finds. A prefix is searched in each field up to the limit, because half of all users may
 * have it.
 */
function idsBySearch(tenantId: string, search: UserSearch): SQL {
  const [term, ...others] = search.terms
  if (term?.mode !== 'prefix' || others.length > 0)
    return sql`select ${users.id} from ${users} where ${matchesSearch({ tenantId }, search)}`
  const byField = term.fields.map((field) => {
    const isMatch = matchesBranches({ tenantId }, { ...search, terms: [{ ...term, fields: [field] }] })
    return sql`select * from (select ${users.id} from ${users} where ${isMatch} limit ${limit} + 1)`
  })
  return sql`select distinct * from (${sql.join(byField, sql` union all `)})`
}

const idsByRole = ({ tenantId, organizationId }: OrganizationKey, roleId: string): SQL =>
  sql`select distinct ${organizationUserRoles.userId} from ${organizationUserRoles}
    indexed by organization_user_roles_role
    where ${organizationUserRoles.tenantId} = ${tenantId} and ${organizationUserRoles.roleId} = ${roleId}
      and ${organizationUserRoles.organizationId} = ${organizationId}`

const hasRole = ({ tenantId, organizationId }: OrganizationKey, roleId: string): SQL =>
  sql`exists (select 1 from ${organizationUserRoles} where ${organizationUserRoles.tenantId} = ${tenantId}
    and ${organizationUserRoles.organizationId} = ${organizationId}
    and ${organizationUserRoles.userId} = ${organizationUsers.userId}
    and ${organizationUserRoles.roleId} = ${roleId})`
