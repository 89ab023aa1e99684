import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { UserIds } from '../../contract/roles.schema.ts'
import { text } from '../../contract/text.schema.ts'
import { User } from '../../contract/users.schema.ts'
import {
  existingLinksQuery,
  existingMembersQuery,
  hasLink,
  insertLinks,
  removeLink,
} from '../../storage/role-links.ts'
import { isRole, roleQuery } from '../../storage/role-list.ts'
import { listUsersOfRole } from '../../storage/role-members.ts'
import { guardedRouter, json, refusals } from '../guard.ts'
import type { ManagementVariables } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { announce, page, pageQuery, readPage } from './pagination.ts'
import { asLinked, linkProblem, linksOf } from './role-linking.ts'
import { always, alwaysWithBody, guarded, idParam } from './router.ts'
import { toAnswer } from './user-answer.ts'

const tags = ['Roles']

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List the users who have a role, the latest first',
  request: { params: idParam, query: z.object(pageQuery) },
  responses: { 200: page('Users', User), ...always, ...refusals(404) },
})
const addCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  ...guarded,
  summary: 'Give a role to users',
  request: { params: idParam, body: json(UserIds) },
  responses: { 201: { description: 'They have it' }, ...alwaysWithBody, ...refusals(404, 422) },
})
const removeCall = createRoute({
  method: 'delete',
  path: '/{userId}',
  tags,
  ...guarded,
  summary: 'Take a role from a user',
  request: { params: idParam.extend({ userId: text(128) }) },
  responses: { 204: { description: 'They have it no more' }, ...always, ...refusals(404) },
})

/** Mounted in the routes of roles, behind their gate. */
export function roleUserRoutes(dependencies: Dependencies) {
  const { db } = dependencies

  return guardedRouter<{ Variables: ManagementVariables }>()
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const asked = readPage(c)
      const [[role], { users, ...total }] = await Promise.all([
        roleQuery(db, tenantId, id),
        listUsersOfRole(db, tenantId, { ...asked, roleId: id }),
      ])
      if (!role) refuseWith('entity.not_exists_with_id', { id })
      announce(c, asked, { ...total, length: users.length })
      return c.json(users.map(toAnswer), 200)
    })
    .openapi(addCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const asked = linksOf(id, c.req.valid('json').userIds)
      const userIds = asked.map(({ memberId }) => memberId)
      note(c, 'Management.Role.Update', { roleId: id, userIds })
      const [[role], members, links] = await db.batch([
        roleQuery(db, tenantId, id),
        existingMembersQuery(db, tenantId, 'user', userIds),
        existingLinksQuery(db, tenantId, 'user', asked),
      ])
      if (!role) refuseWith('entity.not_exists_with_id', { id })
      orRefuse(linkProblem('user', asked, { members, links }))

      await db
        .batch([auditRow(dependencies, c, isRole(tenantId, id)), insertLinks(db, tenantId, 'user', asked)])
        .catch(asLinked('user'))
      return c.body(null, 201)
    })
    .openapi(removeCall, async (c) => {
      const { id, userId } = c.req.valid('param')
      const { tenantId } = c.var
      const link = { roleId: id, memberId: userId }
      note(c, 'Management.Role.Update', { roleId: id, removedUserId: userId })
      const [, removed] = await db.batch([
        auditRow(dependencies, c, hasLink(tenantId, 'user', link)),
        removeLink(db, tenantId, 'user', link),
      ])
      return removed.length > 0 ? c.body(null, 204) : refuseWith('entity.not_found')
    })
}
