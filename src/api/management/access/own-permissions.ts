import type { Dependencies } from '../../../application/dependencies.ts'
import { OwnPermissions } from '../../../contract/access/own-permissions.schema.ts'
import { userQuery } from '../../../storage/interactions/oidc-reads.ts'
import { jsonAnswer } from '../../guard.ts'
import { type ManagementGuard, managementCalls, managementRouter } from '../router.ts'

const declareCall = managementCalls('Settings')

const readCall = declareCall({
  method: 'get',
  path: '/',
  summary: 'Get own permissions',
  description:
    'Answers who the caller is and the scopes of the management API that the token has and its owner still has. `userId` is null where an application calls by itself; ' +
    '`name` is the name, username or e-mail address of the user.',
  answers: { 200: jsonAnswer('The permissions', OwnPermissions.meta({ id: 'OwnPermissions' })) },
})

/** What a console shows is what its user may do (spec/management#own-permissions). */
export function ownPermissionRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard).openapi(readCall, async (c) => {
    const { principal, scopes, tenantId } = c.var
    const granted = [...scopes]
    if (principal.type === 'app') return c.json({ userId: null, name: principal.id, scopes: granted }, 200)
    const [user] = await userQuery(dependencies.db, tenantId, principal.id)
    const name = user?.name ?? user?.username ?? user?.primaryEmail ?? null
    return c.json({ userId: principal.id, name, scopes: granted }, 200)
  })
}
