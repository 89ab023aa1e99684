import type { Dependencies } from '../../application/dependencies.ts'
import type { AddedSecondFactorPolicy } from '../../contract/settings.ts'
import { lackedScopes } from '../../domain/administration.ts'
import { isProtectedApplicationChange } from '../../domain/protected-changes.ts'
import { asksForLess } from '../../domain/second-factor-policy.ts'
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

/** Before a role gets another policy or, with null, is deleted. */
export async function protectRolePolicy(
  dependencies: ProofStore,
  c: ManagementContext,
  roleId: string,
  policy: AddedSecondFactorPolicy | null,
): Promise<void> {
  const { tenantId } = c.var
  const { stored, ofHolders, ofAll } = await readTogether(dependencies.db, {
    stored: rolePolicyQuery(dependencies.db, tenantId, roleId),
    ofHolders: scopesLosingPolicyQuery(dependencies.db, tenantId, { roleIds: [roleId] }),
    ofAll: policy === null ? onlyPolicyQuery(dependencies.db, tenantId, roleId) : undefined,
  })
  if (!asksForLess(stored[0]?.policy ?? null, policy)) return
  await requireOwnerOver(dependencies, c, [...ofHolders, ...ofAll])
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
  changes: { secondFactorPolicy?: AddedSecondFactorPolicy | null | undefined } | null,
): Promise<void> {
  const policy = changes ? changes.secondFactorPolicy : null
  const [stored] =
    policy === undefined ? [] : await applicationPolicyQuery(dependencies.db, c.var.tenantId, applicationId)
  const isWeaker = policy !== undefined && asksForLess(stored?.policy ?? null, policy)
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
