import { createRoute, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../application/dependencies.ts'
import { orRefuse, refuseWith } from '../../contract/refused.ts'
import { Scope } from '../../contract/resources.schema.ts'
import { RoleScope, ScopeIds } from '../../contract/roles.schema.ts'
import { text } from '../../contract/text.schema.ts'
import { isInternalRole } from '../../domain/role-rules.ts'
import {
  existingLinksQuery,
  existingMembersQuery,
  hasLink,
  insertLinks,
  removeLink,
} from '../../storage/role-links.ts'
import { isRole, roleQuery } from '../../storage/role-list.ts'
import { listScopesOfRole, scopesOfRoleQuery } from '../../storage/role-members.ts'
import { answer, guardedRouter, json, refusals } from '../guard.ts'
import type { ManagementVariables } from './authentication.ts'
import { auditRow, note } from './change.ts'
import { announce, page, pageQuery, readOptionalPage } from './pagination.ts'
import { asLinked, linkProblem, linksOf } from './role-linking.ts'
import { always, alwaysWithBody, guarded, idParam } from './router.ts'

const tags = ['Roles']

const listCall = createRoute({
  method: 'get',
  path: '/',
  tags,
  ...guarded,
  summary: 'List the scopes of a role: all, or a page of them, each with its resource',
  request: { params: idParam, query: z.object(pageQuery) },
  responses: { 200: page('Scopes', RoleScope), ...always, ...refusals(404) },
})
const addCall = createRoute({
  method: 'post',
  path: '/',
  tags,
  ...guarded,
  summary: 'Add scopes to a role',
  request: { params: idParam, body: json(ScopeIds) },
  responses: {
    200: answer('All scopes of the role', z.array(Scope)),
    ...alwaysWithBody,
    ...refusals(404, 422),
  },
})
const removeCall = createRoute({
  method: 'delete',
  path: '/{scopeId}',
  tags,
  ...guarded,
  summary: 'Take a scope out of a role',
  request: { params: idParam.extend({ scopeId: text(128) }) },
  responses: { 204: { description: 'It is out' }, ...always, ...refusals(404) },
})

/** Mounted in the routes of roles, behind their gate. */
export function roleScopeRoutes(dependencies: Dependencies) {
  const { db } = dependencies

  return guardedRouter<{ Variables: ManagementVariables }>()
    .openapi(listCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const asked = readOptionalPage(c)
      if (!asked) {
        const [[role], scopes] = await db.batch([
          roleQuery(db, tenantId, id),
          scopesOfRoleQuery(db, tenantId, id),
        ])
        return role ? c.json(scopes, 200) : refuseWith('entity.not_exists_with_id', { id })
      }
      const [[role], { scopes, ...total }] = await Promise.all([
        roleQuery(db, tenantId, id),
        listScopesOfRole(db, tenantId, { ...asked, roleId: id }),
      ])
      if (!role) refuseWith('entity.not_exists_with_id', { id })
      announce(c, asked, { ...total, length: scopes.length })
      return c.json(scopes, 200)
    })
    .openapi(addCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const asked = linksOf(id, c.req.valid('json').scopeIds)
      const scopeIds = asked.map(({ memberId }) => memberId)
      note(c, 'Management.Role.Update', { roleId: id, scopeIds })
      const [[role], members, links] = await db.batch([
        roleQuery(db, tenantId, id),
        existingMembersQuery(db, tenantId, 'scope', scopeIds),
        existingLinksQuery(db, tenantId, 'scope', asked),
      ])
      if (!role) refuseWith('entity.not_exists_with_id', { id })
      if (isInternalRole(role.name)) refuseWith('role.internal_role_violation')
      orRefuse(linkProblem('scope', asked, { members, links }))

      const [, , scopes] = await db
        .batch([
          auditRow(dependencies, c, isRole(tenantId, id)),
          insertLinks(db, tenantId, 'scope', asked),
          scopesOfRoleQuery(db, tenantId, id),
        ])
        .catch(asLinked('scope'))
      return c.json(scopes, 200)
    })
    .openapi(removeCall, async (c) => {
      const { id, scopeId } = c.req.valid('param')
      const { tenantId } = c.var
      const [role] = await roleQuery(db, tenantId, id)
      // Ours: the administrators of a tenant must not lose what makes them so.
      if (role && isInternalRole(role.name)) refuseWith('role.internal_role_violation')

      const link = { roleId: id, memberId: scopeId }
      note(c, 'Management.Role.Update', { roleId: id, removedScopeId: scopeId })
      const [, removed] = await db.batch([
        auditRow(dependencies, c, hasLink(tenantId, 'scope', link)),
        removeLink(db, tenantId, 'scope', link),
      ])
      return removed.length > 0 ? c.body(null, 204) : refuseWith('entity.not_found')
    })
}
