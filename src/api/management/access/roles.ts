import { z } from 'zod'
import { changeRole, createRole, deleteRole, findRoleById } from '../../../application/access/roles.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  ListedRoleSchema,
  RoleCreation,
  RolePatch,
  RoleSchema,
} from '../../../contract/access/roles.schema.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { isProtectedChange } from '../../../domain/access/protected-changes.ts'
import { listRoles, roleSearchFields } from '../../../storage/access/role-list.ts'
import { remainingPolicyPrecondition } from '../../../storage/factors/second-factor-policies.ts'
import { randomId } from '../../../storage/ids.ts'
import { requireFullAccessOverHolders, requireHolderScopes } from '../authority.ts'
import { paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import {
  describeRecentSignIn,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
} from '../router.ts'
import { readTextSearch, searchQuery } from '../search.ts'
import { changesPolicy, requireOwnerToWeakenPolicy } from './policy-authority.ts'
import { declareResource } from './resource-declaration.ts'
import { roleApplicationRoutes } from './role-applications.ts'
import { roleScopeRoutes } from './role-scopes.ts'
import { roleUserRoutes } from './role-users.ts'

const role = declareResource({
  tag: 'Roles',
  name: 'role',
  entity: RoleSchema,
  subject: 'Role',
})

const listCall = role.list({
  operationId: 'listRoles',
  summary: 'List roles',
  description:
    'Returns a page of the roles of the tenant, ordered by name. Each includes the number of its users ' +
    '(counted up to 10,000) and three of them. `search` matches the id, name and description; ' +
    '`excludeUserId` leaves out the roles that this user has. Internal roles are not listed.',
  query: z.object({ ...paginationQuery, ...searchQuery, excludeUserId: storableText(128).optional() }),
  response: ListedRoleSchema,
})
const createCall = role.create({
  operationId: 'createRole',
  summary: 'Create a role',
  description:
    'Creates a role, with its first scopes if `scopeIds` is given. A role is a set of scopes of API ' +
    'resources; users and applications with the role get these scopes in their access tokens. Errors: ' +
    '422 `role.name_in_use` if the name is taken, 422 `entity.id_in_use` if the id is taken, 404 if a ' +
    'scope is unknown, 403 `role.internal_role_violation` if the name begins with `#internal:`. ' +
    describeRecentSignIn(),
  body: RoleCreation,
  refusals: [404],
})
const getCall = role.read({
  operationId: 'getRole',
  summary: 'Get a role',
  description:
    'Returns one role; internal roles can be read by their id, too. Responds with 404 ' +
    '`entity.not_exists_with_id` if the id is unknown.',
})
const patchCall = role.update({
  operationId: 'updateRole',
  summary: 'Change a role',
  description:
    'Replaces the name, description or second-factor policy of a role. Errors: 422 `role.name_in_use` ' +
    'if the name is taken, 403 `role.internal_role_violation` if it begins with `#internal:`, 400 ' +
    '`entity.not_exists` for any change of an internal role except of its policy. `secondFactorPolicy` ' +
    'requires a second factor from users with the role even if the policies of the tenant and the ' +
    'application are weaker. With `rememberDays: 0`, no browser is remembered for them. A policy that ' +
    'requires less from administrators needs the scope `all`. ' +
    describeRecentSignIn('changes more than the description'),
  body: RolePatch,
  refusals: [422],
})
const deleteCall = role.delete({
  operationId: 'deleteRole',
  summary: 'Delete a role',
  description:
    'Deletes a role and removes it from all users and applications; its scopes remain. Responds with 404 ' +
    '`entity.not_found` for an unknown role and for an internal role. If the role requires a second ' +
    'factor and an administrator has it, the call requires the scope `all`.',
})

export function roleRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db } = dependencies
  const find = (c: ManagementContext, id: string) => findRoleById(dependencies, c.var.tenantId, id)

  const readPreconditions = async (c: ManagementContext, id: string, mustLeaveAPolicy: boolean) => [
    ...(await role.readPreconditions(dependencies, c, id, find)),
    ...(mustLeaveAPolicy ? [remainingPolicyPrecondition(c.var.tenantId, id)] : []),
  ]

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const page = readPage(c)
      const search = readTextSearch(c, roleSearchFields)
      const withoutUserId = c.req.valid('query').excludeUserId
      const { roles, ...total } = await listRoles(db, c.var.tenantId, { ...page, search, withoutUserId })
      setPageHeaders(c, page, { ...total, length: roles.length })
      return c.json(roles, 200)
    })
    .openapi(createCall, async (c) => {
      const body = c.req.valid('json')
      const { scopeIds = [], id = randomId(), secondFactorPolicy = null, rememberDays = null, ...rest } = body
      await requireHolderScopes(dependencies, c, { kind: 'scope', ids: scopeIds })
      await requireOperatorStepUp(dependencies, c.var)
      const audit = role.audit(c, 'Create', { roleId: id }, body)
      const creation = {
        tenantId: c.var.tenantId,
        audit,
        role: { ...rest, id, secondFactorPolicy, rememberDays },
        scopeIds,
      }
      return c.json(await createRole(dependencies, creation), 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await role.tagged(c, await find(c, id)), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const changes = c.req.valid('json')
      let mustLeaveAPolicy = false
      if (changesPolicy(changes)) {
        await requireFullAccessOverHolders(dependencies, c, { kind: 'role', ids: [id] })
        ;({ mustLeaveAPolicy } = await requireOwnerToWeakenPolicy(dependencies, c, id, changes))
      }
      if (isProtectedChange('role', changes)) await requireOperatorStepUp(dependencies, c.var)
      const preconditions = await readPreconditions(c, id, mustLeaveAPolicy)
      const beginAudit = () => role.audit(c, 'Update', { roleId: id }, changes)
      const { tenantId } = c.var
      const changed = await changeRole(dependencies, { tenantId, id, changes, preconditions, beginAudit })
      return c.json(await role.tagged(c, changed), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const { isProtected, mustLeaveAPolicy } = await requireOwnerToWeakenPolicy(dependencies, c, id, null)
      if (isProtected) await requireOperatorStepUp(dependencies, c.var)
      const preconditions = await readPreconditions(c, id, mustLeaveAPolicy)
      const beginAudit = () => role.audit(c, 'Delete', { roleId: id })
      await deleteRole(dependencies, { tenantId: c.var.tenantId, id, preconditions, beginAudit })
      return c.body(null, 204)
    })
    .route('/:id/users', roleUserRoutes(dependencies))
    .route('/:id/applications', roleApplicationRoutes(dependencies))
    .route('/:id/scopes', roleScopeRoutes(dependencies))
}
