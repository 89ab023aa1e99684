import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import {
  changeOrganizationRole,
  createOrganizationRole,
  deleteFromTemplate,
  findOrganizationRole,
} from '../../../application/organisations/template.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  OrganizationRoleCreation,
  OrganizationRolePatch,
  OrganizationRoleSchema,
} from '../../../contract/organisations/template.schema.ts'
import { isProtectedChange } from '../../../domain/access/protected-changes.ts'
import { randomId } from '../../../storage/ids.ts'
import { listOrganizationRoles, templateSearchFields } from '../../../storage/organisations/template.ts'
import { declareResource } from '../access/resource-declaration.ts'
import { paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import {
  describeRecentSignIn,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
} from '../router.ts'
import { readTextSearch, searchQuery } from '../search.ts'
import { organizationResourceScopeRoutes, organizationRoleScopeRoutes } from './role-scopes.ts'

const role = declareResource({
  tag: 'Organization template',
  name: 'role',
  entity: OrganizationRoleSchema,
  subject: 'OrganizationRole',
})

const listCall = role.list({
  operationId: 'listOrganizationRoles',
  summary: 'List the roles of organizations',
  description:
    'Returns a page of the roles that all organizations of the tenant share: `owner` first, then the others ' +
    'by name. `search` matches the id, name and description.',
  query: z.object({ ...paginationQuery, ...searchQuery }),
})
const createCall = role.create({
  operationId: 'createOrganizationRole',
  summary: 'Create a role of organizations',
  description:
    'Creates a role without scopes. `permissions` decide what its members may do in the administration of ' +
    'their organization; they are not part of tokens. Errors: 422 `role.name_in_use` if the name is taken, ' +
    '422 `entity.id_in_use` if the id is taken. ' +
    describeRecentSignIn(),
  body: OrganizationRoleCreation,
})
const getCall = role.read({
  operationId: 'getOrganizationRole',
  summary: 'Get a role of organizations',
  description: 'Returns one role. Responds with 404 `entity.not_exists_with_id` if the id is unknown.',
})
const patchCall = role.update({
  operationId: 'updateOrganizationRole',
  summary: 'Change a role of organizations',
  description:
    'Replaces the name, description or permissions of a role. Errors: 422 `role.name_in_use` if the name is ' +
    'taken, 403 `role.internal_role_violation` for the role `owner`. ' +
    describeRecentSignIn('changes the permissions'),
  body: OrganizationRolePatch,
  refusals: [422],
})
const deleteCall = role.delete({
  operationId: 'deleteOrganizationRole',
  summary: 'Delete a role of organizations',
  description:
    'Deletes a role, which all members and applications lose. Errors: 404 `entity.not_found` if the id is ' +
    'unknown, 403 `role.internal_role_violation` for the role `owner`.',
})

export function organizationRoleRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db } = dependencies
  const find = (c: ManagementContext, id: string) => findOrganizationRole(dependencies, c.var.tenantId, id)

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const page = readPage(c)
      const search = readTextSearch(c, templateSearchFields)
      const { roles, ...total } = await listOrganizationRoles(db, c.var.tenantId, { ...page, search })
      setPageHeaders(c, page, { ...total, length: roles.length })
      return c.json(roles, 200)
    })
    .openapi(createCall, async (c) => {
      const body = c.req.valid('json')
      const { id = randomId(), name, description = null, permissions = [] } = body
      await requireOperatorStepUp(dependencies, c.var)
      const audit = role.audit(c, 'Create', { organizationRoleId: id }, body)
      const creation = { tenantId: c.var.tenantId, role: { id, name, description, permissions }, audit }
      return c.json(await createOrganizationRole(dependencies, creation), 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await role.tagged(c, await find(c, id)), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const changes = c.req.valid('json')
      if (isProtectedChange('organizationRole', changes)) await requireOperatorStepUp(dependencies, c.var)
      const audit = role.audit(c, 'Update', { organizationRoleId: id }, changes)
      const preconditions = await role.readPreconditions(dependencies, c, id, find)
      const change = { tenantId: c.var.tenantId, id, changes, audit, preconditions }
      return c.json(await role.tagged(c, await changeOrganizationRole(dependencies, change)), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const audit = role.audit(c, 'Delete', { organizationRoleId: id })
      const preconditions = await role.readPreconditions(dependencies, c, id, find)
      const { tenantId } = c.var
      await deleteFromTemplate(dependencies, { kind: 'role', tenantId, id, audit, preconditions })
      return c.body(null, 204)
    })
    .route('/:id/scopes', organizationRoleScopeRoutes(dependencies))
    .route('/:id/resource-scopes', organizationResourceScopeRoutes(dependencies))
}
