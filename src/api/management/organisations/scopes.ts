import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import {
  changeOrganizationScope,
  createOrganizationScope,
  deleteFromTemplate,
  findOrganizationScope,
} from '../../../application/organisations/template.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  OrganizationScopeCreation,
  OrganizationScopePatch,
  OrganizationScopeSchema,
} from '../../../contract/organisations/template.schema.ts'
import { isProtectedChange } from '../../../domain/access/protected-changes.ts'
import { randomId } from '../../../storage/ids.ts'
import { listOrganizationScopes, templateSearchFields } from '../../../storage/organisations/template.ts'
import { declareResource } from '../access/resource-declaration.ts'
import { paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import {
  describeRecentSignIn,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
} from '../router.ts'
import { readTextSearch, searchQuery } from '../search.ts'

const scope = declareResource({
  tag: 'Organization template',
  name: 'scope',
  entity: OrganizationScopeSchema,
  subject: 'OrganizationScope',
})

const listCall = scope.list({
  operationId: 'listOrganizationScopes',
  summary: 'List the scopes of organizations',
  description:
    'Returns a page of the scopes of tokens whose audience is an organization itself, by name. `search` ' +
    'matches the id, name and description.',
  query: z.object({ ...paginationQuery, ...searchQuery }),
})
const createCall = scope.create({
  operationId: 'createOrganizationScope',
  summary: 'Create a scope of organizations',
  description:
    'Creates a scope. Members get it through a role. Errors: 422 `organization.scope_name_in_use` if the name ' +
    'is taken, 422 `entity.id_in_use` if the id is taken.',
  body: OrganizationScopeCreation,
})
const getCall = scope.read({
  operationId: 'getOrganizationScope',
  summary: 'Get a scope of organizations',
  description: 'Returns one scope. Responds with 404 `entity.not_exists_with_id` if the id is unknown.',
})
const patchCall = scope.update({
  operationId: 'updateOrganizationScope',
  summary: 'Change a scope of organizations',
  description:
    'Replaces the name or description of a scope. Access tokens issued earlier keep the old name. Responds ' +
    'with 422 `organization.scope_name_in_use` if the name is taken. ' +
    describeRecentSignIn('changes the name'),
  body: OrganizationScopePatch,
  refusals: [422],
})
const deleteCall = scope.delete({
  operationId: 'deleteOrganizationScope',
  summary: 'Delete a scope of organizations',
  description:
    'Deletes a scope, which all roles lose. Responds with 404 `entity.not_found` if the id is unknown.',
})

export function organizationScopeRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db } = dependencies
  const find = (c: ManagementContext, id: string) => findOrganizationScope(dependencies, c.var.tenantId, id)

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const page = readPage(c)
      const search = readTextSearch(c, templateSearchFields)
      const { scopes, ...total } = await listOrganizationScopes(db, c.var.tenantId, { ...page, search })
      setPageHeaders(c, page, { ...total, length: scopes.length })
      return c.json(scopes, 200)
    })
    .openapi(createCall, async (c) => {
      const body = c.req.valid('json')
      const { id = randomId(), name, description = null } = body
      const audit = scope.audit(c, 'Create', { organizationScopeId: id }, body)
      const creation = { tenantId: c.var.tenantId, scope: { id, name, description }, audit }
      return c.json(await createOrganizationScope(dependencies, creation), 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await scope.tagged(c, await find(c, id)), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const changes = c.req.valid('json')
      if (isProtectedChange('organizationScope', changes)) await requireOperatorStepUp(dependencies, c.var)
      const audit = scope.audit(c, 'Update', { organizationScopeId: id }, changes)
      const preconditions = await scope.readPreconditions(dependencies, c, id, find)
      const change = { tenantId: c.var.tenantId, id, changes, audit, preconditions }
      return c.json(await scope.tagged(c, await changeOrganizationScope(dependencies, change)), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const audit = scope.audit(c, 'Delete', { organizationScopeId: id })
      const preconditions = await scope.readPreconditions(dependencies, c, id, find)
      const { tenantId } = c.var
      await deleteFromTemplate(dependencies, { kind: 'scope', tenantId, id, audit, preconditions })
      return c.body(null, 204)
    })
}
