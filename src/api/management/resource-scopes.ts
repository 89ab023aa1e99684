import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { Scope, ScopeBody } from '../../contract/resources.schema.ts'
import { text } from '../../contract/text.schema.ts'
import { scopeProblem } from '../../domain/resource-rules.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import { randomId } from '../../storage/ids.ts'
import { getResource, isResource } from '../../storage/resources.ts'
import {
  insertScope,
  isScope,
  listScopes,
  removeScope,
  SCOPE_NAME_TAKEN,
  scopeSearchFields,
  updateScope,
} from '../../storage/scopes.ts'
import { answer, guardedRouter, json, refusals } from '../guard.ts'
import type { ManagementVariables } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { announce, page, pageQuery, readPage } from './pagination.ts'
import { always, alwaysWithBody, guarded, idParam } from './router.ts'
import { searchQuery } from './search.ts'
import { readTextSearch } from './text-search.ts'

const tags = ['Resources']
const Answered = Scope.openapi('Scope')
const one = { 200: answer('The scope', Answered) }
const scopeParam = idParam.extend({ scopeId: text(128) })

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List the scopes of a resource, newest first',
  request: { params: idParam, query: z.object({ ...pageQuery, ...searchQuery }) },
  responses: { 200: page('Scopes', Answered), ...always, ...refusals(404) },
})
const createCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  ...guarded,
  summary: 'Add a scope',
  request: { params: idParam, body: json(ScopeBody) },
  responses: { ...one, ...alwaysWithBody, ...refusals(404, 422) },
})
const patchCall = createRoute({
  method: 'patch',
  path: '/{scopeId}',
  tags,
  ...guarded,
  summary: 'Change a scope',
  request: { params: scopeParam, body: json(ScopeBody) },
  responses: { ...one, ...alwaysWithBody, ...refusals(404, 422) },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{scopeId}',
  tags,
  ...guarded,
  summary: 'Delete a scope; no role has it any more',
  request: { params: scopeParam },
  responses: { 204: { description: 'Deleted' }, ...always, ...refusals(404) },
})

/** Mounted in the routes of resources, behind their gate. */
export function resourceScopeRoutes(dependencies: Dependencies) {
  const { db, now } = dependencies

  return guardedRouter<{ Variables: ManagementVariables }>()
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const asked = readPage(c)
      const search = orRefuse(readTextSearch(new URL(c.req.url).searchParams, scopeSearchFields))
      const [resource, { scopes, ...total }] = await Promise.all([
        getResource(db, tenantId, id),
        listScopes(db, tenantId, { ...asked, resourceId: id, search }),
      ])
      if (!resource) refuseWith('entity.not_exists_with_id', { id })
      announce(c, asked, { ...total, length: scopes.length })
      return c.json(scopes, 200)
    })
    .openapi(createCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const given = c.req.valid('json')
      const scope = { ...given, id: randomId(), resourceId: id, createdAt: now() }
      note(c, 'Management.Scope.Create', { resourceId: id, scopeId: scope.id }, given)
      refuseSpaces(given.name)
      const [, [created]] = await db
        .batch([auditRow(dependencies, c, isResource(tenantId, id)), insertScope(db, tenantId, scope)])
        .catch(asNameTaken(given.name))
      return created ? c.json(created, 200) : refuseWith('entity.not_exists_with_id', { id })
    })
    .openapi(patchCall, async (c) => {
      const { id: resourceId, scopeId } = c.req.valid('param')
      const { tenantId } = c.var
      const given = c.req.valid('json')
      const scope = { resourceId, id: scopeId }
      note(c, 'Management.Scope.Update', { resourceId, scopeId }, given)
      orRefuse(scopeProblem(scopeId, given))
      refuseSpaces(given.name)
      const [, [changed]] = await db
        .batch([
          auditRow(dependencies, c, isScope(tenantId, scope)),
          updateScope(db, tenantId, { ...scope, ...given }),
        ])
        .catch(asNameTaken(given.name))
      return changed ? c.json(changed, 200) : refuseWith('entity.not_exists_with_id', { id: scopeId })
    })
    .openapi(deleteCall, async (c) => {
      const { id: resourceId, scopeId } = c.req.valid('param')
      const { tenantId } = c.var
      const scope = { resourceId, id: scopeId }
      note(c, 'Management.Scope.Delete', { resourceId, scopeId })
      orRefuse(scopeProblem(scopeId, 'delete'))
      // The row first: afterwards there is nothing left to ask for.
      const [, deleted] = await db.batch([
        auditRow(dependencies, c, isScope(tenantId, scope)),
        removeScope(db, tenantId, scope),
      ])
      return deleted.length > 0 ? c.body(null, 204) : refuseWith('entity.not_found')
    })
}

/** A space would make two scopes of one (RFC 6749 §3.3). */
function refuseSpaces(name: string): void {
  if (/\s/.test(name)) refuseWith('scope.name_with_space')
}

/** The database knows best, and two at once hear the same (decision 14). */
const asNameTaken =
  (name: string) =>
  (error: unknown): never => {
    if (isUniqueViolation(error) === SCOPE_NAME_TAKEN) refuseWith('scope.name_exists', { name })
    throw error
  }
