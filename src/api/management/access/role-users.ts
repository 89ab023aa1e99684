import { listForRole } from '../../../application/access/role-links.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { UserIds } from '../../../contract/access/roles.schema.ts'
import { UserOrSummary } from '../../../contract/users/users.schema.ts'
import { listUsersOfRole } from '../../../storage/access/role-members.ts'
import { readPage, setPageHeaders } from '../pagination.ts'
import { mayCall, mountedRouter, needsRecentSignIn, refuseLacked } from '../router.ts'
import { suspensionOf, suspensionQuery, userAnswer, userSummary } from '../users/user-answer.ts'
import { assignRole, removeRole } from './role-holders.ts'
import { declareRoleLinks } from './role-link-declaration.ts'

const links = declareRoleLinks({
  name: 'user',
  key: 'userId',
  listed: UserOrSummary,
  ids: UserIds,
  filter: suspensionQuery,
  descriptions: {
    list: 'Answers a page of the users who have a role, the latest assignment first; `isSuspended` leaves the suspended users alone, or those who are not. Callers without `users:read` get `id`, `username`, `name` and `avatar`, and no `isSuspended`. An unknown role is refused with 404 `entity.not_exists_with_id`.',
    add:
      'Assigns a role to up to 500 users, all of them or none. New access tokens of these users carry the scopes of the role. Refused: a user ' +
      'who has the role already (422 `role.user_exists`), an unknown user (404 `entity.not_found`), an unknown role (404 `entity.not_exists_with_id`). ' +
      needsRecentSignIn(),
    remove:
      'Takes a role from one user. Access tokens that were issued before keep their scopes until they expire; the management API asks the ' +
      'database and refuses them at once. 404 `entity.not_found` when the user does not have the role.',
  },
})

/** Mounted below a role, behind the guard of its router. */
export function roleUserRoutes(dependencies: Dependencies) {
  const { db } = dependencies

  return mountedRouter()
    .openapi(links.list, async (c) => {
      const { id: roleId } = c.req.valid('param')
      const { tenantId } = c.var
      const page = readPage(c)
      const isSuspended = suspensionOf(c.req.valid('query'))
      const mayReadUsers = mayCall(c, 'users:read')
      // The filter would tell what is withheld.
      if (isSuspended !== undefined && !mayReadUsers) refuseLacked(c, ['users:read'])
      const list = listUsersOfRole(db, tenantId, { ...page, roleId, isSuspended })
      const { users, ...total } = await listForRole(dependencies, { tenantId, roleId }, list)
      setPageHeaders(c, page, { ...total, length: users.length })
      return c.json(users.map(mayReadUsers ? userAnswer : userSummary), 200)
    })
    .openapi(links.add, async (c) => {
      const { id: roleId } = c.req.valid('param')
      const userIds = [...new Set(c.req.valid('json').userIds)]
      const beginAudit = () => links.audit(c, 'Update', { roleId, userIds })
      await assignRole(dependencies, c, { roleId, userIds, beginAudit })
      return c.body(null, 201)
    })
    .openapi(links.remove, async (c) => {
      const { id: roleId, userId } = c.req.valid('param')
      const beginAudit = () => links.audit(c, 'Update', { roleId, removedUserId: userId })
      await removeRole(dependencies, c, { roleId, userId, beginAudit })
      return c.body(null, 204)
    })
}
