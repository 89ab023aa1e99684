import type { Dependencies } from '../../../application/dependencies.ts'
import { OwnPermissions } from '../../../contract/access/own-permissions.schema.ts'
import { userQuery } from '../../../storage/interactions/oidc-reads.ts'
import { jsonResponse } from '../../guard.ts'
import { createManagementCallDeclarer, type ManagementGuard, managementRouter } from '../router.ts'

const declareCall = createManagementCallDeclarer('Settings')

const readCall = declareCall({
  method: 'get',
  path: '/',
  operationId: 'getMyPermissions',
  summary: 'Get my permissions',
  description:
    'Returns who the caller is, and the scopes of the management API that the token has and its owner ' +
    'still has. `userId` is null if an application calls on its own behalf; `name` is the name, username ' +
    'or email address of the user.',
  responses: { 200: jsonResponse('The permissions', OwnPermissions.meta({ id: 'OwnPermissions' })) },
})

/**
 * Returns the permissions of the signed-in operator, so that the console shows only what they may do
 * (spec/management#own-permissions).
 */
export function ownPermissionRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard).openapi(readCall, async (c) => {
    const { principal, scopes, tenantId } = c.var
    const scopeNames = [...scopes]
    if (principal.type === 'app') return c.json({ userId: null, name: principal.id, scopes: scopeNames }, 200)
    const [user] = await userQuery(dependencies.db, tenantId, principal.id)
    const name = user?.name ?? user?.username ?? user?.primaryEmail ?? null
    return c.json({ userId: principal.id, name, scopes: scopeNames }, 200)
  })
}
