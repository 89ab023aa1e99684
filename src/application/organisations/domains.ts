import type {
  OrganizationDomainCreation,
  OrganizationDomainPatch,
} from '../../contract/organisations/domains.schema.ts'
import { parentDomains } from '../../contract/organisations/domains.ts'
import { refuseWith } from '../../contract/refused.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange, notAudited } from '../../storage/commit.ts'
import { allOf, not } from '../../storage/conditions.ts'
import { randomId } from '../../storage/ids.ts'
import {
  roleIdList,
  rolePowersQuery,
  rolesExist,
  toRolePowers,
} from '../../storage/organisations/authority.ts'
import {
  type DomainKey,
  deleteDomain,
  domainExists,
  domainQuery,
  domainsQuery,
  hasFewerDomains,
  insertDomain,
  isProvedByNoOther,
  updateDomain,
} from '../../storage/organisations/domains.ts'
import {
  type OrganizationKey,
  organizationExists,
  organizationQuery,
} from '../../storage/organisations/organizations.ts'
import type { Guarded, Precondition } from '../../storage/preconditions.ts'
import { type AttemptDependencies, requireAttempts } from '../attempts.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { type ActingParty, actingRolesQuery, authorize, refuseUnknownOrganization } from './acting-party.ts'
import { checkDomain, recordStatements } from './domain-check.ts'
import { refuseUnknownRole } from './members.ts'

/** Adds, proves, changes and removes domains of organisations (spec/organisations#domains). */

type Change = { by: ActingParty; audit: AuditEntry }
type Store = Pick<Dependencies, 'db' | 'now'>

/** The number of domains of an organisation. Our choice: a group of companies has fewer. */
const MAX_DOMAINS = 50
/** The number of characters in a token: 32 letters and digits give 190 bits of entropy. */
const TOKEN_LENGTH = 32

/** Adds a domain, which does nothing until it is proved. */
export async function addDomain(
  dependencies: Store,
  key: OrganizationKey,
  {
    by,
    audit,
    creation: { domain, join, roleIds: named },
  }: Change & { creation: OrganizationDomainCreation },
): Promise<void> {
  const { db, now } = dependencies
  const roleIds = [...new Set(named)]
  audit.add({ domain, roleIds })
  const { authority, own } = await authorizeDomain(dependencies, key, by, { roleIds })
  if (own.some((existing) => existing.domain === domain)) refuseWith('entity.id_in_use')
  const { findDomainProblem } = await import('../../domain/organisations/domain-data.ts')
  const reason = findDomainProblem(domain)
  if (reason) refuseWith('organization.domain_not_allowed', { domain, reason })
  const condition = allOf(
    organizationExists(key),
    rolesExist(key.tenantId, roleIdList(roleIds)),
    isProvedByNoOther(key, [domain, ...parentDomains(domain)]),
    not(domainExists({ ...key, domain })),
  )
  const isBelowLimit: Precondition = {
    condition: hasFewerDomains(key, MAX_DOMAINS),
    code: 'organization.domain_limit_reached',
  }
  const row = { ...key, domain, token: randomId(TOKEN_LENGTH), join, roleIds, now: now() }
  const { created } = await commitChange(db, {
    tenantId: key.tenantId,
    condition,
    preconditions: [...authority, isBelowLimit],
    audit: audit.success(),
    statements: { created: insertDomain(db, row, condition) },
  })
  if (created.length === 0) refuseWith('organization.domain_in_use')
}

/**
 * Checks the record of a domain now, and proves the domain if two resolvers see it. Of two organisations that prove the
 * same domain, the first succeeds.
 */
export async function verifyDomain(
  dependencies: Store & AttemptDependencies & Pick<Dependencies, 'network'>,
  key: DomainKey,
  { by, audit }: Change,
): Promise<void> {
  const { db } = dependencies
  audit.add({ domain: key.domain })
  const { authority, domain } = await authorizeExisting(dependencies, key, by, [])
  const attempt = { limit: 'organizationDomainChecks', id: key.organizationId } as const
  await requireAttempts(dependencies, key.tenantId, [attempt])
  const result = await checkDomain(dependencies, domain)
  const isProved = result === 'proved'
  if (isProved || result === 'missing') {
    const { mayProve, recorded } = recordStatements(dependencies, { ...key, token: domain.token }, isProved)
    const change = await commitChange(db, {
      tenantId: key.tenantId,
      condition: allOf(domainExists(key), mayProve),
      preconditions: authority,
      // A miss fails the call, which records it.
      audit: isProved ? audit.success() : notAudited('the failed call is audited'),
      statements: { recorded },
    })
    if (isProved && change.recorded.length === 0) refuseWith('organization.domain_in_use')
  }
  if (!isProved) refuseWith('organization.domain_unproved', { domain: key.domain, reason: result })
}

/** Changes who joins by a domain, and with which roles. A member needs authority over the roles before and after. */
export async function changeDomain(
  dependencies: Pick<Dependencies, 'db'>,
  key: DomainKey,
  { by, audit, changes, preconditions = [] }: Change & Guarded & { changes: OrganizationDomainPatch },
): Promise<void> {
  const { db } = dependencies
  const roleIds = changes.roleIds && [...new Set(changes.roleIds)]
  audit.add({ domain: key.domain, ...(roleIds && { roleIds }) })
  const { authority } = await authorizeExisting(dependencies, key, by, roleIds ?? [])
  const { changed } = await commitChange(db, {
    tenantId: key.tenantId,
    condition: domainExists(key),
    preconditions: [...preconditions, ...authority],
    audit: audit.success(),
    statements: {
      changed: updateDomain(db, key, {
        ...(changes.join && { join: changes.join }),
        ...(roleIds && { roleIds }),
      }),
    },
  })
  if (changed.length === 0) refuseWith('entity.not_found')
}

/** Removes a domain with its proof. Members who joined by it remain. */
export async function removeDomain(
  { db }: Pick<Dependencies, 'db'>,
  key: DomainKey,
  { by, audit, preconditions = [] }: Change & Guarded,
): Promise<void> {
  audit.add({ domain: key.domain })
  const { authority } = await authorizeExisting({ db }, key, by, [])
  const { removed } = await commitChange(db, {
    tenantId: key.tenantId,
    condition: domainExists(key),
    preconditions: [...preconditions, ...authority],
    audit: audit.success(),
    statements: { removed: deleteDomain(db, key) },
  })
  if (removed.length === 0) refuseWith('entity.not_found')
}

type Roles = {
  /** The roles that people who join get from now on. They have to exist. */
  roleIds: readonly string[]
  /** The roles that they got before. */
  former?: readonly string[]
}

/** Reads the domains of an organisation, and throws if the party may not change them or give their roles. */
async function authorizeDomain(
  { db }: Pick<Dependencies, 'db'>,
  key: OrganizationKey,
  by: ActingParty,
  { roleIds, former = [] }: Roles,
) {
  const all = [...roleIds, ...former]
  const { acting, organizations, roles, own } = await readTogether(db, {
    acting: actingRolesQuery(db, key, by),
    organizations: organizationQuery(db, key),
    roles: rolePowersQuery(db, key.tenantId, all),
    own: domainsQuery(db, key),
  })
  if (organizations.length === 0) refuseUnknownOrganization(by, key.organizationId)
  const powers = toRolePowers(roles)
  const authority = authorize(
    key,
    { by, own: acting },
    { permission: 'domains:manage', roles: { powers, inBatch: roleIdList(all) } },
  )
  refuseUnknownRole(roleIds, powers)
  return { authority, own }
}

/** Like `authorizeDomain`, for a domain that the organisation has. */
async function authorizeExisting(
  dependencies: Pick<Dependencies, 'db'>,
  key: DomainKey,
  by: ActingParty,
  roleIds: readonly string[],
) {
  const [existing] = await domainQuery(dependencies.db, key)
  const former = existing?.roleIds ?? []
  const { authority } = await authorizeDomain(dependencies, key, by, { roleIds, former })
  return existing ? { authority, domain: existing } : refuseWith('entity.not_found')
}
