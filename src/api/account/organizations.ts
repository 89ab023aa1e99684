import { z } from 'zod'
import type { Dependencies } from '../../application/dependencies.ts'
import { leaveOrganization } from '../../application/organisations/members.ts'
import { createOrganization } from '../../application/organisations/organizations.ts'
import { ApplicationRoles, OrganizationName } from '../../contract/organisations/organizations.schema.ts'
import { OWNER_ROLE } from '../../contract/organisations/organizations.ts'
import { storableText } from '../../contract/text.schema.ts'
import { randomId } from '../../storage/ids.ts'
import { listOwnOrganizations } from '../../storage/organisations/own-organizations.ts'
import { jsonBody, jsonResponse } from '../guard.ts'
import { accountCallContext, accountRouter, beginAccountAudit, declareAccountCall } from './router.ts'

/** An organisation of the user, as applications of the user see it. */
const OwnOrganization = z
  .object({ id: z.string(), name: z.string(), roles: ApplicationRoles })
  .meta({ id: 'MyOrganization' })

const listCall = declareAccountCall({
  method: 'get',
  path: '/',
  operationId: 'listMyOrganizations',
  summary: 'List my organizations',
  description:
    'Returns the organizations of which the signed-in user is a member, the last used first and at most 1,000, ' +
    "each with the user's roles. Requires the `organizations` scope.",
  responses: { 200: jsonResponse('All organizations', z.array(OwnOrganization)) },
})
const createCall = declareAccountCall({
  method: 'post',
  path: '/',
  operationId: 'createMyOrganization',
  summary: 'Create an organization',
  description:
    'Creates an organization, of which the signed-in user becomes the owner. Requires the `organizations` scope. ' +
    'Errors: 403 `organization.creation_not_allowed` if the tenant does not let users create organizations, 422 ' +
    '`organization.limit_reached` if the user has created as many as the tenant allows.',
  request: {
    body: jsonBody(z.strictObject({ name: OrganizationName }).meta({ id: 'MyOrganizationCreation' })),
  },
  responses: { 200: jsonResponse('The new organization', OwnOrganization) },
  refusals: [422],
})
const leaveCall = declareAccountCall({
  method: 'delete',
  path: '/{organizationId}',
  operationId: 'endMyOrganizationMembership',
  summary: 'Leave an organization',
  description:
    'Ends the membership of the signed-in user, with all tokens for the organization. Requires the `organizations` ' +
    'scope. Errors: 403 `organization.not_member` if the user is not a member or the organization is unknown, 422 ' +
    '`organization.last_owner` if nobody else owns the organization.',
  request: { params: z.object({ organizationId: storableText(128) }) },
  responses: { 204: { description: 'Left' } },
  refusals: [422],
})

/** Serves the organisations of the user (spec/organisations#account-centre). Applications cannot manage them. */
export function accountOrganizationRoutes(dependencies: Dependencies) {
  return accountRouter(dependencies, 'organizations')
    .openapi(listCall, async (c) => {
      const owner = { tenantId: c.var.tenantId, userId: c.var.signedIn.user.id }
      return c.json(await listOwnOrganizations(dependencies.db, owner), 200)
    })
    .openapi(createCall, async (c) => {
      const { tenantId, signedIn, background } = accountCallContext(c)
      const [id, userId] = [randomId(), signedIn.user.id]
      const { name } = c.req.valid('json')
      await createOrganization(dependencies, {
        tenantId,
        by: { kind: 'member', userId },
        audit: beginAccountAudit(c, 'Account.Organization.Create', { organizationId: id }),
        hooks: { actor: { type: 'user', id: userId }, background },
        organization: { id, name, description: null, customData: {}, policy: {}, brand: {} },
      })
      return c.json({ id, name, roles: [{ id: OWNER_ROLE.id, name: OWNER_ROLE.name }] }, 200)
    })
    .openapi(leaveCall, async (c) => {
      const { organizationId } = c.req.valid('param')
      const { tenantId, signedIn, background } = accountCallContext(c)
      const userId = signedIn.user.id
      await leaveOrganization(dependencies, {
        tenantId,
        organizationId,
        userId,
        url: c.req.url,
        audit: beginAccountAudit(c, 'Account.OrganizationMember.Delete', { organizationId }),
        hooks: { actor: { type: 'user', id: userId }, background },
      })
      return c.body(null, 204)
    })
}
