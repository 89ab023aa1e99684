import type { Dependencies } from '../../application/dependencies.ts'
import { MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE, SERVICES_RESOURCE } from '../../contract/product.ts'
import { missingScopes } from '../../domain/access/administration.ts'
import { ownApiScopesQuery, type ScopeHolders } from '../../storage/access/administration.ts'
import { isChange } from '../request-context.ts'
import { requireToken } from './authentication.ts'
import { type ManagementContext, type ManagementGuard, refuseLacked, requireAll } from './router.ts'

type Store = Pick<Dependencies, 'db'>

/** The guard of every router of the management API: a token with a scope of the call, and nothing above it (spec/management#escalation, ADR-0121). */
export function managementGuard(dependencies: Dependencies): ManagementGuard {
  const authenticate = requireToken(dependencies)
  return (c, next) =>
    authenticate(c, async () => {
      await refuseTargetAbove(dependencies, c)
      await next()
    })
}

/** Whom or what a change is about, by its path: decoded as the routes decode their parameters. */
async function refuseTargetAbove(dependencies: Store, c: ManagementContext): Promise<void> {
  if (!isChange(c)) return
  const [, , collection = '', encoded] = c.req.path.split('/')
  if (encoded === undefined) return
  const id = decoded(encoded)
  if (collection === 'resources' && builtIn.has(id)) return requireAll(c)
  const kind = holders[collection]
  if (kind) await requireOwn(dependencies, c, { kind, ids: [id] })
}

const holders: Partial<Record<string, ScopeHolders['kind']>> = {
  applications: 'application',
  roles: 'role',
  users: 'user',
}
const builtIn = new Set<string>([MANAGEMENT_RESOURCE.id, SERVICES_RESOURCE.id])

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Refuses a caller who lacks one of the scopes that these have. One round trip, none for an owner. */
export async function requireOwn({ db }: Store, c: ManagementContext, holder: ScopeHolders): Promise<void> {
  const { scopes, tenantId } = c.var
  if (scopes.has(MANAGEMENT_SCOPE.name) || holder.ids.length === 0) return
  refuseLacked(c, missingScopes(scopes, await ownApiScopesQuery(db, tenantId, holder)))
}

/** For what binds those who have scopes of our own APIs, the caller among them: only an owner loosens it. */
export async function requireAllOver(
  { db }: Store,
  c: ManagementContext,
  holder: ScopeHolders,
): Promise<void> {
  const { scopes, tenantId } = c.var
  if (scopes.has(MANAGEMENT_SCOPE.name)) return
  const holderScopes = await ownApiScopesQuery(db, tenantId, holder)
  if (missingScopes(new Set(), holderScopes).length > 0) requireAll(c)
}
