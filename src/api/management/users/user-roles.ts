import { addUserRoles, replaceUserRoles } from '../../../application/access/user-roles.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import type { HookDispatch } from '../../../application/hooks/user-events.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { RoleIds, RoleSchema } from '../../../contract/access/roles.schema.ts'
import { ADMIN_ROLE } from '../../../contract/product.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { existingMembersQuery } from '../../../storage/access/role-links.ts'
import { listRolesOf, roleSearchFields } from '../../../storage/access/role-list.ts'
import { jsonBody } from '../../guard.ts'
import { protectRoleRemoval } from '../access/policy-authority.ts'
import { declareSubresource } from '../access/resource-declaration.ts'
import { removeRole, roleListQuery } from '../access/role-holders.ts'
import { requireHolderScopes } from '../authority.ts'
import { beginManagementAudit, toHookDispatch } from '../change.ts'
import { readPage, setPageHeaders } from '../pagination.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  idParam,
  lastOwnerGuard,
  type ManagementContext,
  managementSubrouter,
} from '../router.ts'
import { readTextSearch } from '../search.ts'

const declareCall = createManagementCallDeclarer('Users')

const links = declareSubresource('roleId', {
  tag: 'Users',
  name: 'role',
  entity: RoleSchema,
  subject: 'User',
})

const listCall = links.list({
  operationId: 'listUserRoles',
  summary: 'List the roles of a user',
  description:
    'Returns a page of the roles of a user, ordered by name. `search` matches the id, name and ' +
    'description. Internal roles are left out unless `withInternal` is true. Responds with 404 ' +
    '`entity.not_found` if the user is unknown.',
  query: roleListQuery,
})
const addCall = links.link({
  operationId: 'addUserRoles',
  summary: 'Add roles to a user',
  description:
    'Assigns up to 500 roles to a user, all of them or none. The next access tokens of the user carry ' +
    'their scopes. Errors: 422 `user.role_exists` if the user already has a role, 404 ' +
    '`entity.not_found` if the user is unknown, 404 `entity.not_exists_with_id` if a role is unknown. ' +
    describeRecentSignIn(),
  body: RoleIds,
  refusals: [422],
})
const replaceCall = declareCall({
  method: 'put',
  path: '/',
  operationId: 'replaceUserRoles',
  summary: 'Replace the roles of a user',
  description:
    'Gives a user exactly these roles and removes all others, including internal roles such as that of ' +
    'an administrator. An empty list removes every role. Errors: 404 `entity.not_found` if the user is ' +
    'unknown, 404 `entity.not_exists_with_id` if a role is unknown. ' +
    describeRecentSignIn(),
  request: { params: idParam, body: jsonBody(RoleIds) },
  responses: { 200: { description: 'Replaced' } },
  refusals: [404],
})
const removeCall = links.delete({
  operationId: 'removeUserRole',
  summary: 'Remove one role from a user',
  description:
    'Removes a role from a user. Access tokens issued earlier keep their scopes until they expire; calls ' +
    'of the management API are rejected at once. Responds with 404 `entity.not_found` if the user does ' +
    'not have the role.',
})

/** Creates the routes for a user's roles. The parent router authorizes the calls. */
export function userRoleRoutes(dependencies: Dependencies) {
  const { db } = dependencies

  return managementSubrouter()
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const page = readPage(c)
      const search = readTextSearch(c, roleSearchFields)
      const withInternal = c.req.valid('query').withInternal === 'true'
      const [users, { roles, ...total }] = await Promise.all([
        existingMembersQuery(db, tenantId, 'user', [id]),
        listRolesOf(db, tenantId, { kind: 'user', id }, { ...page, search, withInternal }),
      ])
      if (users.length === 0) refuseWith('entity.not_found')
      setPageHeaders(c, page, { ...total, length: roles.length })
      return c.json(roles, 200)
    })
    .openapi(addCall, async (c) => {
      const { id: userId } = c.req.valid('param')
      const roleIds = [...new Set(c.req.valid('json').roleIds)]
      await requireHolderScopes(dependencies, c, { kind: 'role', ids: roleIds })
      await requireOperatorStepUp(dependencies, c.var)
      await addRolesToUser(dependencies, c, userId, { roleIds })
      return c.body(null, 201)
    })
    .openapi(replaceCall, async (c) => {
      const { id: userId } = c.req.valid('param')
      const roleIds = [...new Set(c.req.valid('json').roleIds)]
      await requireHolderScopes(dependencies, c, { kind: 'role', ids: roleIds })
      await protectRoleRemoval(dependencies, c, { userId, exceptRoleIds: roleIds })
      await requireOperatorStepUp(dependencies, c.var)
      const audit = beginManagementAudit(c, 'Management.User.RolesChange', { userId, roleIds })
      const preconditions = roleIds.includes(ADMIN_ROLE.id) ? [] : lastOwnerGuard(c, { userId })
      const { tenantId } = c.var
      const change = { tenantId, userId, roleIds, audit, hooks: toHookDispatch(c), preconditions }
      await replaceUserRoles(dependencies, change)
      return c.body(null, 200)
    })
    .openapi(removeCall, async (c) => {
      const { id: userId, roleId } = c.req.valid('param')
      const beginAudit = () =>
        beginManagementAudit(c, 'Management.User.RolesChange', { userId, removedRoleId: roleId })
      await removeRole(dependencies, c, { roleId, userId, beginAudit })
      return c.body(null, 204)
    })
}

/** Assigns roles to a user. The caller has to check the scopes of the roles and require a recent sign-in. */
export async function addRolesToUser(
  dependencies: Dependencies,
  c: ManagementContext,
  userId: string,
  { roleIds, dispatch = toHookDispatch(c) }: { roleIds: readonly string[]; dispatch?: HookDispatch },
): Promise<void> {
  const audit = beginManagementAudit(c, 'Management.User.RolesChange', { userId, roleIds })
  const { tenantId } = c.var
  await addUserRoles(dependencies, { tenantId, userId, roleIds, audit, hooks: dispatch })
}
