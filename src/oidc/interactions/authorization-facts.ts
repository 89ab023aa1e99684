import { isRecord } from '../../contract/is-record.ts'
import type { ConsentRow } from '../../domain/applications/consent.ts'
import type { RememberedUser } from '../../domain/sessions/remembered-accounts.ts'
import {
  findResourceByName,
  indicatorSpellingsJson,
  type ResourceRow,
  resourceQuery,
  resourcesByNameQuery,
} from '../../storage/access/resources.ts'
import { scopesByResourceNameQuery, userScopesQuery } from '../../storage/access/roles.ts'
import { consentQuery } from '../../storage/applications/consents.ts'
import type { ReadTogether } from '../../storage/batches.ts'
import type { Database } from '../../storage/database.ts'
import type { ModelKey, ModelRow } from '../../storage/interactions/oidc-models.ts'
import { interactionUserId, sessionUserId, tokenResources } from '../../storage/interactions/oidc-reads.ts'
import type { OrganizationScopeRow } from '../../storage/organisations/organization-scopes.ts'
import { rememberedUsersQuery } from '../../storage/sessions/remembered-users.ts'
import {
  createOrganizationFacts,
  type GrantRow,
  issuingModels,
  type MembershipRow,
  type OrganizationFacts,
  type PrefetchedOrganizations,
} from './organization-facts.ts'

/**
 * Our own data on which an authorization depends: resources, the user's scopes for them and, for third-party
 * applications, the user's consents. If a request is known to need them, they are read together with its first row.
 */
export type AuthorizationFacts = OrganizationFacts & {
  /** Finds a resource by any equivalent form of its name (spec/provider#resource-names). */
  resource(indicator: string): Promise<ResourceRow | null>
  userScopes(userId: string, indicator: string): Promise<readonly string[]>
  consents(userId: string, applicationId: string): Promise<readonly ConsentRow[]>
  /** Returns the users among those that the browser remembers (spec/accounts#remembered-account). */
  rememberedUsers(ids: readonly string[]): Promise<readonly RememberedUser[]>
}

export type PrefetchedFacts = {
  /** The resources that the request names. Those of a code or refresh token are read together with that token. */
  resources: readonly string[]
  /**
   * The id of the requesting application if it is a third party, which requires the user's consents
   * (spec/provider#consent).
   */
  thirdParty: string | undefined
  /**
   * The user who signs in with this request, if known. Otherwise, the user is the one of the interaction or session.
   */
  userId?: string | undefined
  /** The part of the user's organisations to read, if the application uses organisations. */
  organizations?: PrefetchedOrganizations | undefined
  /** The ids of the users that the browser remembers, if the request may lead to a sign-in page. */
  rememberedUsers?: readonly string[]
}

export function createAuthorizationFacts(db: Database, tenantId: string, readTogether: ReadTogether) {
  const resources = new Map<string, ResourceRow>()
  const scopes = new Map<string, readonly string[]>()
  const consents = new Map<string, readonly ConsentRow[]>()
  const organizations = createOrganizationFacts(db, tenantId, readTogether)
  let rememberedUsers: readonly RememberedUser[] | undefined
  const pairKey = (one: string, other: string) => JSON.stringify([one, other])

  const facts: AuthorizationFacts = {
    ...organizations.facts,
    async resource(indicator) {
      const cached = findResourceByName(resources.values(), indicator)
      if (cached) return cached
      const { rows } = await readTogether({ rows: resourceQuery(db, tenantId, indicator) })
      return findResourceByName(rows, indicator)
    },
    async userScopes(userId, indicator) {
      const cached = scopes.get(pairKey(userId, indicator))
      if (cached) return cached
      const { rows } = await readTogether({ rows: userScopesQuery(db, tenantId, userId, indicator) })
      return rows.map(({ name }) => name)
    },
    async consents(userId, applicationId) {
      const cached = consents.get(pairKey(userId, applicationId))
      if (cached) return cached
      const { rows } = await readTogether({ rows: consentQuery(db, { tenantId, userId, applicationId }) })
      return rows
    },
    async rememberedUsers(ids) {
      if (rememberedUsers) return rememberedUsers
      const { rows } = await readTogether({ rows: rememberedUsersQuery(db, tenantId, ids) })
      return rows
    },
  }

  return {
    facts,
    /** Returns the queries to add to the batch that reads the rows with these `keys`. */
    queries(keys: readonly ModelKey[], prefetch: PrefetchedFacts) {
      const source = keys.find(({ modelName }) => issuingModels.has(modelName))
      const requestedIndicators =
        prefetch.resources.length > 0 ? indicatorSpellingsJson(prefetch.resources) : undefined
      const indicators = source ? tokenResources(source) : requestedIndicators
      const userId = prefetch.userId ?? userIn(keys)
      const { thirdParty: applicationId } = prefetch
      return {
        resources: indicators && resourcesByNameQuery(db, tenantId, indicators),
        scopes:
          indicators && userId !== undefined
            ? scopesByResourceNameQuery(db, tenantId, { userId, indicators })
            : undefined,
        consents:
          applicationId !== undefined && userId !== undefined
            ? consentQuery(db, { tenantId, userId, applicationId })
            : undefined,
        ...organizations.queries(keys, prefetch.organizations, { userId, indicators }),
        rememberedUsers:
          prefetch.rememberedUsers && rememberedUsersQuery(db, tenantId, prefetch.rememberedUsers),
      }
    },
    remember(results: QueryResults, rows: readonly GrantRow[], { thirdParty, ...prefetch }: PrefetchedFacts) {
      if (prefetch.rememberedUsers) rememberedUsers = results.rememberedUsers
      for (const resource of results.resources) resources.set(resource.indicator, resource)
      const userId = prefetch.userId ?? userOf(rows)
      const { organizations: organizationsToRead, resources: indicators } = prefetch
      organizations.remember(results, rows, {
        prefetch: organizationsToRead,
        userId,
        resources: indicators,
      })
      if (userId === undefined) return
      for (const { indicator } of results.resources) {
        const scopesOfResource = results.scopes.filter((scope) => scope.indicator === indicator)
        scopes.set(
          pairKey(userId, indicator),
          scopesOfResource.map(({ name }) => name),
        )
      }
      if (thirdParty !== undefined) consents.set(pairKey(userId, thirdParty), results.consents)
    },
  }
}

type QueryResults = {
  resources: readonly ResourceRow[]
  scopes: readonly { indicator: string; name: string }[]
  consents: readonly ConsentRow[]
  memberships: readonly MembershipRow[]
  expectedOrganization: readonly { id: string | null }[]
  memberScopes: readonly OrganizationScopeRow[]
  rememberedUsers: readonly RememberedUser[]
}

/**
 * Returns a subquery for the user of the rows with these keys. It is a subquery, because the rows themselves are read
 * in the same batch. `userOf` returns the user of a row that has already been read.
 */
function userIn(keys: readonly ModelKey[]) {
  const interaction = keys.find(({ modelName }) => modelName === 'Interaction')
  if (interaction) return interactionUserId(interaction)
  const session = keys.find(({ modelName }) => modelName === 'Session')
  return session && sessionUserId(session)
}

function userOf(rows: readonly ModelRow[]): string | undefined {
  const interaction = rows.find(({ modelName }) => modelName === 'Interaction')
  if (!interaction) return rows.find(({ modelName }) => modelName === 'Session')?.accountId ?? undefined
  const { result, session } = interaction.payload
  const login = isRecord(result) ? result.login : undefined
  const accountId = accountIn(login) ?? accountIn(session)
  return typeof accountId === 'string' ? accountId : undefined
}

const accountIn = (value: unknown) => (isRecord(value) ? value.accountId : undefined)
