import { and, eq, isNotNull, isNull, ne, type SQL, sql } from 'drizzle-orm'
import type { DomainJoinMode } from '../../contract/organisations/organizations.ts'
import { allOf, type Condition, not } from '../conditions.ts'
import type { Database } from '../database.ts'
import {
  organizationDomains as domains,
  organizationFormerUsers,
  organizations,
  organizationUsers,
  users,
} from '../tables.ts'
import { matchesAnyLookup, type UserLookup } from '../users/users.ts'
import { joinStatements } from './memberships.ts'

/** Lets people join the organisation that has proved the domain of their address (spec/organisations#joining). */

/** The domain of an address, in lower case. The part before the at sign never contains another one. */
const domainOf = (email: SQL | typeof users.primaryEmail) =>
  sql`lower(substr(${email}, instr(${email}, '@') + 1))`

/** Matches domains that are proved and whose record was there at the last check. */
const isActive = and(isNotNull(domains.verifiedAt), isNull(domains.missedAt))

/** A proved domain by which people join. Users who are members, or were and left, do not join automatically. */
export type JoiningDomain = {
  organizationId: string
  domain: string
  roleIds: readonly string[]
  excludedUserIds: readonly string[]
}

/**
 * Selects the domains by which the accounts of a sign-in, or somebody with one of these new addresses, can join
 * automatically. There are none in tenants whose organisations have no domains.
 */
export function automaticDomainsQuery(
  db: Database,
  tenantId: string,
  { lookups, addressDomains }: { lookups: readonly UserLookup[]; addressDomains: readonly string[] },
) {
  const accounts = matchesAnyLookup(tenantId, lookups)
  const excluded = (from: typeof organizationUsers | typeof organizationFormerUsers) =>
    sql`select other.user_id as id from ${from} as other where other.tenant_id = ${tenantId}
      and other.organization_id = ${domains.organizationId}
      and other.user_id in (select ${users.id} from ${users} where ${accounts})`
  return db
    .select({
      organizationId: domains.organizationId,
      domain: domains.domain,
      roleIds: domains.roleIds,
      excludedUserIds: sql<string>`(select json_group_array(id) from (${excluded(organizationUsers)}
        union ${excluded(organizationFormerUsers)}))`
        .mapWith((json: string): readonly string[] => JSON.parse(json))
        .as('excluded_user_ids'),
    })
    .from(domains)
    .where(
      and(
        eq(domains.tenantId, tenantId),
        isActive,
        eq(domains.join, 'automatic'),
        sql`${domains.domain} in (select value from json_each(${JSON.stringify(addressDomains)})
          union all select ${domainOf(users.primaryEmail)} from ${users} where ${accounts})`,
      ),
    )
}

type Joining = Pick<JoiningDomain, 'organizationId' | 'domain' | 'roleIds'> & {
  tenantId: string
  userId: string
  /** The ways of joining that the domain must still have. */
  modes: readonly DomainJoinMode[]
  now: number
}

/**
 * Returns the statements that make a user a member by the domain of their address, which must be verified in their
 * account when the statements run. They follow the statements that write the account.
 */
export function domainJoinStatements(
  db: Database,
  { tenantId, organizationId, domain, roleIds, userId, modes, now }: Joining,
  condition: Condition,
) {
  const owns = ownsAddressOf(tenantId, userId, domain)
  const isOpen = sql`exists (select 1 from ${domains} where ${and(
    eq(domains.tenantId, tenantId),
    eq(domains.organizationId, organizationId),
    eq(domains.domain, domain),
    isActive,
    sql`${domains.join} in (select value from json_each(${JSON.stringify(modes)}))`,
  )})`
  const mayJoin = allOf(condition, owns, isOpen)
  const joining = { tenantId, organizationId, userIds: [userId], roleIds, now }
  const { members, sources, roles } = joinStatements(
    db,
    { ...joining, source: 'domain', sourceId: '' },
    mayJoin,
  )
  return { mayJoin, statements: { members, sources, roles } }
}

/** Checks that the user has a verified address of the domain, and is not suspended. */
const ownsAddressOf = (tenantId: string, userId: string, domain: string): Condition =>
  sql`exists (select 1 from ${users} where ${and(
    eq(users.tenantId, tenantId),
    eq(users.id, userId),
    eq(users.emailVerified, true),
    eq(users.isSuspended, false),
    sql`${domainOf(users.primaryEmail)} = ${domain}`,
  )})`

/**
 * Selects the organisation that a user can join by the domain of their verified address, if there is one. It may suggest
 * to join, or may have let the user join automatically before.
 */
export const suggestedOrganizationsQuery = (db: Database, tenantId: string, userId: string) =>
  db
    .select({
      organizationId: domains.organizationId,
      name: organizations.name,
      brand: organizations.brand,
      domain: domains.domain,
      roleIds: domains.roleIds,
    })
    .from(users)
    .innerJoin(
      domains,
      and(
        eq(domains.tenantId, tenantId),
        sql`${domains.domain} = ${domainOf(users.primaryEmail)}`,
        isActive,
        ne(domains.join, 'off'),
      ),
    )
    .innerJoin(
      organizations,
      and(eq(organizations.tenantId, tenantId), eq(organizations.id, domains.organizationId)),
    )
    .where(
      and(
        eq(users.tenantId, tenantId),
        eq(users.id, userId),
        eq(users.emailVerified, true),
        not(sql`exists (select 1 from ${organizationUsers} where ${organizationUsers.tenantId} = ${tenantId}
          and ${organizationUsers.organizationId} = ${domains.organizationId}
          and ${organizationUsers.userId} = ${userId})`),
      ),
    )
