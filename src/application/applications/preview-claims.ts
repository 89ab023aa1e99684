import type { ClaimTemplate } from '../../contract/applications/claim-template.ts'
import { refuseWith } from '../../contract/refused.ts'
import { claimedRoleNames } from '../../domain/access/administration.ts'
import { countBytes } from '../../domain/applications/claim-template.ts'
import { mayRequestResource } from '../../domain/applications/resource-access.ts'
import {
  areClaimsTooLarge,
  resolveClaims,
  toClaimSubject,
} from '../../domain/applications/template-claims.ts'
import { resourceByIdQuery } from '../../storage/access/resources.ts'
import { allScopesOfUserQuery, roleNamesQuery } from '../../storage/access/roles.ts'
import { storedApplicationQuery } from '../../storage/applications/applications.ts'
import { readTogether, type Statement } from '../../storage/batches.ts'
import type { Database } from '../../storage/database.ts'
import { userQuery } from '../../storage/interactions/oidc-reads.ts'
import type { Dependencies } from '../dependencies.ts'
import { refuseTemplate } from './application-checks.ts'

type Preview = {
  tenantId: string
  id: string
  userId: string
  /** The template to use instead of the stored one. */
  claims: ClaimTemplate | null | undefined
}

/**
 * Returns the claims that the ID tokens of a user would contain for an application that requests all scopes of its APIs
 * (spec/management#claims-preview).
 */
export async function previewApplicationClaims({ db }: Pick<Dependencies, 'db'>, preview: Preview) {
  const { tenantId, id } = preview
  const { owner, ...facts } = await readFacts(db, preview, storedApplicationQuery(db, tenantId, id))
  const { claims, customClientMetadata } = owner
  const scopes = facts.scopes.filter(({ indicator }) =>
    mayRequestResource(customClientMetadata, indicator, 'user'),
  )
  return toPreview('application', preview, { ...facts, claims, scopes: scopes.map(({ name }) => name) })
}

/** Returns the claims that the access tokens of a user would contain if all scopes of the resource were requested. */
export async function previewResourceClaims({ db }: Pick<Dependencies, 'db'>, preview: Preview) {
  const { tenantId, id } = preview
  const { owner, ...facts } = await readFacts(db, preview, resourceByIdQuery(db, tenantId, id))
  const { claims, indicator } = owner
  const scopes = facts.scopes.filter((scope) => scope.indicator === indicator)
  return toPreview('resource', preview, { ...facts, claims, scopes: scopes.map(({ name }) => name) })
}

/** Reads the owner of the template, the user, and the user's roles and scopes in one round trip. */
async function readFacts<Owner extends Statement>(
  db: Database,
  { tenantId, id, userId }: Preview,
  ownerQuery: Owner,
) {
  const { owners, users, roles, scopes } = await readTogether(db, {
    owners: ownerQuery,
    users: userQuery(db, tenantId, userId),
    roles: roleNamesQuery(db, tenantId, userId),
    scopes: allScopesOfUserQuery(db, tenantId, userId),
  })
  const owner = owners[0] ?? refuseWith('entity.not_exists_with_id', { id })
  const user = users[0] ?? refuseWith('entity.not_exists_with_id', { id: userId })
  return { owner, user, roles: claimedRoleNames(roles.map(({ name }) => name)), scopes }
}

type Facts = {
  claims: ClaimTemplate | null
  user: Parameters<typeof toClaimSubject>[0]
  roles: readonly string[]
  scopes: readonly string[]
}

function toPreview(
  kind: 'application' | 'resource',
  { claims: given }: Preview,
  { claims: stored, user, roles, scopes }: Facts,
) {
  refuseTemplate(given, kind)
  const template = given === undefined ? stored : given
  const subject = toClaimSubject(user, { roles, scopes: [...new Set(scopes)] })
  const claims = resolveClaims(template ?? {}, subject)
  return { claims, size: countBytes(claims), isTooLarge: areClaimsTooLarge(claims) }
}
