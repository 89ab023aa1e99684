import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { Application } from '../../contract/applications.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import { ApplicationIds } from '../../contract/roles.schema.ts'
import { text } from '../../contract/text.schema.ts'
import { ensureLinks, existingMembersQuery, hasLink, removeLink } from '../../storage/role-links.ts'
import { isRole, roleQuery } from '../../storage/role-list.ts'
import { listApplicationsOfRole } from '../../storage/role-members.ts'
import { guardedRouter, json, refusals } from '../guard.ts'
import type { ManagementVariables } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { announce, page, pageQuery, readPage } from './pagination.ts'
import { linksOf } from './role-linking.ts'
import { always, alwaysWithBody, guarded, idParam } from './router.ts'

const tags = ['Roles']

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List the applications that have a role, the latest first',
  request: { params: idParam, query: z.object(pageQuery) },
  responses: { 200: page('Applications', Application), ...always, ...refusals(404) },
})
const addCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  ...guarded,
  summary: 'Give a role to applications; one that has it keeps it',
  request: { params: idParam, body: json(ApplicationIds) },
  responses: { 201: { description: 'They have it' }, ...alwaysWithBody, ...refusals(404) },
})
const removeCall = createRoute({
  method: 'delete',
  path: '/{applicationId}',
  tags,
  ...guarded,
  summary: 'Take a role from an application',
  request: { params: idParam.extend({ applicationId: text(128) }) },
  responses: { 204: { description: 'It has it no more' }, ...always, ...refusals(404) },
})

/** Client credentials get the scopes of these roles (decision 40). Mounted in the routes of roles, behind their gate. */
export function roleApplicationRoutes(dependencies: Dependencies) {
  const { db } = dependencies

  return guardedRouter<{ Variables: ManagementVariables }>()
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const asked = readPage(c)
      const [[role], { applications, ...total }] = await Promise.all([
        roleQuery(db, tenantId, id),
        listApplicationsOfRole(db, tenantId, { ...asked, roleId: id }),
      ])
      if (!role) refuseWith('entity.not_exists_with_id', { id })
      announce(c, asked, { ...total, length: applications.length })
      return c.json(applications, 200)
    })
    .openapi(addCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const asked = linksOf(id, c.req.valid('json').applicationIds)
      const applicationIds = asked.map(({ memberId }) => memberId)
      note(c, 'Management.Role.Update', { roleId: id, applicationIds })
      const [[role], members] = await db.batch([
        roleQuery(db, tenantId, id),
        existingMembersQuery(db, tenantId, 'application', applicationIds),
      ])
      if (!role) refuseWith('entity.not_exists_with_id', { id })
      const missing = applicationIds.find((asked) => !members.some((member) => member.id === asked))
      if (missing !== undefined) refuseWith('entity.not_exists_with_id', { id: missing })

      await db.batch([
        auditRow(dependencies, c, isRole(tenantId, id)),
        ensureLinks(db, tenantId, 'application', asked),
      ])
      return c.body(null, 201)
    })
    .openapi(removeCall, async (c) => {
      const { id, applicationId } = c.req.valid('param')
      const { tenantId } = c.var
      const link = { roleId: id, memberId: applicationId }
      note(c, 'Management.Role.Update', { roleId: id, removedApplicationId: applicationId })
      const [, removed] = await db.batch([
        auditRow(dependencies, c, hasLink(tenantId, 'application', link)),
        removeLink(db, tenantId, 'application', link),
      ])
      return removed.length > 0 ? c.body(null, 204) : refuseWith('entity.not_found')
    })
}
