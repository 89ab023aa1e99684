import { z } from 'zod'
import { addRoleMembers, removeRoleMember } from '../../../application/access/role-links.ts'
import type { AuditEntry } from '../../../application/audit.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { toHookDispatch } from '../change.ts'
import { paginationQuery } from '../pagination.ts'
import { lastOwnerGuard, type ManagementContext } from '../router.ts'
import { searchQuery } from '../search.ts'
import { protectRoleRemoval } from './policy-authority.ts'

/** The query parameters of a list of the roles that a user or an application has. */
export const roleListQuery = z.object({
  ...paginationQuery,
  ...searchQuery,
  withInternal: z.enum(['true', 'false']).default('false'),
})

/**
 * Assigns roles to users and removes them again. Both the routes under a role and those under a user use these
 * functions.
 */

export async function assignRole(
  dependencies: Dependencies,
  c: ManagementContext,
  { roleId, userIds, beginAudit }: { roleId: string; userIds: readonly string[]; beginAudit(): AuditEntry },
): Promise<void> {
  await requireOperatorStepUp(dependencies, c.var)
  const { tenantId } = c.var
  await addRoleMembers(dependencies, {
    tenantId,
    kind: 'user',
    roleId,
    memberIds: userIds,
    audit: beginAudit(),
    hooks: toHookDispatch(c),
  })
}

export async function removeRole(
  dependencies: Dependencies,
  c: ManagementContext,
  { roleId, userId, beginAudit }: { roleId: string; userId: string; beginAudit(): AuditEntry },
): Promise<void> {
  await protectRoleRemoval(dependencies, c, { userId, roleIds: [roleId] })
  await removeRoleMember(dependencies, {
    tenantId: c.var.tenantId,
    kind: 'user',
    link: { roleId, memberId: userId },
    preconditions: lastOwnerGuard(c, { userId, roleId }),
    audit: beginAudit(),
    hooks: toHookDispatch(c),
  })
}
