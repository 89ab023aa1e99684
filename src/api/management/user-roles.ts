import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { Role, RoleIds } from '../../contract/roles.schema.ts'
import { text } from '../../contract/text.schema.ts'
import {
  ensureLinks,
  existingLinksQuery,
  existingMembersQuery,
  hasLink,
  insertLinks,
  type RoleLink,
  removeLink,
  removeOtherRoles,
} from '../../storage/role-links.ts'
import { existingRolesQuery, listRolesOfUser, roleSearchFields } from '../../storage/role-list.ts'
import { isUser } from '../../storage/users.ts'
import { guardedRouter, json, refusals } from '../guard.ts'
import type { ManagementVariables } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { announce, page, pageQuery, readPage } from './pagination.ts'
import { asLinked } from './role-linking.ts'
import { always, alwaysWithBody, guarded, idParam } from './router.ts'
import { searchQuery } from './search.ts'
import { readTextSearch } from './text-search.ts'

const tags = ['Users']

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List the roles of a user by name; internal ones are left out',
  request: { params: idParam, query: z.object({ ...pageQuery, ...searchQuery }) },
  responses: { 200: page('Roles', Role), ...always, ...refusals(404) },
})
const addCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  ...guarded,
  summary: 'Give roles to a user',
  request: { params: idParam, body: json(RoleIds) },
  responses: { 201: { description: 'They have them' }, ...alwaysWithBody, ...refusals(404, 422) },
})
const replaceCall = createRoute({
  method: 'put',
  path: '/',
  tags,
  ...guarded,
  summary: 'Give a user these roles and no others, internal ones included',
  request: { params: idParam, body: json(RoleIds) },
  responses: { 200: { description: 'They have them' }, ...alwaysWithBody, ...refusals(404) },
})
const removeCall = createRoute({
  method: 'delete',
  path: '/{roleId}',
  tags,
  ...guarded,
  summary: 'Take a role from a user',
  request: { params: idParam.extend({ roleId: text(128) }) },
  responses: { 204: { description: 'They have it no more' }, ...always, ...refusals(404) },
})

/** Mounted in the routes of users, behind their gate. */
export function userRoleRoutes(dependencies: Dependencies) {
  const { db } = dependencies

  return guardedRouter<{ Variables: ManagementVariables }>()
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const asked = readPage(c)
      const search = orRefuse(readTextSearch(new URL(c.req.url).searchParams, roleSearchFields))
      const [users, { roles, ...total }] = await Promise.all([
        existingMembersQuery(db, tenantId, 'user', [id]),
        listRolesOfUser(db, tenantId, { ...asked, search, userId: id }),
      ])
      if (users.length === 0) refuseWith('entity.not_found')
      announce(c, asked, { ...total, length: roles.length })
      return c.json(roles, 200)
    })
    .openapi(addCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const asked = linksOfUser(id, c.req.valid('json').roleIds)
      note(c, 'Management.User.Update', { userId: id, roleIds: asked.map(({ roleId }) => roleId) })
      const [existing] = await refuseUnknown(tenantId, id, asked)
      if (existing) refuseWith('user.role_exists', { roleId: existing.roleId })

      await db
        .batch([auditRow(dependencies, c, isUser(tenantId, id)), insertLinks(db, tenantId, 'user', asked)])
        .catch(asLinked('user', 'user.role_exists'))
      return c.body(null, 201)
    })
    .openapi(replaceCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const asked = linksOfUser(id, c.req.valid('json').roleIds)
      const roleIds = asked.map(({ roleId }) => roleId)
      note(c, 'Management.User.Update', { userId: id, roleIds })
      await refuseUnknown(tenantId, id, asked)

      await db.batch([
        auditRow(dependencies, c, isUser(tenantId, id)),
        removeOtherRoles(db, tenantId, id, roleIds),
        ensureLinks(db, tenantId, 'user', asked),
      ])
      return c.body(null, 200)
    })
    .openapi(removeCall, async (c) => {
      const { id, roleId } = c.req.valid('param')
      const { tenantId } = c.var
      const link = { roleId, memberId: id }
      note(c, 'Management.User.Update', { userId: id, removedRoleId: roleId })
      const [, removed] = await db.batch([
        auditRow(dependencies, c, hasLink(tenantId, 'user', link)),
        removeLink(db, tenantId, 'user', link),
      ])
      return removed.length > 0 ? c.body(null, 204) : refuseWith('entity.not_found')
    })

  /** Answers those of the links that are there. */
  async function refuseUnknown(tenantId: string, userId: string, asked: readonly RoleLink[]) {
    const roleIds = asked.map(({ roleId }) => roleId)
    const [users, roles, links] = await db.batch([
      existingMembersQuery(db, tenantId, 'user', [userId]),
      existingRolesQuery(db, tenantId, roleIds),
      existingLinksQuery(db, tenantId, 'user', asked),
    ])
    if (users.length === 0) refuseWith('entity.not_found')
    const unknown = roleIds.find((roleId) => !roles.some(({ id }) => id === roleId))
    if (unknown !== undefined) refuseWith('entity.not_exists_with_id', { id: unknown })
    return links
  }
}

const linksOfUser = (memberId: string, roleIds: readonly string[]): RoleLink[] =>
  [...new Set(roleIds)].map((roleId) => ({ roleId, memberId }))
