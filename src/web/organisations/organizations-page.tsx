import { z } from 'zod'
import { CREATION_QUERY, Organizations } from '../../../client/account/organisations/organizations.tsx'
import { acceptInvitation } from '../../application/access/accept-invitation.ts'
import { readOwnInvitation } from '../../application/access/read-invitation.ts'
import { joinByDomain } from '../../application/organisations/join-by-domain.ts'
import { createOrganization } from '../../application/organisations/organizations.ts'
import { declineInvitation } from '../../application/organisations/own-invitations.ts'
import { singleLineText } from '../../contract/text.schema.ts'
import { randomId } from '../../storage/ids.ts'
import { suggestedOrganizationsQuery } from '../../storage/organisations/domain-members.ts'
import { membershipsOfUserQuery } from '../../storage/organisations/memberships.ts'
import {
  organizationRoleNamesQuery,
  ownInvitationsQuery,
} from '../../storage/organisations/own-organizations.ts'
import type { AccountPage, FormResult } from '../account/page.ts'
import type { OpenSubmission } from '../account/submission.ts'
import { beginMemberChange, parseFields, textOf } from './organization-change.ts'
import { organizationPath } from './organization-visit.ts'

export const organizationsPage: AccountPage = {
  async show({ dependencies, tenantId, url, readList }, { typed }) {
    const { db, now, tenantSettings } = dependencies
    const { usersMayCreate } = (await tenantSettings.get(tenantId)).organizations
    const { signedIn, rows } = await readList((userId) => ({
      memberships: membershipsOfUserQuery(db, tenantId, userId),
      roles: organizationRoleNamesQuery(db, tenantId),
      invitations: ownInvitationsQuery(db, { tenantId, userId }, now()),
      suggestions: suggestedOrganizationsQuery(db, tenantId, userId),
    }))
    const organizations = rows.memberships.map(({ roleIds, ...organization }) => {
      const ids: readonly string[] = JSON.parse(roleIds)
      const roleNames = rows.roles.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
      return { ...organization, roleNames }
    })
    const body = (
      <Organizations
        organizations={organizations}
        invitations={rows.invitations}
        suggestions={rows.suggestions}
        mayCreate={usersMayCreate}
        isCreating={url.search === CREATION_QUERY || typed.intent === 'create'}
      />
    )
    return { title: 'organizations', signedIn, body }
  },
  actions: {
    async create(submission) {
      const { name } = await parseFields(submission, {
        schema: z.object({ name: singleLineText(128) }),
        values: { name: textOf(submission, 'name') },
        labels: { name: 'organization_name' },
      })
      const { organizationId, ...change } = beginMemberChange(submission, 'Account.Organization.Create', {
        organizationId: randomId(),
      })
      const organization = {
        id: organizationId,
        name,
        description: null,
        customData: {},
        policy: {},
        brand: {},
      }
      await createOrganization(submission.dependencies, { ...change, organization })
      return { message: 'organization_created', to: organizationPath(organizationId) }
    },
    accept,
    decline,
    join,
  },
}

/** Accepts an invitation to the user's verified address, as its link would (spec/organisations#invitations). */
async function accept(submission: OpenSubmission): Promise<FormResult> {
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

async function decline({
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
async function join(submission: OpenSubmission): Promise<FormResult> {
  const { dependencies, tenantId, form, signedIn, background } = submission
  const organizationId = form.get('id') ?? ''
  const audit = submission.beginAudit('Account.OrganizationMember.Create', { organizationId })
  const key = { tenantId, organizationId }
  await joinByDomain(dependencies, key, { user: signedIn.user, audit, hooks: { background } })
  return { message: 'organization_joined', to: organizationPath(organizationId) }
}
