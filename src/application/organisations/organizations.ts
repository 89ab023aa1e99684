import { OWNER_ROLE } from '../../contract/organisations/organizations.ts'
import { refuseWith } from '../../contract/refused.ts'
import { describeChanges } from '../../domain/audit-changes.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { ALWAYS_TRUE } from '../../storage/conditions.ts'
import { endOrganizationAuthorizations } from '../../storage/organisations/membership-authorizations.ts'
import { joinStatements, MANUAL } from '../../storage/organisations/memberships.ts'
import {
  deleteOrganization,
  ensureOwnerRole,
  hasCreatedFewerThan,
  insertOrganization,
  type NewOrganization,
  type OrganizationChanges,
  type OrganizationRow,
  organizationExists,
  organizationQuery,
  updateOrganization,
} from '../../storage/organisations/organizations.ts'
import type { Guarded, Precondition } from '../../storage/preconditions.ts'
import { getUser, userExists } from '../../storage/users/users.ts'
import { type AuditEntry, recordRefusals } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { refuseDuplicateId } from '../duplicate-id.ts'
import { dispatchHooks, type HookDispatch } from '../hooks/user-events.ts'
import { type ActingParty, actingRolesQuery, authorize, refuseUnknownOrganization } from './acting-party.ts'
import { checkOrganizationFields } from './check-fields.ts'

/** Creates, changes and deletes organisations (spec/organisations#model). */

type Sender = Pick<Dependencies, 'db' | 'deliveries' | 'now'>
type Changer = Sender & Pick<Dependencies, 'experience' | 'tenantSettings' | 'organizationExperiences'>

/** A change of an organisation. The caller has begun the audit entry with its `organizationId`. */
export type OrganizationChange = Guarded & {
  tenantId: string
  organizationId: string
  by: ActingParty
  audit: AuditEntry
  hooks: HookDispatch
}

type Creation = Pick<OrganizationChange, 'tenantId' | 'by' | 'audit' | 'hooks'> & {
  organization: Pick<NewOrganization, 'id' | 'name' | 'description' | 'customData' | 'policy' | 'brand'>
  /** The first owner. Users who create an organisation for themselves are its first owner. */
  ownerId?: string | undefined
}

/**
 * Creates an organisation, with its first owner if there is one. Users can create organisations for themselves where
 * the tenant allows it.
 */
export const createOrganization = recordRefusals(async function createOrganization(
  dependencies: Changer,
  { tenantId, by, audit, hooks, organization, ...creation }: Creation,
): Promise<OrganizationRow> {
  const { db, now } = dependencies
  const createdBy = by.kind === 'member' ? by.userId : null
  const ownerId = createdBy ?? creation.ownerId
  const preconditions = await requireCreation(dependencies, tenantId, createdBy)
  await checkOrganizationFields(dependencies, tenantId, organization)
  if (ownerId !== undefined && !(await getUser(db, tenantId, ownerId)))
    refuseWith('entity.not_found', { id: ownerId })

  const at = now()
  const { id } = organization
  const key = { tenantId, organizationId: id }
  const condition = ownerId === undefined ? ALWAYS_TRUE : userExists(tenantId, ownerId)
  const owners =
    ownerId === undefined
      ? undefined
      : joinStatements(db, { ...key, ...MANUAL, userIds: [ownerId], roleIds: [OWNER_ROLE.id], now: at })
  const { created, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    preconditions,
    audit: audit.success(),
    statements: {
      role: ensureOwnerRole(db, tenantId),
      created: insertOrganization(db, { ...organization, tenantId, createdAt: at, createdBy }, condition),
      ...owners,
    },
    outbox: {
      hooks: [{ event: 'Organization.Created', organizationId: id, actor: hooks.actor, now: at }],
    },
  }).catch(refuseDuplicateId('organizations', id))
  dependencies.organizationExperiences.forget(tenantId, id)
  dispatchHooks(dependencies, { tenantId, outboxIds }, hooks)
  return created[0] ?? refuseWith('entity.not_found', { id: ownerId })
})

/** Throws if users may not create organisations. Returns the precondition that the user has not created too many. */
async function requireCreation(
  { tenantSettings }: Pick<Dependencies, 'tenantSettings'>,
  tenantId: string,
  userId: string | null,
): Promise<Precondition[]> {
  if (userId === null) return []
  const { usersMayCreate, mostPerUser } = (await tenantSettings.get(tenantId)).organizations
  if (!usersMayCreate) refuseWith('organization.creation_not_allowed')
  const condition = hasCreatedFewerThan(tenantId, userId, mostPerUser)
  return [{ condition, code: 'organization.limit_reached' }]
}

export const changeOrganization = recordRefusals(async function changeOrganization(
  dependencies: Changer,
  {
    tenantId,
    organizationId,
    by,
    audit,
    hooks,
    changes,
    preconditions = [],
  }: OrganizationChange & { changes: OrganizationChanges },
): Promise<OrganizationRow> {
  const { db, now } = dependencies
  const key = { tenantId, organizationId }
  const { stored, own } = await readTogether(db, {
    stored: organizationQuery(db, key),
    own: actingRolesQuery(db, key, by),
  })
  const [organization] = stored
  if (!organization) refuseUnknownOrganization(by, organizationId)
  const authority = authorize(key, { by, own }, { permission: 'settings:manage' })
  if (Object.keys(changes).length === 0) return organization
  await checkOrganizationFields(dependencies, tenantId, changes)

  const { changed, outboxIds } = await commitChange(db, {
    tenantId,
    condition: organizationExists(key),
    preconditions: [...preconditions, ...authority],
    audit: audit.success(describeChanges(organization, { ...organization, ...changes })),
    statements: { changed: updateOrganization(db, key, changes) },
    outbox: { hooks: [{ event: 'Organization.Updated', organizationId, actor: hooks.actor, now: now() }] },
  })
  dependencies.organizationExperiences.forget(tenantId, organizationId)
  dispatchHooks(dependencies, { tenantId, outboxIds }, hooks)
  return changed[0] ?? refuseUnknownOrganization(by, organizationId)
})

/**
 * Deletes an organisation with its memberships, invitations and domains. Nobody is a member any more, so all grants for
 * it end, and applications get logout tokens (spec/organisations#revocation). Of its members, only owners may delete
 * it. The origin of `url` is that of the issuer that applications know.
 */
export const removeOrganization = recordRefusals(async function removeOrganization(
  dependencies: Sender & Pick<Dependencies, 'organizationExperiences'>,
  {
    tenantId,
    organizationId,
    url,
    by,
    audit,
    hooks,
    preconditions = [],
  }: OrganizationChange & { url: string },
): Promise<void> {
  const { db, now } = dependencies
  const key = { tenantId, organizationId }
  const { stored, own } = await readTogether(db, {
    stored: organizationQuery(db, key),
    own: actingRolesQuery(db, key, by),
  })
  if (stored.length === 0) refuseUnknownOrganization(by, organizationId)
  const authority = authorize(key, { by, own }, { permission: 'owner' })
  const condition = organizationExists(key)
  const ended = { ...key, issuer: `${new URL(url).origin}/oidc`, now: now() }
  const { deleted, logouts, outboxIds } = await commitChange(db, {
    tenantId,
    condition,
    preconditions: [...preconditions, ...authority],
    audit: audit.success(),
    statements: {
      ...endOrganizationAuthorizations(db, ended, condition),
      deleted: deleteOrganization(db, key),
    },
    outbox: {
      hooksBefore: [{ event: 'Organization.Deleted', organizationId, actor: hooks.actor, now: now() }],
    },
  })
  dispatchHooks(dependencies, { tenantId, outboxIds: [...outboxIds, ...logouts.map(({ id }) => id)] }, hooks)
  dependencies.organizationExperiences.forget(tenantId, organizationId)
  if (deleted.length === 0) refuseUnknownOrganization(by, organizationId)
})

export async function findOrganization(
  { db }: Pick<Dependencies, 'db'>,
  tenantId: string,
  organizationId: string,
): Promise<OrganizationRow> {
  const [organization] = await organizationQuery(db, { tenantId, organizationId })
  return organization ?? refuseWith('entity.not_exists_with_id', { id: organizationId })
}
