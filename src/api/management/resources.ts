import { createRoute, z } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import type { Dependencies } from '../../application/dependencies.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { ResourceCreation, ResourcePatch, ResourceWithScopes } from '../../contract/resources.schema.ts'
import { resourceProblem } from '../../domain/resource-rules.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import { randomId } from '../../storage/ids.ts'
import {
  getResource,
  INDICATOR_TAKEN,
  insertResource,
  isResource,
  listResources,
  type Resource,
  removeResource,
  updateResource,
} from '../../storage/resources.ts'
import { type Scope, scopesOfResourcesQuery } from '../../storage/scopes.ts'
import { answer, invalidInput, json, refusals } from '../guard.ts'
import type { Guard } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { asIdTaken } from './own-id.ts'
import { announce, loose, page, pageQuery, readOptionalPage } from './pagination.ts'
import { resourceScopeRoutes } from './resource-scopes.ts'
import { always, alwaysWithBody, guarded, idParam, managementRouter } from './router.ts'
import { isYes } from './search.ts'

const tags = ['Resources']
const Answered = ResourceWithScopes.openapi('Resource')
const one = { 200: answer('The resource', Answered) }

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List resources: all, or a page of them; with their scopes if you ask',
  request: {
    query: z.object({ ...pageQuery, includeScopes: loose.openapi({ type: 'boolean', default: false }) }),
  },
  responses: { 200: page('Resources', Answered), ...always },
})
const createCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  ...guarded,
  summary: 'Create a resource; access tokens will carry its indicator as their audience',
  request: { body: json(ResourceCreation) },
  responses: { ...one, ...alwaysWithBody, ...refusals(422) },
})
const getCall = createRoute({
  method: 'get',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Get a resource',
  request: { params: idParam },
  responses: { ...one, ...always, ...refusals(404) },
})
const patchCall = createRoute({
  method: 'patch',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Change a resource',
  request: { params: idParam, body: json(ResourcePatch) },
  responses: { ...one, ...alwaysWithBody, ...refusals(404) },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Delete a resource with its scopes',
  request: { params: idParam },
  responses: { 204: { description: 'Deleted' }, ...always, ...refusals(404) },
})

export function resourceRoutes(dependencies: Dependencies, guard: Guard) {
  const { db } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const { tenantId } = c.var
      const asked = readOptionalPage(c)
      const { resources, total } = await listResources(db, tenantId, asked)
      if (asked) announce(c, asked, { total, length: resources.length })
      if (!isYes(c.req.query('includeScopes'))) return c.json(resources, 200)
      const ids = resources.map(({ id }) => id)
      return c.json(withScopes(resources, await scopesOfResourcesQuery(db, tenantId, ids)), 200)
    })
    .openapi(createCall, async (c) => {
      const given = c.req.valid('json')
      const resource = { ...given, id: given.id ?? randomId() }
      const { tenantId } = c.var
      note(c, 'Management.Resource.Create', { resourceId: resource.id }, given)
      const [, [created]] = await db
        .batch([auditRow(dependencies, c, sql`true`), insertResource(db, tenantId, resource)])
        .catch(asIdTaken('resources', resource.id))
        .catch(asIndicatorTaken)
      return created ? c.json({ ...created, scopes: [] }, 200) : refuseWith('entity.create_failed')
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await resourceOf(c.var.tenantId, id), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const patch = c.req.valid('json')
      const { tenantId } = c.var
      if (Object.keys(patch).length === 0) return c.json(await resourceOf(tenantId, id), 200)

      note(c, 'Management.Resource.Update', { resourceId: id }, patch)
      orRefuse(resourceProblem(id, patch))
      const [, [changed]] = await db
        .batch([auditRow(dependencies, c, isResource(tenantId, id)), updateResource(db, tenantId, id, patch)])
        .catch(asIndicatorTaken)
      return changed ? c.json(changed, 200) : refuseWith('entity.not_exists_with_id', { id })
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      note(c, 'Management.Resource.Delete', { resourceId: id })
      orRefuse(resourceProblem(id, 'delete'))
      // The row first: afterwards there is nothing left to ask for.
      const [, deleted] = await db.batch([
        auditRow(dependencies, c, isResource(tenantId, id)),
        removeResource(db, tenantId, id),
      ])
      return deleted.length > 0 ? c.body(null, 204) : refuseWith('entity.not_found')
    })
    .route('/:id/scopes', resourceScopeRoutes(dependencies))

  async function resourceOf(tenantId: string, id: string): Promise<Resource> {
    return (await getResource(db, tenantId, id)) ?? refuseWith('entity.not_exists_with_id', { id })
  }
}

const withScopes = (resources: readonly Resource[], scopes: readonly Scope[]) =>
  resources.map((resource) => ({
    ...resource,
    scopes: scopes.filter(({ resourceId }) => resourceId === resource.id),
  }))

/** The catalogue has no code for it; to the caller it is a wrong value (decision 14: never a 500). */
function asIndicatorTaken(error: unknown): never {
  if (isUniqueViolation(error) !== INDICATOR_TAKEN) throw error
  throw invalidInput({ issues: [{ path: ['indicator'], message: 'belongs to another resource' }] })
}
