import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import { OrganizationOfUser } from '../../../contract/organisations/organizations.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { existingMembersQuery } from '../../../storage/access/role-links.ts'
import { listOrganizationsOfUser } from '../../../storage/organisations/organization-list.ts'
import { declareSubresource } from '../access/resource-declaration.ts'
import { paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import { hasScopeFor, managementSubrouter, throwIfScopesMissing } from '../router.ts'

const listCall = declareSubresource('organizationId', {
  tag: 'Users',
  name: 'organization',
  entity: OrganizationOfUser,
  subject: 'User',
}).list({
  operationId: 'listUserOrganizations',
  summary: 'List the organizations of a user',
  description:
    'Returns a page of the organizations to which a user belongs, the latest membership first, each with the ' +
    'roles of the user there and the sources of the membership. The caller also needs `organizations:read`. ' +
    'Responds with 404 `entity.not_found` if the user is unknown.',
  query: z.object(paginationQuery),
})

/** Creates the route that lists the organisations of a user. The parent router authorizes the call. */
export function userOrganizationRoutes({ db }: Pick<Dependencies, 'db'>) {
  return managementSubrouter().openapi(listCall, async (c) => {
    const { id: userId } = c.req.valid('param')
    const { tenantId } = c.var
    const page = readPage(c)
    if (!hasScopeFor(c, 'organizations:read')) throwIfScopesMissing(c, ['organizations:read'])
    const [users, { organizations, ...total }] = await Promise.all([
      existingMembersQuery(db, tenantId, 'user', [userId]),
      listOrganizationsOfUser(db, tenantId, { ...page, userId }),
    ])
    if (users.length === 0) refuseWith('entity.not_found')
    setPageHeaders(c, page, { ...total, length: organizations.length })
    return c.json(organizations, 200)
  })
}
