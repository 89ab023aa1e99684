import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { MANAGEMENT_SCOPE } from '../../../contract/product.ts'
import type { AddedSecondFactorPolicy } from '../../../contract/tenants/settings.ts'
import { missingScopes } from '../../../domain/access/administration.ts'
import { isProtectedChange } from '../../../domain/access/protected-changes.ts'
import { type AddedPolicy, isLessStrict } from '../../../domain/factors/second-factor-policy.ts'
import { readTogether } from '../../../storage/batches.ts'
import {
  applicationPolicyQuery,
  onlyPolicyQuery,
  type RemovedRoles,
  rolePolicyQuery,
  scopesLosingPolicyQuery,
} from '../../../storage/factors/second-factor-policies.ts'
import { type ManagementContext, requireAll } from '../router.ts'

/**
 * Nobody but an owner who has signed in lately makes sign-ins of administrators easier (spec/management#escalation): by
 * another policy of second factors, and by taking away what has one.
 */

type PolicyChanges = {
  secondFactorPolicy?: AddedSecondFactorPolicy | null | undefined
  rememberDays?: number | null | undefined
}

/** Changes that are null delete the application or role, and its policy with it. */
function policyAfter(stored: AddedPolicy, changes: PolicyChanges | null): AddedPolicy {
  if (!changes) return NOTHING
  const { secondFactorPolicy: policy = stored.policy, rememberDays = stored.rememberDays } = changes
  return { policy, rememberDays }
}

const NOTHING: AddedPolicy = { policy: null, rememberDays: null }

export const changesPolicy = (changes: PolicyChanges): boolean =>
  changes.secondFactorPolicy !== undefined || changes.rememberDays !== undefined

/**
 * Before a role asks for something else or, with null, is deleted: refuses whoever is no owner if administrators are asked for
 * less by that, and answers whether they are, and whether the change must leave another policy (`leavingAPolicy`). A recent sign-in is left to the caller.
 */
export async function requireOwnerToAskLess(
  dependencies: ProofStore,
  c: ManagementContext,
  roleId: string,
  changes: PolicyChanges | null,
): Promise<{ isProtected: boolean; mustLeaveAPolicy: boolean }> {
  const { tenantId } = c.var
  const { stored, ofHolders, ofAll } = await readTogether(dependencies.db, {
    stored: rolePolicyQuery(dependencies.db, tenantId, roleId),
    ofHolders: scopesLosingPolicyQuery(dependencies.db, tenantId, { roleIds: [roleId] }),
    ofAll: onlyPolicyQuery(dependencies.db, tenantId, roleId),
  })
  const before = stored[0] ?? NOTHING
  const after = policyAfter(before, changes)
  const losesPolicy = before.policy !== null && after.policy === null
  const isProtected =
    isLessStrict(before, after) && requiresOwner(c, [...ofHolders, ...(losesPolicy ? ofAll : [])])
  const isOwner = c.var.scopes.has(MANAGEMENT_SCOPE.name)
  return { isProtected, mustLeaveAPolicy: losesPolicy && !isOwner }
}

/** Before roles are taken from a user. */
export async function protectRemovedRoles(
  dependencies: ProofStore,
  c: ManagementContext,
  removed: RemovedRoles & { userId: string },
): Promise<void> {
  const scopes = await scopesLosingPolicyQuery(dependencies.db, c.var.tenantId, removed)
  if (requiresOwner(c, scopes)) await requireOperatorStepUp(dependencies, c.var)
}

/**
 * Before an application is changed or, with null, deleted, after which it can be created again without its policy.
 * Administrators may sign in at each application.
 */
export async function protectApplication(
  dependencies: ProofStore,
  c: ManagementContext,
  applicationId: string,
  changes: PolicyChanges | null,
): Promise<void> {
  const [stored = NOTHING] =
    changes && !changesPolicy(changes)
      ? []
      : await applicationPolicyQuery(dependencies.db, c.var.tenantId, applicationId)
  const isWeaker = isLessStrict(stored, policyAfter(stored, changes))
  if (isWeaker) requireAll(c)
  if (isWeaker || (changes && isProtectedChange('application', changes)))
    await requireOperatorStepUp(dependencies, c.var)
}

type ProofStore = Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>

/** Whether an administrator is among those who hold these scopes, which only an owner may decide about. */
function requiresOwner(
  c: ManagementContext,
  scopes: readonly { indicator: string; name: string }[],
): boolean {
  if (missingScopes(new Set(), scopes).length === 0) return false
  requireAll(c)
  return true
}
