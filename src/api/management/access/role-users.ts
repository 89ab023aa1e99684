import { listForRole } from '../../../application/access/role-links.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { UserIds } from '../../../contract/access/roles.schema.ts'
import { UserOrSummary } from '../../../contract/users/users.schema.ts'
import { listUsersOfRole } from '../../../storage/access/role-members.ts'
import { beginManagementAudit } from '../change.ts'
import { readPage, setPageHeaders } from '../pagination.ts'
import { describeRecentSignIn, hasScopeFor, managementSubrouter, throwIfScopesMissing } from '../router.ts'
import { readSuspension, suspensionQuery, toUserResponse, toUserSummary } from '../users/user-answer.ts'
import { assignRole, removeRole } from './role-holders.ts'
import { declareRoleLinks } from './role-link-declaration.ts'

const links = declareRoleLinks({
  name: 'user',
  key: 'userId',
  listItem: UserOrSummary,
  ids: UserIds,
  filter: suspensionQuery,
  descriptions: {
    list:
      'Returns a page of the users who have a role, most recently assigned first. `isSuspended` limits the ' +
      'list to users who are suspended, or to those who are not. Callers without `users:read` get `id`, ' +
      '`username`, `name` and `avatar`, and may not use `isSuspended`. Responds with 404 ' +
      '`entity.not_exists_with_id` if the role is unknown.',
    add:
      'Assigns a role to up to 500 users, all of them or none. New access tokens of these users carry the ' +
      'scopes of the role. Errors: 422 `role.user_exists` if a user already has the role, 404 ' +
      '`entity.not_found` if a user is unknown, 404 `entity.not_exists_with_id` if the role is unknown. ' +
      describeRecentSignIn(),
    remove:
      'Removes a role from one user. Access tokens issued earlier keep their scopes until they expire; the ' +
      'management API checks the database and rejects them at once. Responds with 404 `entity.not_found` ' +
      'if the user does not have the role.',
  },
})

/** Creates the routes for the users of one role. The parent router authorizes the calls. */
export function roleUserRoutes(dependencies: Dependencies) {
  const { db } = dependencies

  return managementSubrouter()
    .openapi(links.list, async (c) => {
      const { id: roleId } = c.req.valid('param')
      const { tenantId } = c.var
      const page = readPage(c)
      const isSuspended = readSuspension(c.req.valid('query'))
      const mayReadUsers = hasScopeFor(c, 'users:read')
      // Callers who may not see `isSuspended` must not filter by it either, because the result would reveal its value.
      if (isSuspended !== undefined && !mayReadUsers) throwIfScopesMissing(c, ['users:read'])
      const list = listUsersOfRole(db, tenantId, { ...page, roleId, isSuspended })
      const { users, ...total } = await listForRole(dependencies, { tenantId, roleId }, list)
      setPageHeaders(c, page, { ...total, length: users.length })
      return c.json(users.map(mayReadUsers ? toUserResponse : toUserSummary), 200)
    })
    .openapi(links.add, async (c) => {
      const { id: roleId } = c.req.valid('param')
      const userIds = [...new Set(c.req.valid('json').userIds)]
      // The row of a single user is also found by that user.
      const [userId, ...others] = userIds
      const about = others.length === 0 ? { userId } : { userIds }
      const beginAudit = () =>
        beginManagementAudit(c, 'Management.User.RolesChange', { ...about, roleIds: [roleId] })
      await assignRole(dependencies, c, { roleId, userIds, beginAudit })
      return c.body(null, 201)
    })
    .openapi(links.remove, async (c) => {
      const { id: roleId, userId } = c.req.valid('param')
      const about = { userId, removedRoleId: roleId }
      const beginAudit = () => beginManagementAudit(c, 'Management.User.RolesChange', about)
      await removeRole(dependencies, c, { roleId, userId, beginAudit })
      return c.body(null, 204)
    })
}
