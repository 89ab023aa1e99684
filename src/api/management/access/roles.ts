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
import { requiresRemainingPolicy } from '../../../storage/factors/second-factor-policies.ts'
import { randomId } from '../../../storage/ids.ts'
import { requireAllOver, requireOwn } from '../authority.ts'
import { paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import {
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
  needsRecentSignIn,
} from '../router.ts'
import { readTextSearch, searchQuery } from '../search.ts'
import { changesPolicy, requireOwnerToAskLess } from './policy-authority.ts'
import { declareResource } from './resource-declaration.ts'
import { roleApplicationRoutes } from './role-applications.ts'
import { roleScopeRoutes } from './role-scopes.ts'
import { roleUserRoutes } from './role-users.ts'

const role = declareResource({
  tag: 'Roles',
  name: 'role',
  entity: RoleSchema.meta({ id: 'Role' }),
  subject: 'Role',
})

const listCall = role.list({
  summary: 'List roles',
  description:
    'Answers a page of the roles of the tenant, ordered by name. Each carries the number of its users (counted up to 10,000) and three of ' +
    'them. `search` compares the id, the name and the description; `excludeUserId` leaves out the roles that this user has. Internal roles are not listed.',
  query: z.object({ ...paginationQuery, ...searchQuery, excludeUserId: storableText(128).optional() }),
  answer: ListedRoleSchema,
})
const createCall = role.create({
  summary: 'Create a role',
  description:
    'Creates a role, with its first scopes when `scopeIds` is given. A role collects scopes of API resources; users and applications that ' +
    'have it get them in their access tokens. Refused: a taken name (422 `role.name_in_use`) or id (422 `entity.id_in_use`), an unknown scope ' +
    '(404), a name that begins with `#internal:` (403 `role.internal_role_violation`). ' +
    needsRecentSignIn(),
  body: RoleCreation,
  refusals: [404],
})
const getCall = role.read({
  summary: 'Get a role',
  description:
    'Answers one role; internal roles can be read by their id as well. An unknown id is refused with 404 `entity.not_exists_with_id`.',
})
const patchCall = role.update({
  summary: 'Change a role',
  description:
    'Replaces the name, the description or the policy of second factors of a role. Refused: a taken name (422 `role.name_in_use`), a name that begins with `#internal:` ' +
    '(403 `role.internal_role_violation`), a change of an internal role (400 `entity.not_exists`), except of its policy. `secondFactorPolicy` asks those who have the role for a second factor where tenant and application ask for less. `rememberDays: 0` remembers no browser for them. Asking administrators for less needs the scope `all`. ' +
    needsRecentSignIn('changes more than the description'),
  body: RolePatch,
  refusals: [422],
})
const deleteCall = role.delete({
  summary: 'Delete a role',
  description:
    'Deletes a role and takes it from all users and applications; its scopes remain. An unknown role and an internal role are refused with ' +
    '404 `entity.not_found`. Where an administrator has the role and it asks for a second factor, the scope `all` is needed.',
})

export function roleRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db } = dependencies
  const find = (c: ManagementContext, id: string) => findRoleById(dependencies, c.var.tenantId, id)

  const preconditionsOf = async (c: ManagementContext, id: string, mustLeaveAPolicy: boolean) => [
    ...(await role.preconditionsOf(dependencies, c, id, find)),
    ...(mustLeaveAPolicy ? [requiresRemainingPolicy(c.var.tenantId, id)] : []),
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
      await requireOwn(dependencies, c, { kind: 'scope', ids: scopeIds })
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
        await requireAllOver(dependencies, c, { kind: 'role', ids: [id] })
        ;({ mustLeaveAPolicy } = await requireOwnerToAskLess(dependencies, c, id, changes))
      }
      if (isProtectedChange('role', changes)) await requireOperatorStepUp(dependencies, c.var)
      const preconditions = await preconditionsOf(c, id, mustLeaveAPolicy)
      const beginAudit = () => role.audit(c, 'Update', { roleId: id }, changes)
      const { tenantId } = c.var
      const changed = await changeRole(dependencies, { tenantId, id, changes, preconditions, beginAudit })
      return c.json(await role.tagged(c, changed), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const { isProtected, mustLeaveAPolicy } = await requireOwnerToAskLess(dependencies, c, id, null)
      if (isProtected) await requireOperatorStepUp(dependencies, c.var)
      const preconditions = await preconditionsOf(c, id, mustLeaveAPolicy)
      const beginAudit = () => role.audit(c, 'Delete', { roleId: id })
      await deleteRole(dependencies, { tenantId: c.var.tenantId, id, preconditions, beginAudit })
      return c.body(null, 204)
    })
    .route('/:id/users', roleUserRoutes(dependencies))
    .route('/:id/applications', roleApplicationRoutes(dependencies))
    .route('/:id/scopes', roleScopeRoutes(dependencies))
}
