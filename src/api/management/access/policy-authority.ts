import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { MANAGEMENT_SCOPE } from '../../../contract/product.ts'
import type { AddedSecondFactorPolicy } from '../../../contract/tenants/settings.ts'
import { findMissingScopes } from '../../../domain/access/administration.ts'
import { isProtectedChange } from '../../../domain/access/protected-changes.ts'
import { type AddedPolicy, isLoosened } from '../../../domain/factors/second-factor-policy.ts'
import { readTogether } from '../../../storage/batches.ts'
import {
  applicationPolicyQuery,
  onlyPolicyQuery,
  type RemovedRoles,
  rolePolicyQuery,
  scopesLosingPolicyQuery,
} from '../../../storage/factors/second-factor-policies.ts'
import { type ManagementContext, requireFullAccess } from '../router.ts'

/**
 * Weakening a second-factor policy, or deleting the role or application that has one, can make it easier to sign in as
 * an administrator. Such changes require an owner who has signed in recently (spec/management#escalation).
 */

type PolicyChanges = {
  secondFactorPolicy?: AddedSecondFactorPolicy | null | undefined
  rememberDays?: number | null | undefined
}

/**
 * Returns the policy that applies after a change. If `changes` is null, the role or application is deleted together
 * with its policy.
 */
function policyAfter(stored: AddedPolicy, changes: PolicyChanges | null): AddedPolicy {
  if (!changes) return NO_POLICY
  const { secondFactorPolicy: policy = stored.policy, rememberDays = stored.rememberDays } = changes
  return { policy, rememberDays }
}

const NO_POLICY: AddedPolicy = { policy: null, rememberDays: null }

export const changesPolicy = (changes: PolicyChanges): boolean =>
  changes.secondFactorPolicy !== undefined || changes.rememberDays !== undefined

/**
 * Requires an owner if a change to a role's policy would make it easier to sign in as an administrator (`isProtected`).
 * If `changes` is null, the role is being deleted. `mustLeaveAPolicy` tells the caller to add the precondition
 * `remainingPolicyPrecondition` to the change. The caller also has to check for a recent sign-in.
 */
export async function requireOwnerToWeakenPolicy(
  dependencies: ProofStore,
  c: ManagementContext,
  roleId: string,
  changes: PolicyChanges | null,
): Promise<{ isProtected: boolean; mustLeaveAPolicy: boolean }> {
  const { tenantId } = c.var
  const { stored, scopesOfHolders, scopesOfAll } = await readTogether(dependencies.db, {
    stored: rolePolicyQuery(dependencies.db, tenantId, roleId),
    scopesOfHolders: scopesLosingPolicyQuery(dependencies.db, tenantId, { roleIds: [roleId] }),
    scopesOfAll: onlyPolicyQuery(dependencies.db, tenantId, roleId),
  })
  const before = stored[0] ?? NO_POLICY
  const after = policyAfter(before, changes)
  const losesPolicy = before.policy !== null && after.policy === null
  const isProtected =
    isLoosened(before, after) && requiresOwner(c, [...scopesOfHolders, ...(losesPolicy ? scopesOfAll : [])])
  const isOwner = c.var.scopes.has(MANAGEMENT_SCOPE.name)
  return { isProtected, mustLeaveAPolicy: losesPolicy && !isOwner }
}

/**
 * Requires an owner who has signed in recently if removing these roles from a user would weaken an administrator's
 * policy.
 */
export async function protectRoleRemoval(
  dependencies: ProofStore,
  c: ManagementContext,
  removed: RemovedRoles & { userId: string },
): Promise<void> {
  const scopes = await scopesLosingPolicyQuery(dependencies.db, c.var.tenantId, removed)
  if (requiresOwner(c, scopes)) await requireOperatorStepUp(dependencies, c.var)
}

/**
 * Requires an owner who has signed in recently if a change weakens an application's policy, because administrators may
 * sign in to every application. If `changes` is null, the application is to be deleted. Deletion is covered, because an
 * application could otherwise be deleted and created again without its policy.
 */
export async function protectApplication(
  dependencies: ProofStore,
  c: ManagementContext,
  applicationId: string,
  changes: PolicyChanges | null,
): Promise<void> {
  const [stored = NO_POLICY] =
    changes && !changesPolicy(changes)
      ? []
      : await applicationPolicyQuery(dependencies.db, c.var.tenantId, applicationId)
  const isWeaker = isLoosened(stored, policyAfter(stored, changes))
  if (isWeaker) requireFullAccess(c)
  if (isWeaker || (changes && isProtectedChange('application', changes)))
    await requireOperatorStepUp(dependencies, c.var)
}

type ProofStore = Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>

/**
 * Reports whether one of these scopes belongs to our own APIs. Holders of such a scope are administrators, so callers
 * who are not owners are rejected in that case.
 */
function requiresOwner(
  c: ManagementContext,
  scopes: readonly { indicator: string; name: string }[],
): boolean {
  if (findMissingScopes(new Set(), scopes).length === 0) return false
  requireFullAccess(c)
  return true
}
