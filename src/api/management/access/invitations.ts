import { z } from 'zod'
import {
  invite,
  readInvitedRoles,
  readOpenInvitation,
  resendInvitation,
  revokeInvitation,
} from '../../../application/access/invite.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  CreatedInvitation,
  type Invitation,
  InvitationCreation,
  InvitationSchema,
} from '../../../contract/access/invitations.schema.ts'
import {
  type InvitationKind,
  invitationKinds,
  invitationStates,
} from '../../../contract/access/invitations.ts'
import { refuseWith } from '../../../contract/refused.ts'
import { callerActorTypes } from '../../../domain/audit-actor.ts'
import {
  invitationQuery,
  type ListedInvitation,
  listInvitations,
} from '../../../storage/access/invitations.ts'
import { jsonResponse } from '../../guard.ts'
import { toMessageRequest } from '../../request-context.ts'
import { requireHolderScopes } from '../authority.ts'
import { paginationQuery, readPage, setPageHeaders } from '../pagination.ts'
import {
  createManagementCallDeclarer,
  describeRecentSignIn,
  idParam,
  type ManagementContext,
  type ManagementGuard,
  managementRouter,
  requireFullAccess,
} from '../router.ts'
import { declareListedResource } from './resource-declaration.ts'

const tag = 'Invitations'
const declareCall = createManagementCallDeclarer(tag)
const invitation = declareListedResource({
  tag,
  name: 'invitation',
  entity: InvitationSchema,
  subject: 'Invitation',
})

const listCall = invitation.list({
  operationId: 'listInvitations',
  summary: 'List invitations',
  description:
    'Returns a page of the invitations of the tenant, newest first, without their links. `kind` selects those of `administrator`s or `user`s, and `state` ' +
    'those that are `pending`, `accepted`, `revoked` or `expired`. An invitation is deleted 30 days after it ' +
    'has expired.',
  query: z.object({
    ...paginationQuery,
    kind: z.enum(invitationKinds).optional(),
    state: z.enum(invitationStates).optional(),
  }),
})
const createCall = invitation.create({
  operationId: 'createInvitation',
  summary: 'Invite somebody by email',
  description:
    'Sends a link to `email` with which its owner gets an account with the roles `roleIds`, whether or not ' +
    'the tenant allows registration. The link works once, for `lifetimeSeconds` (an hour to seven days, by ' +
    'default one day). An account that has the address gets the roles after signing in; otherwise the page ' +
    'creates one with this verified address, and with `name`, `givenName` and `familyName`. `language` is ' +
    'the language of the message, by default that of the tenant. With the `delivery` `link`, the response ' +
    'has the link as `url` and no message is sent; its page then sends another link to the address. A tenant ' +
    'without an email connector rejects both with 400 `connector.not_found`, except for a `link` that is ' +
    'valid for one hour, because nobody can prove the address. Administrator roles need the ' +
    'scope `all`; other roles must not have scopes of our own APIs that the caller lacks (403). Unknown roles ' +
    'result in 404 `entity.not_exists_with_id`. ' +
    describeRecentSignIn(),
  body: InvitationCreation,
  response: CreatedInvitation,
  refusals: [404],
})
const resendCall = declareCall({
  method: 'post',
  path: '/{id}/resend',
  operationId: 'resendInvitation',
  summary: 'Send an invitation again',
  description:
    'Sends a new link to the address. It is valid for the lifetime of the invitation from now on, and replaces ' +
    'all earlier links. Responds with 404 `entity.not_found` if the invitation is unknown, revoked or accepted, ' +
    'and with 422 `user.address_needed` if it has no address. ' +
    describeRecentSignIn(),
  request: { params: idParam },
  responses: { 200: jsonResponse('The invitation', InvitationSchema) },
  refusals: [404, 422],
})
const revokeCall = invitation.delete({
  operationId: 'deleteInvitation',
  summary: 'Revoke an invitation',
  description:
    'Revokes an invitation, whose page then says so. Responds with 404 `entity.not_found` if it is unknown, or ' +
    'was revoked or accepted before.',
})

/** Serves the invitations of administrators and users (spec/management#invitations). */
export function invitationRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  const { db, now } = dependencies

  return managementRouter(dependencies, guard)
    .openapi(listCall, async (c) => {
      const { kind, state } = c.req.valid('query')
      const page = readPage(c)
      const list = await listInvitations(db, c.var.tenantId, { ...page, kind, state, now: now() })
      setPageHeaders(c, page, { ...list, length: list.invitations.length })
      return c.json(list.invitations.map(toInvitation), 200)
    })
    .openapi(createCall, async (c) => {
      const body = c.req.valid('json')
      const { tenantId, url, principal: inviter } = c.var
      await requireOperatorStepUp(dependencies, c.var)
      const { kind } = await readInvitedRoles(dependencies, tenantId, body.roleIds)
      await requireAuthority(dependencies, c, { kind, roleIds: body.roleIds })
      const audit = invitation.audit(c, 'Create', { roleIds: body.roleIds })
      const message = toMessageRequest(c)
      const request = { tenantId, origin: url.origin, message, kind, invitation: body, inviter, audit }
      const created = await invite(dependencies, request)
      return c.json({ ...(await readInvitation(created.id)), url: created.url }, 200)

      async function readInvitation(id: string) {
        const [row] = await invitationQuery(db, { tenantId, id }, now())
        return row ? toInvitation(row) : refuseWith('entity.not_found')
      }
    })
    .openapi(resendCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId, principal: inviter } = c.var
      await requireOperatorStepUp(dependencies, c.var)
      await requireAuthority(dependencies, c, await readOpenInvitation(dependencies, tenantId, id))
      const audit = invitation.audit(c, 'Update', { invitationId: id })
      await resendInvitation(dependencies, { tenantId, id, message: toMessageRequest(c), inviter, audit })
      const [row] = await invitationQuery(db, { tenantId, id }, now())
      return c.json(row ? toInvitation(row) : refuseWith('entity.not_found'), 200)
    })
    .openapi(revokeCall, async (c) => {
      const { id } = c.req.valid('param')
      const { tenantId } = c.var
      await requireAuthority(dependencies, c, await readOpenInvitation(dependencies, tenantId, id))
      const audit = invitation.audit(c, 'Delete', { invitationId: id })
      await revokeInvitation(dependencies, { tenantId, id, audit })
      return c.body(null, 204)
    })
}

/** Rejects callers who could not give these roles to a user (spec/management#escalation). */
async function requireAuthority(
  dependencies: Dependencies,
  c: ManagementContext,
  { kind, roleIds }: { kind: InvitationKind; roleIds: readonly string[] },
): Promise<void> {
  if (kind === 'administrator') requireFullAccess(c)
  await requireHolderScopes(dependencies, c, { kind: 'role', ids: roleIds })
}

const toInvitation = ({
  inviterType,
  inviterId,
  invitedAt: _invitedAt,
  lifetimeSeconds: _lifetimeSeconds,
  ...row
}: ListedInvitation): Invitation => ({
  ...row,
  invitedBy:
    inviterType !== null && inviterId !== null
      ? { type: callerActorTypes[inviterType], id: inviterId }
      : null,
})
