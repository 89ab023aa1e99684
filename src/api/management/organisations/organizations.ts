import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import {
  changeOrganization,
  createOrganization,
  findOrganization,
  removeOrganization,
} from '../../../application/organisations/organizations.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  OrganizationCreation,
  OrganizationPatch,
  OrganizationSchema,
} from '../../../contract/organisations/organizations.schema.ts'
import { isProtectedChange } from '../../../domain/access/protected-changes.ts'
import { randomId } from '../../../storage/ids.ts'
import {
  listOrganizations,
  organizationSearchFields,
} from '../../../storage/organisations/organization-list.ts'
import { declareResource } from '../access/resource-declaration.ts'
import { toHookDispatch } from '../change.ts'
import { paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import {
  describeRecentSignIn,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
} from '../router.ts'
import { readTextSearch, searchQuery } from '../search.ts'
import { organizationApplicationRoutes } from './applications.ts'
import { organizationDomainRoutes } from './domains.ts'
import { organizationInvitationRoutes } from './invitations.ts'
import { organizationMemberRoutes } from './members.ts'

const organization = declareResource({
  tag: 'Organizations',
  name: 'organization',
  entity: OrganizationSchema,
  subject: 'Organization',
})

const listCall = organization.list({
  operationId: 'listOrganizations',
  summary: 'List organizations',
  description:
    'Returns a page of the organizations of the tenant, newest first. `search` matches the id, name and ' +
    'description.',
  query: z.object({ ...paginationQuery, ...searchQuery }),
})
const createCall = organization.create({
  operationId: 'createOrganization',
  summary: 'Create an organization',
  description:
    'Creates an organization. With `ownerId`, this user is its first member and has the role `owner`. ' +
    '`policy` contains rules for acting for the organization, in addition to those of the tenant, and ' +
    '`brand` is what the pages show. Errors: 422 `entity.id_in_use` if the id is taken, 404 ' +
    '`entity.not_found` if the owner is unknown. ' +
    describeRecentSignIn('sets `ownerId` or `policy`'),
  body: OrganizationCreation,
  refusals: [404],
})
const getCall = organization.read({
  operationId: 'getOrganization',
  summary: 'Get an organization',
  description:
    'Returns one organization. Responds with 404 `entity.not_exists_with_id` if the id is unknown.',
})
const patchCall = organization.update({
  operationId: 'updateOrganization',
  summary: 'Change an organization',
  description:
    'Replaces the given fields, each as a whole, including `customData`, `policy` and `brand`. An empty ' +
    'string or null clears the description. Responds with 404 `entity.not_exists_with_id` if the id is ' +
    'unknown. ' +
    describeRecentSignIn('changes the policy'),
  body: OrganizationPatch,
})
const deleteCall = organization.delete({
  operationId: 'deleteOrganization',
  summary: 'Delete an organization',
  description:
    'Deletes an organization with its memberships, invitations and domains. Grants of applications for it ' +
    'end, and the applications get logout tokens; its members keep their accounts. Responds with 404 ' +
    '`entity.not_exists_with_id` if the id is unknown.',
})

export function organizationRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db } = dependencies
  const find = (c: ManagementContext, id: string) => findOrganization(dependencies, c.var.tenantId, id)
  const by = { kind: 'operator' } as const

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const page = readPage(c)
      const search = readTextSearch(c, organizationSearchFields)
      const { organizations, ...total } = await listOrganizations(db, c.var.tenantId, { ...page, search })
      setPageHeaders(c, page, { ...total, length: organizations.length })
      return c.json(organizations, 200)
    })
    .openapi(createCall, async (c) => {
      const body = c.req.valid('json')
      const { ownerId, id = randomId(), ...fields } = body
      if (ownerId !== undefined || fields.policy !== undefined)
        await requireOperatorStepUp(dependencies, c.var)
      const creation = {
        tenantId: c.var.tenantId,
        by,
        organization: { ...fields, id },
        ownerId,
        audit: organization.audit(c, 'Create', { organizationId: id, ownerId }, body),
        hooks: toHookDispatch(c),
      }
      return c.json(await createOrganization(dependencies, creation), 200)
    })
    .openapi(getCall, async (c) => {
      const { id } = c.req.valid('param')
      return c.json(await organization.tagged(c, await find(c, id)), 200)
    })
    .openapi(patchCall, async (c) => {
      const { id: organizationId } = c.req.valid('param')
      const changes = c.req.valid('json')
      if (isProtectedChange('organization', changes)) await requireOperatorStepUp(dependencies, c.var)
      const preconditions = await organization.readPreconditions(dependencies, c, organizationId, find)
      const change = {
        tenantId: c.var.tenantId,
        organizationId,
        by,
        changes,
        preconditions,
        audit: organization.audit(c, 'Update', { organizationId }, changes),
        hooks: toHookDispatch(c),
      }
      return c.json(await organization.tagged(c, await changeOrganization(dependencies, change)), 200)
    })
    .openapi(deleteCall, async (c) => {
      const { id: organizationId } = c.req.valid('param')
      const preconditions = await organization.readPreconditions(dependencies, c, organizationId, find)
      await removeOrganization(dependencies, {
        tenantId: c.var.tenantId,
        organizationId,
        url: c.req.url,
        by,
        preconditions,
        audit: organization.audit(c, 'Delete', { organizationId }),
        hooks: toHookDispatch(c),
      })
      return c.body(null, 204)
    })
    .route('/:id/users', organizationMemberRoutes(dependencies))
    .route('/:id/domains', organizationDomainRoutes(dependencies))
    .route('/:id/invitations', organizationInvitationRoutes(dependencies))
    .route('/:id/applications', organizationApplicationRoutes(dependencies))
}
