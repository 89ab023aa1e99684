import type { Dependencies } from '../../application/dependencies.ts'
import { MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE, SERVICES_RESOURCE } from '../../contract/product.ts'
import { findMissingScopes } from '../../domain/access/administration.ts'
import { ownApiScopesQuery, type ScopeHolders } from '../../storage/access/administration.ts'
import { changesState } from '../request-context.ts'
import { requireToken } from './authentication.ts'
import {
  type ManagementContext,
  type ManagementGuard,
  requireFullAccess,
  throwIfScopesMissing,
} from './router.ts'

type Store = Pick<Dependencies, 'db'>

/**
 * Creates the guard that all routers of the management API share. It requires a token with a scope for the call. It
 * rejects changes to users, roles and applications that have scopes which the caller lacks (spec/management#escalation,
 * ADR-0121).
 */
export function createManagementGuard(dependencies: Dependencies): ManagementGuard {
  const authenticate = requireToken(dependencies)
  return (c, next) =>
    authenticate(c, async () => {
      await refuseTargetAbove(dependencies, c)
      await next()
    })
}

/**
 * Rejects a change whose target has scopes that the caller lacks. The target's id is decoded from the path in the same
 * way as a route parameter.
 */
async function refuseTargetAbove(dependencies: Store, c: ManagementContext): Promise<void> {
  if (!changesState(c)) return
  const [, , collection = '', encoded] = c.req.path.split('/')
  if (encoded === undefined) return
  const id = decodePathPart(encoded)
  if (collection === 'resources' && builtInResources.has(id)) return requireFullAccess(c)
  const kind = holderKinds[collection]
  if (kind) await requireHolderScopes(dependencies, c, { kind, ids: [id] })
}

const holderKinds: Partial<Record<string, ScopeHolders['kind']>> = {
  applications: 'application',
  roles: 'role',
  users: 'user',
}
const builtInResources = new Set<string>([MANAGEMENT_RESOURCE.id, SERVICES_RESOURCE.id])

function decodePathPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/**
 * Rejects callers who lack any scope that these users, roles or applications have. This takes one database round trip,
 * or none if the caller is an owner.
 */
export async function requireHolderScopes(
  { db }: Store,
  c: ManagementContext,
  holder: ScopeHolders,
): Promise<void> {
  const { scopes, tenantId } = c.var
  if (scopes.has(MANAGEMENT_SCOPE.name) || holder.ids.length === 0) return
  throwIfScopesMissing(c, findMissingScopes(scopes, await ownApiScopesQuery(db, tenantId, holder)))
}

/**
 * Requires the scope `all` to change a rule that restricts administrators. The caller may be subject to the rule, and
 * only an owner may relax it.
 */
export async function requireFullAccessOverHolders(
  { db }: Store,
  c: ManagementContext,
  holder: ScopeHolders,
): Promise<void> {
  const { scopes, tenantId } = c.var
  if (scopes.has(MANAGEMENT_SCOPE.name)) return
  const holderScopes = await ownApiScopesQuery(db, tenantId, holder)
  if (findMissingScopes(new Set(), holderScopes).length > 0) requireFullAccess(c)
}
