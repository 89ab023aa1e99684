import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import {
  addScopesToOrganizationRole,
  findOrganizationRole,
  removeScopeFromOrganizationRole,
} from '../../../application/organisations/template.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { ScopeIds } from '../../../contract/access/roles.schema.ts'
import {
  OrganizationResourceScope,
  OrganizationScopeSchema,
} from '../../../contract/organisations/template.schema.ts'
import {
  listResourceScopesOfOrganizationRole,
  listScopesOfOrganizationRole,
  type RoleScopeKind,
} from '../../../storage/organisations/role-scopes.ts'
import { declareSubresource } from '../access/resource-declaration.ts'
import { paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import { describeRecentSignIn, type ManagementContext, managementSubrouter } from '../router.ts'

const shared = { tag: 'Organization template', name: 'scope', subject: 'OrganizationRole' } as const
const scope = declareSubresource('scopeId', { ...shared, entity: OrganizationScopeSchema })
const resourceScope = declareSubresource('scopeId', { ...shared, entity: OrganizationResourceScope })

const unknownRole = 'Responds with 404 `entity.not_exists_with_id` if the role is unknown.'
const unknownRoleOrScope =
  'A scope that the role has already stays. Responds with 404 `entity.not_exists_with_id` if the role or a ' +
  'scope is unknown. '
const withoutScope = 'Responds with 404 `entity.not_found` if the role does not have the scope.'

const scopeCalls = {
  list: scope.list({
    operationId: 'listOrganizationRoleScopes',
    summary: 'List the organization scopes of a role',
    description: `Returns a page of the scopes of tokens for the organization itself, by name. ${unknownRole}`,
    query: z.object(paginationQuery),
  }),
  add: scope.link({
    operationId: 'addOrganizationRoleScopes',
    summary: 'Add organization scopes to a role',
    description: `Adds up to 500 organization scopes. ${unknownRoleOrScope}${describeRecentSignIn()}`,
    body: ScopeIds,
  }),
  remove: scope.delete({
    operationId: 'removeOrganizationRoleScope',
    summary: 'Remove an organization scope from a role',
    description: `The next access tokens for the organization itself no longer carry it. ${withoutScope}`,
  }),
}
const resourceScopeCalls = {
  list: resourceScope.list({
    operationId: 'listOrganizationRoleResourceScopes',
    summary: 'List the resource scopes of a role of organizations',
    description:
      'Returns a page of the scopes of API resources that members with the role get in access tokens for their ' +
      `organization, by resource and name. ${unknownRole}`,
    query: z.object(paginationQuery),
  }),
  add: resourceScope.link({
    operationId: 'addOrganizationRoleResourceScopes',
    summary: 'Add resource scopes to a role of organizations',
    description:
      `Adds up to 500 scopes of API resources. ${unknownRoleOrScope}Scopes of the built-in resources are ` +
      `rejected with 403 \`resource.internal_resource_violation\`. ${describeRecentSignIn()}`,
    body: ScopeIds,
  }),
  remove: resourceScope.delete({
    operationId: 'removeOrganizationRoleResourceScope',
    summary: 'Remove a resource scope from a role of organizations',
    description: `The next access tokens of its members for the API no longer carry it. ${withoutScope}`,
  }),
}

/** Creates the routes for the organisation scopes of one role. The parent router authorizes the calls. */
export function organizationRoleScopeRoutes(dependencies: Dependencies) {
  const { db } = dependencies
  const { add, remove } = linkChanges(dependencies, 'scope')

  return managementSubrouter()
    .openapi(scopeCalls.list, async (c) => {
      const { id: roleId } = c.req.valid('param')
      const { tenantId } = c.var
      const page = readPage(c)
      await findOrganizationRole(dependencies, tenantId, roleId)
      const { scopes, ...total } = await listScopesOfOrganizationRole(db, tenantId, { ...page, roleId })
      setPageHeaders(c, page, { ...total, length: scopes.length })
      return c.json(scopes, 200)
    })
    .openapi(scopeCalls.add, async (c) => {
      await add(c, c.req.valid('param').id, c.req.valid('json').scopeIds)
      return c.body(null, 201)
    })
    .openapi(scopeCalls.remove, async (c) => {
      const { id, scopeId } = c.req.valid('param')
      await remove(c, id, scopeId)
      return c.body(null, 204)
    })
}

/** Creates the routes for the resource scopes of one role. The parent router authorizes the calls. */
export function organizationResourceScopeRoutes(dependencies: Dependencies) {
  const { db } = dependencies
  const { add, remove } = linkChanges(dependencies, 'resourceScope')

  return managementSubrouter()
    .openapi(resourceScopeCalls.list, async (c) => {
      const { id: roleId } = c.req.valid('param')
      const { tenantId } = c.var
      const page = readPage(c)
      await findOrganizationRole(dependencies, tenantId, roleId)
      const { scopes, ...total } = await listResourceScopesOfOrganizationRole(db, tenantId, {
        ...page,
        roleId,
      })
      setPageHeaders(c, page, { ...total, length: scopes.length })
      return c.json(scopes, 200)
    })
    .openapi(resourceScopeCalls.add, async (c) => {
      await add(c, c.req.valid('param').id, c.req.valid('json').scopeIds)
      return c.body(null, 201)
    })
    .openapi(resourceScopeCalls.remove, async (c) => {
      const { id, scopeId } = c.req.valid('param')
      await remove(c, id, scopeId)
      return c.body(null, 204)
    })
}

/** Returns the functions that add and remove scopes of one kind, with their audit entries. */
const linkChanges = (dependencies: Dependencies, kind: RoleScopeKind) => ({
  async add(c: ManagementContext, roleId: string, ids: readonly string[]) {
    const scopeIds = [...new Set(ids)]
    await requireOperatorStepUp(dependencies, c.var)
    const audit = scope.audit(c, 'Update', { organizationRoleId: roleId, scopeIds })
    const { tenantId } = c.var
    await addScopesToOrganizationRole(dependencies, { kind, tenantId, roleId, scopeIds, audit })
  },
  async remove(c: ManagementContext, roleId: string, scopeId: string) {
    const audit = scope.audit(c, 'Update', { organizationRoleId: roleId, removedScopeId: scopeId })
    const { tenantId } = c.var
    await removeScopeFromOrganizationRole(dependencies, { kind, tenantId, roleId, scopeId, audit })
  },
})
