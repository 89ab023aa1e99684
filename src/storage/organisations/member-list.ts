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
  const { listed, tested } = conditionsOf(key, { search: search?.terms.length ? search : undefined, roleId })
  const query = pageQuery(db, key, { listed, limit: page.pageSize, offset: pageOffset(page) })
  if (query.toSQL().params.length > MAX_PARAMETERS) throw new SearchTooLargeError()
  const { rows, counts } = await readTogether(db, {
    rows: query,
    counts: db.all<{ count: number; tested: number }>(
      sql`select ${cappedCount(sql`select 1 from ${organizationUsers} where ${listed}`)} as count,
        ${tested} as tested`,
    ),
  })
  const { total, isCapped } = cappedTotal(counts[0]?.count ?? 0)
  return { members: rows, total, isCapped: isCapped || (counts[0]?.tested ?? 0) > MAX_LIST_COUNT }
}

/** Selects some members of the list, as many as `limit`, without counting them. */
export const membersPageQuery = (
  db: Database,
  key: OrganizationKey,
  { search, limit, offset }: { search: UserSearch | undefined; limit: number; offset: number },
) => pageQuery(db, key, { listed: conditionsOf(key, { search }).listed, limit, offset })

function pageQuery(
  db: Database,
  key: OrganizationKey,
  { listed, limit, offset }: { listed: SQL; limit: number; offset: number },
) {
  const newestFirst = sql`order by ${organizationUsers.createdAt} desc, ${organizationUsers.userId} desc`
  const rowids = sql`select rowid from ${organizationUsers} where ${listed} ${newestFirst}
    limit ${limit} offset ${offset}`
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

const isOfOrganization = ({ tenantId, organizationId }: OrganizationKey): SQL =>
  sql`${organizationUsers.tenantId} = ${tenantId} and ${organizationUsers.organizationId} = ${organizationId}`

type Conditions = {
  listed: SQL
  /** The number of members to test, if only the newest ones are tested, and otherwise 0. */
  tested: SQL
}

function conditionsOf(key: OrganizationKey, { search, roleId }: Filter): Conditions {
  const all = isOfOrganization(key)
  const ids = roleId === undefined ? search && idsBySearch(key.tenantId, search) : idsByRole(key, roleId)
  if (!ids) return { listed: all, tested: sql`0` }
  const limit = sql.raw(String(MAX_LIST_COUNT))
  const isCommon = sql`(${cappedCount(ids)} > ${limit})`
  const isFound =
    search &&
    sql`exists (select 1 from ${users} where ${users.tenantId} = ${key.tenantId}
    and ${users.id} = ${organizationUsers.userId} and ${testSearch(search)})`
  const isTested =
    roleId === undefined ? isFound : sql`${hasRole(key, roleId)}${isFound ? sql` and ${isFound}` : sql``}`
  const alreadyFound = roleId === undefined ? sql`not ${isCommon} or ` : sql``
  const candidates = sql`select * from (${ids} limit case when ${isCommon} then 0 else -1 end)
    union all select * from (select ${organizationUsers.userId} from ${organizationUsers} where ${all}
      order by ${organizationUsers.createdAt} desc, ${organizationUsers.userId} desc
      limit case when ${isCommon} then ${limit} else 0 end)`
  return {
    listed: sql`${all} and ${organizationUsers.userId} in (${candidates}) and (${alreadyFound}${isTested})`,
    tested: sql`case when ${isCommon} then ${cappedCount(sql`select 1 from ${organizationUsers} where ${all}`)} else 0 end`,
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
