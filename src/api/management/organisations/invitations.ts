import { z } from 'zod'
import type { Dependencies } from '../../../application/dependencies.ts'
import {
  inviteToOrganization,
  resendOrganizationInvitation,
  revokeOrganizationInvitation,
} from '../../../application/organisations/invitations.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import { invitationStates } from '../../../contract/access/invitations.ts'
import {
  type OrganizationInvitation,
  OrganizationInvitationCreation,
  OrganizationInvitationSchema,
} from '../../../contract/organisations/invitations.schema.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { storableText } from '../../../contract/text.schema.ts'
import { callerActorTypes } from '../../../domain/audit-actor.ts'
import {
  type ListedOrganizationInvitation,
  listOrganizationInvitations,
  type OrganizationInvitationKey,
  organizationInvitationQuery,
} from '../../../storage/organisations/invitations.ts'
import { organizationQuery } from '../../../storage/organisations/organizations.ts'
import { jsonResponse } from '../../guard.ts'
import { toMessageRequest } from '../../request-context.ts'
import { declareSubresource } from '../access/resource-declaration.ts'
import { paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  type ManagementContext,
  managementSubrouter,
} from '../router.ts'

const tag = 'Organizations'
const invitation = declareSubresource('invitationId', {
  tag,
  name: 'invitation',
  entity: OrganizationInvitationSchema,
  subject: 'OrganizationInvitation',
})

const listCall = invitation.list({
  operationId: 'listOrganizationInvitations',
  summary: 'List the invitations of an organization',
  description:
    'Returns a page of the invitations of an organization, newest first, without their links. `state` selects ' +
    'those that are `pending`, `accepted`, `revoked` or `expired`. An invitation is deleted 30 days after it has ' +
    'expired. Responds with 404 `entity.not_exists_with_id` if the organization is unknown.',
  query: z.object({ ...paginationQuery, state: z.enum(invitationStates).optional() }),
})
const createCall = invitation.create({
  operationId: 'createOrganizationInvitation',
  summary: 'Invite somebody to an organization',
  description:
    'Sends a link to `email` with which its owner becomes a member with the organization roles `roleIds`. The ' +
    'link works once, for `lifetimeSeconds` (an hour to seven days, by default seven days). An account in which ' +
    'the address is verified joins after signing in; otherwise the page creates one, whether or not the tenant ' +
    'allows registration. It replaces an open invitation of the address. `language` is the language of the ' +
    'message, by default that of the account with the address, or else that of the tenant. The roles are checked ' +
    'again when the invitation is accepted. Errors: 404 `entity.not_exists_with_id` if the organization or a ' +
    'role is unknown, 422 `organization.already_member` if a member owns the address, 400 `connector.not_found` ' +
    'without an email connector. ' +
    describeRecentSignIn(),
  body: OrganizationInvitationCreation,
})
const getCall = invitation.read({
  operationId: 'getOrganizationInvitation',
  summary: 'Get an invitation to an organization',
  description:
    'Returns an invitation without its link. Responds with 404 `entity.not_found` if it is unknown.',
})
const sendCall = createManagementCallDeclarer(tag)({
  method: 'post',
  path: '/{invitationId}/send',
  operationId: 'sendOrganizationInvitation',
  summary: 'Send an invitation to an organization again',
  description:
    'Sends a new link to the address, valid for as long as the previous one was from now on. The previous link ' +
    'no longer works. Responds with 404 `entity.not_found` if the invitation is unknown, revoked or accepted. ' +
    describeRecentSignIn(),
  request: { params: z.object({ id: storableText(128), invitationId: storableText(128) }) },
  responses: { 200: jsonResponse('The invitation', OrganizationInvitationSchema) },
  refusals: [404],
})
const revokeCall = invitation.delete({
  operationId: 'deleteOrganizationInvitation',
  summary: 'Revoke an invitation to an organization',
  description:
    'Revokes an invitation, whose page then says so. Responds with 404 `entity.not_found` if it is unknown, or ' +
    'was revoked or accepted before.',
})

/** Serves the invitations to one organisation (spec/organisations#invitations). The parent router authorizes the calls. */
export function organizationInvitationRoutes(dependencies: Dependencies) {
  const { db, now } = dependencies
  const read = async (key: OrganizationInvitationKey) => {
    const [row] = await organizationInvitationQuery(db, key, now())
    return row ? toInvitation(row) : refuseWith('entity.not_found')
  }
  const inviterOf = (c: ManagementContext) => ({ kind: 'operator', principal: c.var.principal }) as const

  return managementSubrouter()
    .openapi(listCall, async (c) => {
      const { state } = c.req.valid('query')
      const page = readPage(c)
      const key = { tenantId: c.var.tenantId, organizationId: c.req.valid('param').id }
      const list = await listOrganizationInvitations(db, key, { ...page, state, now: now() })
      if (list.total === 0 && (await organizationQuery(db, key)).length === 0)
        refuseWith('entity.not_exists_with_id', { id: key.organizationId })
      setPageHeaders(c, page, { ...list, length: list.invitations.length })
      return c.json(list.invitations.map(toInvitation), 200)
    })
    .openapi(createCall, async (c) => {
      const { id: organizationId } = c.req.valid('param')
      const key = { tenantId: c.var.tenantId, organizationId }
      await requireOperatorStepUp(dependencies, c.var)
      const audit = invitation.audit(c, 'Create', { organizationId })
      const request = {
        by: inviterOf(c),
        audit,
        message: toMessageRequest(c),
        invitation: c.req.valid('json'),
      }
      const { id } = await inviteToOrganization(dependencies, key, request)
      return c.json(await read({ ...key, id }), 200)
    })
    .openapi(getCall, async (c) => {
      const { id: organizationId, invitationId: id } = c.req.valid('param')
      return c.json(await read({ tenantId: c.var.tenantId, organizationId, id }), 200)
    })
    .openapi(sendCall, async (c) => {
      const { id: organizationId, invitationId } = c.req.valid('param')
      const key = { tenantId: c.var.tenantId, organizationId, id: invitationId }
      await requireOperatorStepUp(dependencies, c.var)
      const audit = invitation.audit(c, 'Update', { organizationId, invitationId })
      const message = toMessageRequest(c)
      await resendOrganizationInvitation(dependencies, key, { by: inviterOf(c), audit, message })
      return c.json(await read(key), 200)
    })
    .openapi(revokeCall, async (c) => {
      const { id: organizationId, invitationId } = c.req.valid('param')
      const key = { tenantId: c.var.tenantId, organizationId, id: invitationId }
      const audit = invitation.audit(c, 'Delete', { organizationId, invitationId })
      await revokeOrganizationInvitation(dependencies, key, { by: inviterOf(c), audit })
      return c.body(null, 204)
    })
}

const toInvitation = ({
  inviterType,
  inviterId,
  ...row
}: ListedOrganizationInvitation): OrganizationInvitation => ({
  ...row,
  invitedBy: { type: inviterType === 'member' ? 'member' : callerActorTypes[inviterType], id: inviterId },
})
