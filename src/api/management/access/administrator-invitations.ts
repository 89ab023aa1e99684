import { inviteAdministrator } from '../../../application/access/invite.ts'
import type { Dependencies } from '../../../application/dependencies.ts'
import { requireOperatorStepUp } from '../../../application/sessions/step-up.ts'
import {
  AdministratorInvitation,
  AdministratorInvitationCreation,
} from '../../../contract/access/administrator-invitations.schema.ts'
import { describeRecentSignIn, type ManagementGuard, managementRouter } from '../router.ts'
import { declareListedResource } from './resource-declaration.ts'

const invitation = declareListedResource({
  tag: 'Administrators',
  name: 'invitation',
  entity: AdministratorInvitation.meta({ id: 'AdministratorInvitation' }),
  subject: 'Invitation',
})

const createCall = invitation.create({
  operationId: 'createAdministratorInvitation',
  summary: 'Invite an administrator',
  description:
    'Returns a link that makes one person an administrator of the tenant, with an account that is ' +
    'created on the page or an account to which the person signs in. It is meant for tenants that cannot ' +
    'send messages yet: `POST /invitations` sends a link that is valid for up to seven days. The link works ' +
    'once, expires after ten minutes and cannot be read later. `roleId` is an administrator role (`admin-role`, ' +
    '`developer-role`, `support-role`, `read-only-role`); another role is rejected with 422 ' +
    '`guard.invalid_input`, an unknown one with 404 `entity.not_exists_with_id`. Only ' +
    'the account with the address `email` can accept; no message is sent. ' +
    describeRecentSignIn(),
  body: AdministratorInvitationCreation,
  refusals: [404],
})

/**
 * Lets anyone who knows the deployment's secrets create its first administrator
 * (spec/management#administrator-invitations).
 */
export function administratorInvitationRoutes(dependencies: Dependencies, guard: ManagementGuard) {
  return managementRouter(dependencies, guard).openapi(createCall, async (c) => {
    const { roleId, email = null } = c.req.valid('json')
    await requireOperatorStepUp(dependencies, c.var)
    const { tenantId, url, principal } = c.var
    const audit = invitation.audit(c, 'Create', { roleIds: [roleId] })
    const request = { tenantId, origin: url.origin, roleId, email, inviter: principal, audit }
    return c.json(await inviteAdministrator(dependencies, request), 200)
  })
}
