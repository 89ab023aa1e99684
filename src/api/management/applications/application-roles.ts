import type { Dependencies } from '../../../application/dependencies.ts'
import { RoleSchema } from '../../../contract/access/roles.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { existingMembersQuery } from '../../../storage/access/role-links.ts'
import { listRolesOf, roleSearchFields } from '../../../storage/access/role-list.ts'
import { declareSubresource } from '../access/resource-declaration.ts'
import { roleListQuery } from '../access/role-holders.ts'
import { readPage, setPageHeaders } from '../pagination.ts'
import { managementSubrouter } from '../router.ts'
import { readTextSearch } from '../search.ts'

const links = declareSubresource('roleId', {
  tag: 'Applications',
  name: 'role',
  entity: RoleSchema,
  subject: 'Application',
})

const listCall = links.list({
  operationId: 'listApplicationRoles',
  summary: 'List the roles of an application',
  description:
    'Returns a page of the roles of an application, ordered by name. Its client credentials tokens can ' +
    'carry their scopes. `search` matches the id, name and description. Internal roles are left out unless ' +
    '`withInternal` is true. `/roles/{id}/applications` assigns and removes roles. Responds with 404 ' +
    '`entity.not_exists_with_id` if the application is unknown.',
  query: roleListQuery,
})

/** Creates the route that lists the roles of an application. The parent router authorizes the call. */
export function applicationRoleRoutes({ db }: Pick<Dependencies, 'db'>) {
  return managementSubrouter().openapi(listCall, async (c) => {
    const { id } = c.req.valid('param')
    const { tenantId } = c.var
    const page = readPage(c)
    const search = readTextSearch(c, roleSearchFields)
    const withInternal = c.req.valid('query').withInternal === 'true'
    const [applications, { roles, ...total }] = await Promise.all([
      existingMembersQuery(db, tenantId, 'application', [id]),
      listRolesOf(db, tenantId, { kind: 'application', id }, { ...page, search, withInternal }),
    ])
    if (applications.length === 0) refuseWith('entity.not_exists_with_id', { id })
    setPageHeaders(c, page, { ...total, length: roles.length })
    return c.json(roles, 200)
  })
}
