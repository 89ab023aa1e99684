import { z } from 'zod'
import {
  changeResource,
  createResource,
  deleteResource,
  findResourceById,
} from '../../../application/access/resources.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  ResourceCreation,
  ResourcePatch,
  ResourceWithScopes,
} from '../../../contract/access/resources.schema.ts'
import { isProtectedChange, requiresOwner } from '../../../domain/access/protected-changes.ts'
import { listResources, type ResourceRow } from '../../../storage/access/resources.ts'
import { type ScopeRow, scopesOfResourcesQuery } from '../../../storage/access/scopes.ts'
import { randomId } from '../../../storage/ids.ts'
import { resourceClaimRoutes } from '../applications/claim-previews.ts'
import { paginationQuery, rawQueryValue, readOptionalPage, setPageHeaders } from '../pagination.ts'
import {
  describeRecentSignIn,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
  requireFullAccess,
} from '../router.ts'
import { isTrueParameter } from '../search.ts'
import { declareResource } from './resource-declaration.ts'
import { resourceScopeRoutes } from './resource-scopes.ts'

const resource = declareResource({
  tag: 'Resources',
  name: 'resource',
  entity: ResourceWithScopes.meta({ id: 'Resource' }),
  subject: 'Resource',
})

const listCall = resource.list({
  operationId: 'listResources',
  summary: 'List API resources',
  description:
    'Returns the API resources of the tenant, ordered by indicator: all of them, or one page if `page` ' +
    'or `page_size` is given. With `includeScopes=true`, each resource includes its scopes.',
  query: z.object({
    ...paginationQuery,
    includeScopes: rawQueryValue.meta({ type: 'boolean', default: false }),
  }),
})
const createCall = resource.create({
  operationId: 'createResource',
  summary: 'Create an API resource',
  description:
    'Registers an API for which the OpenID Provider issues access tokens (RFC 8707). Its `indicator` ' +
    'becomes the audience of these tokens, which are valid for `accessTokenTtl` seconds; it is stored ' +
    'with a lowercase host and without a default port. Errors: 400 `guard.invalid_input` for an ' +
    'indicator that another resource has, with or without a trailing slash, or that is not an absolute ' +
    'URI without a fragment; 422 `entity.id_in_use` for an `id` that is taken. A template of additional ' +
    '`claims` in its access tokens requires the scope `all`. ' +
    describeRecentSignIn('adds `claims`'),
  body: ResourceCreation,
})
const getCall = resource.read({
  operationId: 'getResource',
  summary: 'Get an API resource',
  description:
    'Returns one API resource, without its scopes. Responds with 404 `entity.not_exists_with_id` if the id is unknown.',
})
const patchCall = resource.update({
  operationId: 'updateResource',
  summary: 'Change an API resource',
  description:
    'Replaces the given fields of an API resource. Access tokens issued earlier keep their audience and ' +
    'lifetime. Another indicator, or a lifetime below 60 seconds, for one of the built-in resources is ' +
    'rejected with 403 `resource.internal_resource_violation`, and so are `claims` for them. `claims` ' +
    'replaces the template of additional claims in access tokens, null removes it, and either requires the ' +
    'scope `all`. ' +
    describeRecentSignIn('changes more than the name'),
  body: ResourcePatch,
})
const deleteCall = resource.delete({
  operationId: 'deleteResource',
  summary: 'Delete an API resource',
  description:
    'Deletes an API resource with its scopes, which are also removed from all roles; no more access ' +
    'tokens are issued for it. The built-in resources cannot be deleted (403 ' +
    '`resource.internal_resource_violation`).',
})

export function resourceRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db } = dependencies
  const find = (c: ManagementContext, id: string) => findResourceById(dependencies, c.var.tenantId, id)

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const { tenantId } = c.var
      const page = readOptionalPage(c)
      const { resources, total } = await listResources(db, tenantId, page)
      if (page) setPageHeaders(c, page, { total, length: resources.length })
      if (!isTrueParameter(c.req.query('includeScopes'))) return c.json(resources, 200)
      const ids = resources.map(({ id }) => id)
      return c.json(withScopes(resources, await scopesOfResourcesQuery(db, tenantId, ids)), 200)
    })
    .openapi(createCall, async (c) => {
      const body = c.req.valid('json')
      const { tenantId } = c.var
      const id = body.id ?? randomId()
      if (body.claims) {
        requireFullAccess(c)
        await requireOperatorStepUp(dependencies, c.var)
      }
      const audit = resource.audit(c, 'Create', { resourceId: id }, body)
      const created = await createResource(dependencies, { tenantId, audit, resource: { ...body, id } })
      return c.json({ ...created, scopes: [] }, 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await resource.tagged(c, await find(c, id)), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const changes = c.req.valid('json')
      const { tenantId } = c.var
      if (requiresOwner(changes)) requireFullAccess(c)
      if (isProtectedChange('resource', changes)) await requireOperatorStepUp(dependencies, c.var)
      const preconditions = await resource.readPreconditions(dependencies, c, id, find)
      if (Object.keys(changes).length === 0) return c.json(await resource.tagged(c, await find(c, id)), 200)
      const audit = resource.audit(c, 'Update', { resourceId: id }, changes)
      const changed = await changeResource(dependencies, { tenantId, id, audit, changes, preconditions })
      return c.json(await resource.tagged(c, changed), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const preconditions = await resource.readPreconditions(dependencies, c, id, find)
      const audit = resource.audit(c, 'Delete', { resourceId: id })
      await deleteResource(dependencies, { tenantId: c.var.tenantId, id, audit, preconditions })
      return c.body(null, 204)
    })
    .route('/:id/scopes', resourceScopeRoutes(dependencies))
    .route('/:id/claims', resourceClaimRoutes(dependencies))
}

const withScopes = (resources: readonly ResourceRow[], scopes: readonly ScopeRow[]) =>
  resources.map((resource) => ({
    ...resource,
    scopes: scopes.filter(({ resourceId }) => resourceId === resource.id),
  }))
