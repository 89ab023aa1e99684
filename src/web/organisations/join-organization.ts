import { acceptInvitation } from '../../application/access/accept-invitation.ts'
import { readOwnInvitation } from '../../application/access/read-invitation.ts'
import { joinByDomain } from '../../application/organisations/join-by-domain.ts'
import { declineInvitation } from '../../application/organisations/own-invitations.ts'
import type { FormResult } from '../account/page.ts'
import type { OpenSubmission } from '../account/submission.ts'
import { organizationPath } from './organization-visit.ts'

/** The forms with which a user joins an organisation, or declines to. */

/** Accepts an invitation to the user's verified address, as its link would (spec/organisations#invitations). */
export async function accept(submission: OpenSubmission): Promise<FormResult> {
  const { dependencies, tenantId, form, signedIn, background } = submission
  const { user } = signedIn
  const invitationId = form.get('id') ?? ''
  const audit = submission.beginAudit('Account.Invitation.Accept', { invitationId })
  const invitation = await readOwnInvitation(dependencies, { tenantId, userId: user.id, id: invitationId })
  const organizationId = invitation.organization?.id ?? ''
  audit.add({ organizationId, roleIds: invitation.roleIds })
  await acceptInvitation(dependencies, { tenantId, invitation, user, audit, background })
  return { message: 'organization_joined', to: organizationPath(organizationId) }
}

export async function decline({
  dependencies,
  tenantId,
  form,
  signedIn,
  beginAudit,
}: OpenSubmission): Promise<FormResult> {
  const id = form.get('id') ?? ''
  const audit = beginAudit('Account.OrganizationInvitation.Delete', { invitationId: id })
  await declineInvitation(dependencies, { tenantId, userId: signedIn.user.id, id, audit })
  return { message: 'organization_declined' }
}

/** Joins an organisation that has proved the domain of the user's verified address. */
export async function join(submission: OpenSubmission): Promise<FormResult> {
  const { dependencies, tenantId, form, signedIn, background } = submission
  const organizationId = form.get('id') ?? ''
  const audit = submission.beginAudit('Account.OrganizationMember.Create', { organizationId })
  const key = { tenantId, organizationId }
  await joinByDomain(dependencies, key, { user: signedIn.user, audit, hooks: { background } })
  return { message: 'organization_joined', to: organizationPath(organizationId) }
}
