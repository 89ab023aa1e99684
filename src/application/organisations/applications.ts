import { invalidInput } from '../../contract/invalid-input.ts'
import { OWNER_ROLE } from '../../contract/organisations/organizations.ts'
import { refuseWith } from '../../contract/refused.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import {
  type ApplicationKey,
  addApplicationStatements,
  applicationRolesQuery,
  applicationTypesQuery,
  hasApplication,
  organizationApplicationQuery,
  removeApplicationFromOrganization,
  removeOtherApplicationRoles,
} from '../../storage/organisations/applications.ts'
import { rolePowersQuery } from '../../storage/organisations/authority.ts'
import {
  ensureOwnerRole,
  type OrganizationKey,
  organizationExists,
  organizationQuery,
} from '../../storage/organisations/organizations.ts'
import type { Guarded } from '../../storage/preconditions.ts'
import { describeRoles } from '../access/role-links.ts'
import { type AuditEntry, recordRefusals } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { refuseUnknownRole } from './members.ts'

/**
 * Changes which machine applications act for an organisation (spec/organisations#machines). Only operators and services
 * do this.
 */

type Store = Pick<Dependencies, 'db' | 'now'>
type Addition = OrganizationKey & {
  applicationIds: readonly string[]
  roleIds: readonly string[]
  audit: AuditEntry
}

/** Adds applications. Those that belong to the organisation already get the roles besides their own. */
export async function addOrganizationApplications(
  { db, now }: Store,
  { tenantId, organizationId, applicationIds, roleIds, audit }: Addition,
): Promise<void> {
  const key = { tenantId, organizationId }
  const { organization, types, roles } = await readTogether(db, {
    organization: organizationQuery(db, key),
    types: applicationTypesQuery(db, tenantId, applicationIds),
    roles: rolePowersQuery(db, tenantId, roleIds),
  })
  if (organization.length === 0) refuseWith('entity.not_exists_with_id', { id: organizationId })
  const unknown = applicationIds.find((id) => !types.some((application) => application.id === id))
  if (unknown !== undefined) refuseWith('entity.not_exists_with_id', { id: unknown })
  refuseUnknownRole(roleIds, roles)
  const issues = types.flatMap(({ id, type }) =>
    type === 'MachineToMachine'
      ? []
      : [{ path: ['applicationIds', applicationIds.indexOf(id)], message: 'must be a machine application' }],
  )
  if (issues.length > 0) throw invalidInput({ issues })

  const condition = organizationExists(key)
  await commitChange(db, {
    tenantId,
    condition,
    audit: audit.success(),
    statements: {
      ownerRole: roleIds.includes(OWNER_ROLE.id) ? ensureOwnerRole(db, tenantId) : undefined,
      ...addApplicationStatements(db, { ...key, applicationIds, roleIds, now: now() }, condition),
    },
  })
}

type Change = Guarded & ApplicationKey & { audit: AuditEntry }

export const replaceApplicationRoles = recordRefusals(async function replaceApplicationRoles(
  { db, now }: Store,
  {
    tenantId,
    organizationId,
    applicationId,
    roleIds,
    audit,
    preconditions,
  }: Change & { roleIds: readonly string[] },
): Promise<void> {
  const key = { tenantId, organizationId, applicationId }
  const { application, before, roles } = await readTogether(db, {
    application: organizationApplicationQuery(db, key),
    before: applicationRolesQuery(db, key),
    roles: rolePowersQuery(db, tenantId, roleIds),
  })
  if (application.length === 0) refuseWith('entity.not_found', { id: applicationId })
  refuseUnknownRole(roleIds, roles)
  const condition = hasApplication(key)
  const addition = { tenantId, organizationId, applicationIds: [applicationId], roleIds, now: now() }
  await commitChange(db, {
    tenantId,
    condition,
    preconditions,
    audit: audit.success(
      describeRoles(
        before.map(({ id }) => id),
        roleIds,
      ),
    ),
    statements: {
      ownerRole: roleIds.includes(OWNER_ROLE.id) ? ensureOwnerRole(db, tenantId) : undefined,
      removed: removeOtherApplicationRoles(db, key, roleIds),
      added: addApplicationStatements(db, addition, condition).roles,
    },
  })
})

export const removeOrganizationApplication = recordRefusals(async function removeOrganizationApplication(
  { db }: Pick<Store, 'db'>,
  { tenantId, organizationId, applicationId, audit }: Change,
): Promise<void> {
  const key = { tenantId, organizationId, applicationId }
  const { removed } = await commitChange(db, {
    tenantId,
    condition: hasApplication(key),
    audit: audit.success(),
    statements: { removed: removeApplicationFromOrganization(db, key) },
  })
  if (removed.length === 0) refuseWith('entity.not_found', { id: applicationId })
})
