import { leaveOrganization } from '../../application/organisations/members.ts'
import { removeOrganization } from '../../application/organisations/organizations.ts'
import { requireStepUp } from '../../application/sessions/step-up.ts'
import { refuseWith } from '../../contract/refused.ts'
import { isDeletionName } from '../../domain/account/deletion-name.ts'
import { isOwner } from '../../domain/organisations/authority.ts'
import { readTogether } from '../../storage/batches.ts'
import { memberPowersQuery, toRolePowers } from '../../storage/organisations/authority.ts'
import { organizationQuery } from '../../storage/organisations/organizations.ts'
import type { FormResult } from '../account/page.ts'
import { FieldProblem } from '../account/problem.ts'
import type { OpenSubmission } from '../account/submission.ts'
import { beginMemberChange, createFormTranslator, textOf } from './organization-change.ts'

/** The forms with which a user leaves an organisation, and an owner deletes it. */

const LIST_PATH = '/account/organizations'

export async function leave(submission: OpenSubmission): Promise<FormResult> {
  const { dependencies, signedIn } = submission
  const userId = signedIn.user.id
  const { by: _, ...change } = beginMemberChange(submission, 'Account.OrganizationMember.Delete')
  await leaveOrganization(dependencies, { ...change, userId, url: submission.request.url })
  return { message: 'organization_left', to: LIST_PATH }
}

/** Deletes the organisation of an owner who has typed its name and has recently signed in. */
export async function deleteOrganization(submission: OpenSubmission): Promise<FormResult> {
  const { dependencies, tenantId, signedIn } = submission
  const change = beginMemberChange(submission, 'Account.Organization.Delete')
  const key = { tenantId, organizationId: change.organizationId, userId: signedIn.user.id }
  const { organization, powers } = await readTogether(dependencies.db, {
    organization: organizationQuery(dependencies.db, key),
    powers: memberPowersQuery(dependencies.db, key),
  })
  if (!organization[0] || powers.length === 0) return refuseWith('organization.not_member')
  if (!isOwner(toRolePowers(powers))) return refuseWith('organization.permission_missing')
  const { name } = organization[0]
  await requireStepUp(dependencies, tenantId, signedIn)
  if (!isDeletionName(textOf(submission, 'confirm'), name)) {
    const t = await createFormTranslator(submission)
    throw new FieldProblem('confirm', t('organization_delete_again', { name }))
  }
  await removeOrganization(dependencies, { ...change, url: submission.request.url })
  return { message: 'organization_deleted', values: { name }, to: LIST_PATH }
}
