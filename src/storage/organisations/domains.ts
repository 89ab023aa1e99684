import { and, asc, eq, getTableColumns, isNotNull, lte, sql } from 'drizzle-orm'
import type { DomainJoinMode } from '../../contract/organisations/organizations.ts'
import { type Condition, not } from '../conditions.ts'
import type { Database } from '../database.ts'
import { organizationDomains as domains } from '../tables.ts'
import type { OrganizationKey } from './organizations.ts'

/** Domains of organisations and their proofs (spec/organisations#domains). `domain-members.ts` has their members. */

export type DomainKey = OrganizationKey & { domain: string }

const { tenantId: _tenantId, nextCheckAt: _next, ...listedColumns } = getTableColumns(domains)
export type DomainRow = Omit<typeof domains.$inferSelect, 'tenantId' | 'nextCheckAt'>

const matchesOrganization = ({ tenantId, organizationId }: OrganizationKey) =>
  and(eq(domains.tenantId, tenantId), eq(domains.organizationId, organizationId))

const matchesKey = (key: DomainKey) => and(matchesOrganization(key), eq(domains.domain, key.domain))

/** Selects the domains of an organisation, which are few. */
export const domainsQuery = (db: Database, key: OrganizationKey) =>
  db.select(listedColumns).from(domains).where(matchesOrganization(key)).orderBy(asc(domains.domain))

export const domainQuery = (db: Database, key: DomainKey) =>
  db.select(listedColumns).from(domains).where(matchesKey(key))

export const domainExists = (key: DomainKey): Condition =>
  sql`exists (select 1 from ${domains} where ${matchesKey(key)})`

/** Checks that no other organisation has proved the domain or one of which it is a subdomain. */
export const isProvedByNoOther = (
  { tenantId, organizationId }: OrganizationKey,
  domainAndParents: readonly string[],
): Condition =>
  sql`not exists (select 1 from ${domains} where ${domains.tenantId} = ${tenantId}
    and ${domains.domain} in (select value from json_each(${JSON.stringify(domainAndParents)}))
    and ${domains.verifiedAt} is not null and ${domains.organizationId} <> ${organizationId})`

export const hasFewerDomains = (key: OrganizationKey, most: number): Condition =>
  sql`(select count(*) from ${domains} where ${matchesOrganization(key)}) < ${most}`

type NewDomain = DomainKey & { token: string; join: DomainJoinMode; roleIds: readonly string[]; now: number }

/** Adds a domain if the condition holds. An organisation that has the domain already keeps its row and token. */
export const insertDomain = (
  db: Database,
  { tenantId, organizationId, domain, token, join, roleIds, now }: NewDomain,
  condition: Condition,
) =>
  db.all<{
    domain: string
  }>(sql`insert into ${domains} (tenant_id, organization_id, domain, token, join_mode, role_ids,
      created_at)
    select ${tenantId}, ${organizationId}, ${domain}, ${token}, ${join}, ${JSON.stringify(roleIds)}, ${now}
    where ${condition} on conflict do nothing returning domain`)

export const updateDomain = (
  db: Database,
  key: DomainKey,
  changes: Partial<Pick<DomainRow, 'join' | 'roleIds'>>,
) => db.update(domains).set(changes).where(matchesKey(key)).returning({ domain: domains.domain })

/** Removes a domain. Its members remain. */
export const deleteDomain = (db: Database, key: DomainKey) =>
  db.delete(domains).where(matchesKey(key)).returning({ domain: domains.domain })

/** The result of a check: whether the record was there, and when the domain is checked again. */
type Check = { isProved: boolean; now: number; nextCheckAt: number }

/**
 * Records a conclusive check of a domain whose token has not changed. A record that is there proves the domain, unless
 * another organisation has proved it; a missing one ends automatic joining of a domain that was proved.
 */
export const recordCheck = (
  db: Database,
  key: DomainKey & { token: string },
  { isProved, now, nextCheckAt }: Check,
  condition: Condition,
) =>
  db
    .update(domains)
    .set(
      isProved
        ? {
            verifiedAt: sql`coalesce(${domains.verifiedAt}, ${now})`,
            checkedAt: now,
            nextCheckAt,
            missedAt: null,
          }
        : {
            checkedAt: now,
            nextCheckAt,
            missedAt: sql`iif(${domains.verifiedAt} is null, null, coalesce(${domains.missedAt}, ${now}))`,
          },
    )
    .where(and(matchesKey(key), eq(domains.token, key.token), condition))
    .returning({ domain: domains.domain })

/** Checks that a check changes whether people join: the record was found for the first time or again, or was lost. */
export const changesProof = (key: DomainKey, isProved: boolean): Condition => {
  const isActive = sql`exists (select 1 from ${domains} where ${matchesKey(key)}
    and ${domains.verifiedAt} is not null and ${domains.missedAt} is null)`
  return isProved ? not(isActive) : isActive
}

/** Selects the proved domains of all tenants whose next check is due. */
export const dueChecksQuery = (db: Database, now: number, limit: number) =>
  db
    .select({
      tenantId: domains.tenantId,
      organizationId: domains.organizationId,
      domain: domains.domain,
      token: domains.token,
    })
    .from(domains)
    .where(and(isNotNull(domains.verifiedAt), lte(domains.nextCheckAt, now)))
    .orderBy(asc(domains.nextCheckAt))
    .limit(limit)

export const postponeCheck = (db: Database, key: DomainKey, nextCheckAt: number) =>
  db.update(domains).set({ nextCheckAt }).where(matchesKey(key))
