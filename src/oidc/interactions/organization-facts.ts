import { isSameResource } from '../../contract/access/resource-names.ts'
import { PERSONAL } from '../../contract/organisations/organizations.ts'
import { indicatorSpellingsJson } from '../../storage/access/resources.ts'
import type { ReadTogether } from '../../storage/batches.ts'
import type { Database } from '../../storage/database.ts'
import type { ModelKey, ModelRow } from '../../storage/interactions/oidc-models.ts'
import {
  expectedOrganizationId,
  expectedOrganizationQuery,
} from '../../storage/interactions/organization-reads.ts'
import { membershipsOfUserQuery } from '../../storage/organisations/memberships.ts'
import {
  memberScopesQuery,
  type OrganizationScopeRow,
} from '../../storage/organisations/organization-scopes.ts'

/** A membership of a user, with the columns of the organisation that an authorization depends on. */
export type MembershipRow = Awaited<ReturnType<typeof membershipsOfUserQuery>>[number]

/** A row that may be a grant, which was read together with the scopes of its user in its organisation. */
export type GrantRow = ModelRow & { memberScopes?: readonly OrganizationScopeRow[] | null }

type Member = { userId: string; organizationId: string }

/** The organisations on which an authorization depends (spec/organisations#flow). */
export type OrganizationFacts = {
  /** Returns the memberships of a user, the last used first, or only that of one organisation. */
  memberships(userId: string, organizationId: string | undefined): Promise<readonly MembershipRow[]>
  /** Returns the scopes that a member's roles in an organisation give at a resource, which may be its own URN. */
  memberScopes(member: Member, indicator: string): Promise<readonly string[]>
}

/** The part of a user's organisations to read. `requested` is the only one that the request allows, if it names one. */
export type PrefetchedOrganizations = { requested: string | undefined; clientId: string | undefined }

type MemberQuery = Parameters<typeof memberScopesQuery>[2]

type Known = Partial<Pick<MemberQuery, 'userId' | 'indicators'>>

export function createOrganizationFacts(db: Database, tenantId: string, readTogether: ReadTogether) {
  const memberships = new Map<string, readonly MembershipRow[]>()
  const scopes = new Map<
    string,
    { rows: readonly OrganizationScopeRow[]; indicators: readonly string[] | null }
  >()
  const memberKey = ({ userId, organizationId }: Member) => JSON.stringify([userId, organizationId])
  const listKey = (userId: string, requested: string | undefined) =>
    JSON.stringify([userId, requested ?? null])

  const facts: OrganizationFacts = {
    async memberships(userId, organizationId) {
      const key = listKey(userId, organizationId)
      const cached =
        memberships.get(key) ??
        memberships.get(listKey(userId, undefined))?.filter(({ id }) => id === organizationId)
      if (cached) return cached
      const { rows } = await readTogether({
        rows: membershipsOfUserQuery(db, tenantId, userId, organizationId),
      })
      memberships.set(key, rows)
      return rows
    },
    async memberScopes(member, indicator) {
      const isOf = (row: OrganizationScopeRow) => isSameResource(row.indicator, indicator)
      const cached = scopes.get(memberKey(member))
      const isCached = cached?.indicators?.some((each) => isSameResource(each, indicator)) ?? true
      if (cached && isCached) return cached.rows.filter(isOf).map(({ name }) => name)
      const indicators = indicatorSpellingsJson([indicator])
      const { rows } = await readTogether({
        rows: memberScopesQuery(db, tenantId, { ...member, indicators }),
      })
      return rows.filter(isOf).map(({ name }) => name)
    },
  }

  function queries(
    keys: readonly ModelKey[],
    prefetch: PrefetchedOrganizations | undefined,
    { userId, indicators }: Known,
  ) {
    if (!prefetch || userId === undefined || prefetch.requested === PERSONAL)
      return { memberships: undefined, expectedOrganization: undefined, memberScopes: undefined }
    const organizationId = prefetch.requested ?? expectedOrganizationId(keys, prefetch.clientId)
    return {
      memberships: membershipsOfUserQuery(db, tenantId, userId, prefetch.requested),
      // Without scopes, the rows of `memberScopes` do not tell to which organisation they belong.
      expectedOrganization: indicators ? expectedOrganizationQuery(db, organizationId) : undefined,
      memberScopes: indicators
        ? memberScopesQuery(db, tenantId, { organizationId, userId, indicators })
        : undefined,
    }
  }

  /** Caches the results of `queries`. `resources` are the indicators that the request names. */
  function remember(
    results: OrganizationResults,
    rows: readonly GrantRow[],
    { prefetch, userId, resources }: Remembered,
  ) {
    for (const row of rows) {
      const organizationId = organizationOf(row)
      if (!row.accountId || organizationId === undefined || !row.memberScopes) continue
      // These are the scopes for all resources of the code or token.
      const member = { userId: row.accountId, organizationId }
      scopes.set(memberKey(member), { rows: row.memberScopes, indicators: null })
    }
    if (!prefetch || userId === undefined || prefetch.requested === PERSONAL) return
    memberships.set(listKey(userId, prefetch.requested), results.memberships)
    const organizationId = results.expectedOrganization[0]?.id
    if (organizationId && resources.length > 0)
      scopes.set(memberKey({ userId, organizationId }), { rows: results.memberScopes, indicators: resources })
  }

  return { facts, queries, remember }
}

type OrganizationResults = {
  memberships: readonly MembershipRow[]
  expectedOrganization: readonly { id: string | null }[]
  memberScopes: readonly OrganizationScopeRow[]
}

type Remembered = {
  prefetch: PrefetchedOrganizations | undefined
  userId: string | undefined
  resources: readonly string[]
}

/** The models whose rows contain the resources for which tokens are issued. */
export const issuingModels: ReadonlySet<string> = new Set(['AuthorizationCode', 'RefreshToken'])

const organizationOf = ({ modelName, payload }: ModelRow): string | undefined =>
  modelName === 'Grant' && typeof payload.organizationId === 'string' ? payload.organizationId : undefined
