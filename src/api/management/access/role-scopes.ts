import { z } from 'zod'
import {
  addRoleMembers,
  listForRole,
  refuseInternalRole,
  removeRoleMember,
} from '../../../application/access/role-links.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { ScopeSchema } from '../../../contract/access/resources.schema.ts'
import { RoleScope, ScopeIds } from '../../../contract/access/roles.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { roleQuery } from '../../../storage/access/role-list.ts'
import { listScopesOfRole, scopesOfRoleQuery } from '../../../storage/access/role-members.ts'
import { readTogether } from '../../../storage/batches.ts'
import { requireHolderScopes } from '../authority.ts'
import { toHookDispatch } from '../change.ts'
import { readOptionalPage, setPageHeaders } from '../pagination.ts'
import { describeRecentSignIn, managementSubrouter } from '../router.ts'
import { declareRoleLinks } from './role-link-declaration.ts'

const links = declareRoleLinks({
  name: 'scope',
  key: 'scopeId',
  listItem: RoleScope,
  ids: ScopeIds,
  filter: {},
  descriptions: {
    list:
      'Returns the scopes of a role: all of them, or one page if `page` or `page_size` is given. On a ' +
      'page, each scope includes its `resource`. Responds with 404 `entity.not_exists_with_id` if the role ' +
      'is unknown.',
    add:
      'Adds up to 500 scopes to a role, all of them or none, and returns every scope that the role has ' +
      'afterwards. Users and applications with the role get them in their next access token; an ' +
      'application that gains scopes of our own APIs gets a new secret and loses its keys. Errors: 422 ' +
      '`role.scope_exists` if the role already has a scope, 404 `entity.not_exists_with_id` if the role or ' +
      'a scope is unknown, 403 `role.internal_role_violation` for an internal role. ' +
      describeRecentSignIn(),
    remove:
      'Removes one scope from a role; the next access tokens of its users and applications no longer carry ' +
      'it. Errors: 404 `entity.not_found` if the role does not have the scope, 403 ' +
      '`role.internal_role_violation` for an internal role.',
  },
})
const addCall = links.addAndList(z.array(ScopeSchema))

/** Creates the routes for the scopes of one role. The parent router authorizes the calls. */
export function roleScopeRoutes(dependencies: Dependencies) {
  const { db } = dependencies

  return managementSubrouter()
    .openapi(links.list, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      const page = readOptionalPage(c)
      if (!page) {
        const { role, scopes } = await readTogether(db, {
          role: roleQuery(db, tenantId, id),
          scopes: scopesOfRoleQuery(db, tenantId, id),
        })
        return role[0] ? c.json(scopes, 200) : refuseWith('entity.not_exists_with_id', { id })
      }
      const list = listScopesOfRole(db, tenantId, { ...page, roleId: id })
      const { scopes, ...total } = await listForRole(dependencies, { tenantId, roleId: id }, list)
      setPageHeaders(c, page, { ...total, length: scopes.length })
      return c.json(scopes, 200)
    })
    .openapi(addCall, async (c) => {
      const { id: roleId } = c.req.valid('param')
      const scopeIds = [...new Set(c.req.valid('json').scopeIds)]
      await requireHolderScopes(dependencies, c, { kind: 'scope', ids: scopeIds })
      await requireOperatorStepUp(dependencies, c.var)
      const audit = links.audit(c, 'Update', { roleId, scopeIds })
      const addition = {
        tenantId: c.var.tenantId,
        kind: 'scope' as const,
        roleId,
        memberIds: scopeIds,
        audit,
        hooks: toHookDispatch(c),
      }
      return c.json(await addRoleMembers(dependencies, addition), 200)
    })
    .openapi(links.remove, async (c) => {
      const { id: roleId, scopeId } = c.req.valid('param')
      const { tenantId } = c.var
      await refuseInternalRole(dependencies, tenantId, roleId)
      const audit = links.audit(c, 'Update', { roleId, removedScopeId: scopeId })
      const link = { roleId, memberId: scopeId }
      await removeRoleMember(dependencies, { tenantId, kind: 'scope', link, audit, hooks: toHookDispatch(c) })
      return c.body(null, 204)
    })
}
