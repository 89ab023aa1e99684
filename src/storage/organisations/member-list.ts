import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { readTogether } from '../batches.ts'
import type { Database } from '../database.ts'
import { organizationUserRoles, organizationUsers, users } from '../tables.ts'
import { cappedCount, cappedTotal, MAX_LIST_COUNT, type PageRange, pageOffset } from '../totals.ts'
import { MAX_PARAMETERS, SearchTooLargeError } from '../users/user-list.ts'
import { matchesSearch, testSearch, type UserSearch } from '../users/user-search.ts'
import { userColumns } from '../users/users.ts'
import { memberRolesJson, memberSourcesJson } from './member-columns.ts'
import type { MemberKey } from './memberships.ts'
import type { OrganizationKey } from './organizations.ts'

/**
 * The list of an organisation's members (spec/organisations#api). There may be 100,000 of them, so a search and a role
 * filter find their matches through an index. If the index finds more than 10,000 users, the filter is common, and the
 * newest 10,000 members are tested instead (ADR-0183).
 */

type Filter = { search?: UserSearch | undefined; roleId?: string | undefined }

/** Lists members, the newest first. */
export async function listMembers(
  db: Database,
  key: OrganizationKey,
  { search, roleId, ...page }: PageRange & Filter,
) {
  const { candidates, listed, isCommon } = selectMembers(key, {
    search: search?.terms.length ? search : undefined,
    roleId,
  })
  const range = { limit: page.pageSize, offset: pageOffset(page) }
  const query = pageQuery(db, key, { candidates, listed, ...range })
  if (query.toSQL().params.length > MAX_PARAMETERS) throw new SearchTooLargeError()
  const members = sql`select 1 from ${organizationUsers} where ${isOfOrganization(key)}`
  const { rows, counts } = await readTogether(db, {
    rows: query,
    counts: db.all<{ count: number; tested: number }>(
      sql`${candidates} select ${cappedCount(sql`select 1 from ${organizationUsers} where ${listed}`)} as count,
        case when ${isCommon} then ${cappedCount(members)} else 0 end as tested`,
    ),
  })
  const { total, isCapped } = cappedTotal(counts[0]?.count ?? 0)
  return { members: rows, total, isCapped: isCapped || cappedTotal(counts[0]?.tested ?? 0).isCapped }
}

type Range = { limit: number; offset: number }

/** Selects members of the list, as many as `limit`, without counting all of them. */
export const membersPageQuery = (
  db: Database,
  key: OrganizationKey,
  { search, ...range }: Range & { search: UserSearch | undefined },
) => pageQuery(db, key, { ...selectMembers(key, { search }), ...range })

function pageQuery(
  db: Database,
  { tenantId }: OrganizationKey,
  { candidates, listed, limit, offset }: Range & Pick<Selection, 'candidates' | 'listed'>,
) {
  const rowids = sql`${candidates} select rowid from ${organizationUsers} where ${listed} ${newestFirst}
    limit ${limit} offset ${offset}`
  return membersQuery(db, tenantId, sql`${organizationUsers}.rowid in (${rowids})`)
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

const newestFirst = sql`order by ${organizationUsers.createdAt} desc, ${organizationUsers.userId} desc`

const isOfOrganization = ({ tenantId, organizationId }: OrganizationKey): SQL =>
  sql`${organizationUsers.tenantId} = ${tenantId} and ${organizationUsers.organizationId} = ${organizationId}`

type Selection = {
  /** The WITH clause of a statement that contains the conditions. */
  candidates: SQL
  /** The condition for the listed members. */
  listed: SQL
  /** Whether only the newest members are tested. */
  isCommon: SQL
}

function selectMembers(key: OrganizationKey, { search, roleId }: Filter): Selection {
  const all = isOfOrganization(key)
  const ids = roleId === undefined ? search && idsBySearch(key.tenantId, search) : idsByRole(key, roleId)
  if (!ids) return { candidates: sql``, listed: all, isCommon: sql`false` }
  const limit = sql.raw(String(MAX_LIST_COUNT))
  const candidates = sql`with matches(user_id) as materialized (select * from (${ids}) limit ${limit} + 1)`
  const isCommon = sql`((select count(*) from matches) > ${limit})`
  const isFound =
    search &&
    sql`exists (select 1 from ${users} where ${users.tenantId} = ${key.tenantId}
      and ${users.id} = ${organizationUsers.userId} and ${testSearch(search)})`
  // The index has already applied the first filter, unless the newest members are tested.
  const firstTest = roleId === undefined ? isFound : hasRole(key, roleId)
  const secondTest = roleId !== undefined && isFound ? sql` and ${isFound}` : sql``
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

const idsBySearch = (tenantId: string, search: UserSearch): SQL =>
  sql`select ${users.id} from ${users} where ${matchesSearch({ tenantId }, search)}`

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
