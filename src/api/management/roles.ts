import { createRoute, z } from '@hono/zod-openapi'
import { sql } from 'drizzle-orm'
import type { Dependencies } from '../../application/dependencies.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { ListedRole, Role, RoleCreation, RolePatch } from '../../contract/roles.schema.ts'
import { text } from '../../contract/text.schema.ts'
import { isInternalRole } from '../../domain/role-rules.ts'
import { isUniqueViolation } from '../../storage/database.ts'
import { randomId } from '../../storage/ids.ts'
import { existingMembersQuery, insertLinks } from '../../storage/role-links.ts'
import {
  getRole,
  insertRole,
  isRole,
  listRoles,
  ROLE_NAME_TAKEN,
  removeRole,
  roleSearchFields,
  updateRole,
} from '../../storage/role-list.ts'
import { answer, json, refusals } from '../guard.ts'
import type { Guard } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { asIdTaken } from './own-id.ts'
import { announce, page, pageQuery, readPage } from './pagination.ts'
import { roleApplicationRoutes } from './role-applications.ts'
import { roleScopeRoutes } from './role-scopes.ts'
import { roleUserRoutes } from './role-users.ts'
import { always, alwaysWithBody, guarded, idParam, managementRouter } from './router.ts'
import { searchQuery } from './search.ts'
import { readTextSearch } from './text-search.ts'

const tags = ['Roles']
const Answered = Role.openapi('Role')
const one = { 200: answer('The role', Answered) }

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List roles by name, each with how many users have it (10,000 at most) and three of them',
  request: {
    query: z.object({ ...pageQuery, ...searchQuery, excludeUserId: text(128).optional() }),
  },
  responses: { 200: page('Roles', ListedRole), ...always },
})
const createCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  ...guarded,
  summary: 'Create a role',
  request: { body: json(RoleCreation) },
  responses: { ...one, ...alwaysWithBody, ...refusals(404, 422) },
})
const getCall = createRoute({
  method: 'get',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Get a role',
  request: { params: idParam },
  responses: { ...one, ...always, ...refusals(404) },
})
const patchCall = createRoute({
  method: 'patch',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Change a role',
  request: { params: idParam, body: json(RolePatch) },
  responses: { ...one, ...alwaysWithBody, ...refusals(404, 422) },
})
const deleteCall = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  ...guarded,
  summary: 'Delete a role; whoever had it has it no more',
  request: { params: idParam },
  responses: { 204: { description: 'Deleted' }, ...always, ...refusals(404) },
})

export function roleRoutes(dependencies: Dependencies, guard: Guard) {
  const { db } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const asked = readPage(c)
      const search = orRefuse(readTextSearch(new URL(c.req.url).searchParams, roleSearchFields))
      const withoutUserId = c.req.valid('query').excludeUserId
      const { roles, ...total } = await listRoles(db, c.var.tenantId, { ...asked, search, withoutUserId })
      announce(c, asked, { ...total, length: roles.length })
      return c.json(roles, 200)
    })
    .openapi(createCall, async (c) => {
      const { scopeIds = [], ...given } = c.req.valid('json')
      const { tenantId } = c.var
      const role = { ...given, id: given.id ?? randomId() }
      note(c, 'Management.Role.Create', { roleId: role.id }, c.req.valid('json'))
      if (isInternalRole(role.name)) refuseWith('role.internal_role_violation')
      await refuseUnknownScopes(tenantId, scopeIds)

      const links = [...new Set(scopeIds)].map((memberId) => ({ roleId: role.id, memberId }))
      const [, [created]] = await db
        .batch([
          auditRow(dependencies, c, sql`true`),
          insertRole(db, tenantId, role),
          ...(links.length > 0 ? [insertLinks(db, tenantId, 'scope', links)] : []),
        ])
        .catch(asIdTaken('roles', role.id))
        .catch(asNameTaken(role.name))
      return created ? c.json(created, 200) : refuseWith('entity.create_failed')
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await roleOf(c.var.tenantId, id), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id } = c.req.valid('param')
      const patch = c.req.valid('json')
      const { tenantId } = c.var
      const stored = await roleOf(tenantId, id)
      if (Object.keys(patch).length === 0) return c.json(stored, 200)

      note(c, 'Management.Role.Update', { roleId: id }, patch)
      if (isInternalRole(patch.name ?? '')) refuseWith('role.internal_role_violation')
      if (isInternalRole(stored.name)) refuseWith('entity.not_exists', { id })
      const [, [changed]] = await db
        .batch([auditRow(dependencies, c, isRole(tenantId, id)), updateRole(db, tenantId, id, patch)])
        .catch(asNameTaken(patch.name))
      return changed ? c.json(changed, 200) : refuseWith('entity.not_exists_with_id', { id })
    })
    .openapi(deleteCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const stored = await getRole(db, tenantId, id)
      // For a caller, internal roles are not there to be deleted (contract 8.2).
      if (!stored || isInternalRole(stored.name)) refuseWith('entity.not_found')
      note(c, 'Management.Role.Delete', { roleId: id })
      // The row first: afterwards there is nothing left to ask for.
      const [, deleted] = await db.batch([
        auditRow(dependencies, c, isRole(tenantId, id)),
        removeRole(db, tenantId, id),
      ])
      return deleted.length > 0 ? c.body(null, 204) : refuseWith('entity.not_found')
    })
    .route('/:id/users', roleUserRoutes(dependencies))
    .route('/:id/applications', roleApplicationRoutes(dependencies))
    .route('/:id/scopes', roleScopeRoutes(dependencies))

  async function roleOf(tenantId: string, id: string) {
    return (await getRole(db, tenantId, id)) ?? refuseWith('entity.not_exists_with_id', { id })
  }

  async function refuseUnknownScopes(tenantId: string, scopeIds: readonly string[]): Promise<void> {
    if (scopeIds.length === 0) return
    const known = new Set((await existingMembersQuery(db, tenantId, 'scope', scopeIds)).map(({ id }) => id))
    const unknown = scopeIds.find((id) => !known.has(id))
    if (unknown !== undefined) refuseWith('entity.not_exists_with_id', { id: unknown })
  }
}

/** The database knows best, and two at once hear the same (decision 14). */
const asNameTaken =
  (name: string | undefined) =>
  (error: unknown): never => {
    if (isUniqueViolation(error) === ROLE_NAME_TAKEN) refuseWith('role.name_in_use', { name })
    throw error
  }
