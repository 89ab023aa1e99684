import { OrganizationInvitations } from '../../../client/account/organisations/invitations.tsx'
import {
  inviteToOrganization,
  resendOrganizationInvitation,
  revokeOrganizationInvitation,
} from '../../application/organisations/invitations.ts'
import { requireStepUp } from '../../application/sessions/step-up.ts'
import { OrganizationInvitationCreation } from '../../contract/organisations/invitations.schema.ts'
import { formatCursor, parseCursor } from '../../domain/account/account-activity.ts'
import { describedRolesQuery } from '../../storage/organisations/authority.ts'
import { INVITATION_PAGE_SIZE, openInvitationsQuery } from '../../storage/organisations/organization-pages.ts'
import type { AccountPage, FormResult } from '../account/page.ts'
import type { OpenSubmission } from '../account/submission.ts'
import { beginMemberChange, parseFields, rolesTypedIn, textOf } from './organization-change.ts'
import { memberQueries, organizationIdIn, requireMember, toRoleOptions } from './organization-visit.ts'

export const organizationInvitationsPage: AccountPage = {
  async show(visit, { typed }) {
    const { dependencies, tenantId, url } = visit
    const { db, now } = dependencies
    const before = parseCursor(url.searchParams.get('before'))
    const { signedIn, rows } = await visit.readList((userId) => ({
      ...memberQueries(visit, userId),
      roles: describedRolesQuery(db, tenantId),
      invitations: openInvitationsQuery(db, { tenantId, organizationId: organizationIdIn(url) }, before),
    }))
    const { organization, own } = requireMember(rows, 'members:manage')
    const invitations = rows.invitations.slice(0, INVITATION_PAGE_SIZE)
    const last = rows.invitations.length > INVITATION_PAGE_SIZE ? invitations.at(-1) : undefined
    const body = (
      <OrganizationInvitations
        invitations={invitations}
        roles={toRoleOptions(rows.roles, own)}
        chosenRoles={rolesTypedIn(typed, 'invite')}
        now={now()}
        older={last ? formatCursor(last) : null}
        isFirst={before === null}
      />
    )
    return { title: 'invitations', about: organization.name, signedIn, body }
  },
  actions: { invite, resend, revoke },
}

/** Invites an address. Whoever accepts can act for the organisation, so this needs a recent sign-in. */
async function invite(submission: OpenSubmission): Promise<FormResult> {
  const { dependencies, tenantId, signedIn, form, message } = submission
  const email = textOf(submission, 'email')
  const invitation = await parseFields(submission, {
    schema: OrganizationInvitationCreation,
    values: { email, roleIds: form.getAll('roleIds'), language: textOf(submission, 'language') || undefined },
    labels: { email: 'input.email', roleIds: 'roles', language: 'invitation_language' },
  })
  const { organizationId, by, audit } = beginMemberChange(submission, 'Account.OrganizationInvitation.Create')
  await requireStepUp(dependencies, tenantId, signedIn)
  await inviteToOrganization(dependencies, { tenantId, organizationId }, { by, audit, message, invitation })
  return { message: 'invited', values: { address: email } }
}

function beginInvitationChange(submission: OpenSubmission, action: 'Update' | 'Delete') {
  const id = submission.form.get('id') ?? ''
  const change = beginMemberChange(submission, `Account.OrganizationInvitation.${action}`, {
    invitationId: id,
  })
  const { tenantId, organizationId, by, audit } = change
  return { key: { tenantId, organizationId, id }, by, audit }
}

async function resend(submission: OpenSubmission): Promise<FormResult> {
  const { dependencies, message } = submission
  const { key, ...change } = beginInvitationChange(submission, 'Update')
  await resendOrganizationInvitation(dependencies, key, { ...change, message })
  return { message: 'invitation_sent_again' }
}

async function revoke(submission: OpenSubmission): Promise<FormResult> {
  const { key, ...change } = beginInvitationChange(submission, 'Delete')
  await revokeOrganizationInvitation(submission.dependencies, key, change)
  return { message: 'invitation_revoked' }
}
