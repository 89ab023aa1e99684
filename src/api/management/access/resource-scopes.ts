import { z } from 'zod'
import { changeScope, createScope, deleteScope } from '../../../application/access/resources.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { ScopeBody, ScopeSchema } from '../../../contract/access/resources.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { getResource } from '../../../storage/access/resources.ts'
import { listScopes, scopeSearchFields } from '../../../storage/access/scopes.ts'
import { randomId } from '../../../storage/ids.ts'
import { paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import { describeRecentSignIn, managementSubrouter } from '../router.ts'
import { readTextSearch, searchQuery } from '../search.ts'
import { declareSubresource } from './resource-declaration.ts'

const scope = declareSubresource('scopeId', {
  tag: 'Resources',
  name: 'scope',
  entity: ScopeSchema,
  subject: 'Scope',
})

const listCall = scope.list({
  operationId: 'listResourceScopes',
  summary: 'List the scopes of an API resource',
  description:
    'Returns a page of the scopes of an API resource, newest first. `search` matches the id, name and ' +
    'description. Responds with 404 `entity.not_exists_with_id` if the resource is unknown.',
  query: z.object({ ...paginationQuery, ...searchQuery }),
})
const createCall = scope.create({
  operationId: 'createResourceScope',
  summary: 'Add a scope to an API resource',
  description:
    'Adds a permission that access tokens for this API can carry. Users and applications receive it ' +
    'through a role. Errors: 422 `scope.name_exists` if the resource already has a scope of this name, ' +
    '400 `scope.name_with_space` if the name contains a space, 404 if the resource is unknown.',
  body: ScopeBody,
})
const patchCall = scope.update({
  operationId: 'updateResourceScope',
  summary: 'Change a scope',
  description:
    'Replaces the name and description of a scope; both are required. Access tokens issued earlier keep ' +
    'the old name. Errors: 422 `scope.name_exists` if the name is taken, 400 if it contains a space, ' +
    '403 `resource.internal_resource_violation` for another name of a built-in scope. ' +
    describeRecentSignIn(),
  body: ScopeBody,
  refusals: [422],
})
const deleteCall = scope.delete({
  operationId: 'deleteResourceScope',
  summary: 'Delete a scope',
  description:
    'Deletes a scope and removes it from every role. New access tokens no longer carry it. The scopes of ' +
    'the built-in resources cannot be deleted (403 `resource.internal_resource_violation`).',
})

/** Creates the routes for the scopes of one resource. The parent router authorizes the calls. */
export function resourceScopeRoutes(dependencies: Dependencies) {
  const { db, now } = dependencies

  return managementSubrouter()
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const page = readPage(c)
      const search = readTextSearch(c, scopeSearchFields)
      const [resource, { scopes, ...total }] = await Promise.all([
        getResource(db, tenantId, id),
        listScopes(db, tenantId, { ...page, resourceId: id, search }),
      ])
      if (!resource) refuseWith('entity.not_exists_with_id', { id })
      setPageHeaders(c, page, { ...total, length: scopes.length })
      return c.json(scopes, 200)
    })
    .openapi(createCall, async (c) => {
      const { id: resourceId } = c.req.valid('param')
      const { tenantId } = c.var
      const body = c.req.valid('json')
      const id = randomId()
      const audit = scope.audit(c, 'Create', { resourceId, scopeId: id }, body)
      const created = { ...body, id, resourceId, createdAt: now() }
      return c.json(await createScope(dependencies, { tenantId, audit, scope: created }), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id: resourceId, scopeId: id } = c.req.valid('param')
      const { tenantId } = c.var
      const changes = c.req.valid('json')
      // Renaming a scope changes the permission of everyone who has it, so it requires a recent sign-in.
      await requireOperatorStepUp(dependencies, c.var)
      const audit = scope.audit(c, 'Update', { resourceId, scopeId: id }, changes)
      return c.json(
        await changeScope(dependencies, { tenantId, audit, key: { resourceId, id }, changes }),
        200,
      )
    })
    .openapi(deleteCall, async (c) => {
      const { id: resourceId, scopeId: id } = c.req.valid('param')
      const audit = scope.audit(c, 'Delete', { resourceId, scopeId: id })
      await deleteScope(dependencies, { tenantId: c.var.tenantId, audit, key: { resourceId, id } })
      return c.body(null, 204)
    })
}
