import { inviteAdministrator } from '../../../application/access/invite.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  AdministratorInvitation,
  AdministratorInvitationCreation,
} from '../../../contract/access/administrator-invitations.schema.ts'
import { type ManagementGuard, managementRouter, needsRecentSignIn } from '../router.ts'
import { declareListedResource } from './resource-declaration.ts'

const invitation = declareListedResource({
  tag: 'Administrators',
  name: 'invitation',
  entity: AdministratorInvitation.meta({ id: 'AdministratorInvitation' }),
  subject: 'AdministratorInvitation',
})

const createCall = invitation.create({
  summary: 'Invite an administrator',
  description:
    'Answers a link by which one person becomes an administrator of the tenant: with an account that the page makes, or with one that the person signs in to. It works once, for ten minutes, and cannot be read later. ' +
    '`roleId` is a role of administrators (`admin-role`, `developer-role`, `support-role`, `read-only-role`); another role is refused with 422 `guard.invalid_input`, an unknown one with 404 `entity.not_exists_with_id`. `email` is offered on the page, and no message is sent. ' +
    needsRecentSignIn(),
  body: AdministratorInvitationCreation,
  refusals: [404],
})

/** Who holds the secrets of the deployment makes its first administrator (spec/management#administrator-invitations). */
export function administratorInvitationRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard).openapi(createCall, async (c) => {
    const { roleId, email = null } = c.req.valid('json')
    await requireOperatorStepUp(dependencies, c.var)
    const { tenantId, url, principal } = c.var
    const audit = invitation.audit(c, 'Create', { roleId })
    const request = { tenantId, origin: url.origin, roleId, email, inviter: principal, audit }
    return c.json(await inviteAdministrator(dependencies, request), 200)
  })
}
