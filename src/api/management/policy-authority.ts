import type { Dependencies } from '../../application/dependencies.ts'
import type { AddedSecondFactorPolicy } from '../../contract/settings.ts'
import { lackedScopes } from '../../domain/administration.ts'
import { isProtectedApplicationChange } from '../../domain/protected-changes.ts'
import { type Asking, asksForLess } from '../../domain/second-factor-policy.ts'
import { readTogether } from '../../storage/batches.ts'
import {
  applicationPolicyQuery,
  onlyPolicyQuery,
  rolePolicyQuery,
  scopesLosingPolicyQuery,
  type TakenRoles,
} from '../../storage/second-factor-policies.ts'
import { type ManagementContext, requireAll, requireRecentOperator } from './router.ts'

/**
 * Nobody but an owner who has signed in lately makes sign-ins of administrators easier (spec/management#escalation): by
 * another policy of second factors, and by taking away what has one.
 */

type AskingChanges = {
  secondFactorPolicy?: AddedSecondFactorPolicy | null | undefined
  rememberDays?: number | null | undefined
}

/** Null deletes what asks. */
function askingAfter(stored: Asking, changes: AskingChanges | null): Asking {
  if (!changes) return NOTHING
  const { secondFactorPolicy: policy = stored.policy, rememberDays = stored.rememberDays } = changes
  return { policy, rememberDays }
}

const NOTHING: Asking = { policy: null, rememberDays: null }

export const changesAsking = (changes: AskingChanges): boolean =>
  changes.secondFactorPolicy !== undefined || changes.rememberDays !== undefined

/** Before a role asks for something else or, with null, is deleted. */
export async function protectRolePolicy(
  dependencies: ProofStore,
  c: ManagementContext,
  roleId: string,
  changes: AskingChanges | null,
): Promise<void> {
  const { tenantId } = c.var
  const { stored, ofHolders, ofAll } = await readTogether(dependencies.db, {
    stored: rolePolicyQuery(dependencies.db, tenantId, roleId),
    ofHolders: scopesLosingPolicyQuery(dependencies.db, tenantId, { roleIds: [roleId] }),
    ofAll: onlyPolicyQuery(dependencies.db, tenantId, roleId),
  })
  const before = stored[0] ?? NOTHING
  const after = askingAfter(before, changes)
  if (!asksForLess(before, after)) return
  await requireOwnerOver(dependencies, c, [...ofHolders, ...(before.policy && !after.policy ? ofAll : [])])
}

/** Before roles are taken from a user. */
export async function protectTakenRoles(
  dependencies: ProofStore,
  c: ManagementContext,
  taken: TakenRoles & { userId: string },
): Promise<void> {
  await requireOwnerOver(
    dependencies,
    c,
    await scopesLosingPolicyQuery(dependencies.db, c.var.tenantId, taken),
  )
}

/**
 * Before an application is changed or, with null, deleted, after which it can be created again without its policy.
 * Administrators may sign in at each application.
 */
export async function protectApplication(
  dependencies: ProofStore,
  c: ManagementContext,
  applicationId: string,
  changes: AskingChanges | null,
): Promise<void> {
  const [stored = NOTHING] =
    changes && !changesAsking(changes)
      ? []
      : await applicationPolicyQuery(dependencies.db, c.var.tenantId, applicationId)
  const isWeaker = asksForLess(stored, askingAfter(stored, changes))
  if (isWeaker) requireAll(c)
  if (isWeaker || (changes && isProtectedApplicationChange(changes)))
    await requireRecentOperator(dependencies, c)
}

type ProofStore = Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>

async function requireOwnerOver(
  dependencies: ProofStore,
  c: ManagementContext,
  held: readonly { indicator: string; name: string }[],
): Promise<void> {
  if (lackedScopes(new Set(), held).length === 0) return
  requireAll(c)
  await requireRecentOperator(dependencies, c)
}
