import {
  DELETION_QUERY,
  LEAVE_QUERY,
  Organization,
} from '../../../client/account/organisations/organization.tsx'
import { createTranslator } from '../../../client/context/phrases.ts'
import { leaveOrganization } from '../../application/organisations/members.ts'
import { removeOrganization } from '../../application/organisations/organizations.ts'
import { requireStepUp } from '../../application/sessions/step-up.ts'
import { type AccountPhraseKey, loadAccountPhrases } from '../../contract/account/account-catalogue.ts'
import { organizationPermissions } from '../../contract/organisations/organizations.ts'
import { refuseWith } from '../../contract/refused.ts'
import { isDeletionName } from '../../domain/account/deletion-name.ts'
import { hasPermission, isOwner } from '../../domain/organisations/authority.ts'
import { readTogether } from '../../storage/batches.ts'
import { memberPowersQuery, toRolePowers } from '../../storage/organisations/authority.ts'
import { organizationCountsQuery } from '../../storage/organisations/organization-pages.ts'
import { organizationQuery } from '../../storage/organisations/organizations.ts'
import { organizationRoleNamesQuery } from '../../storage/organisations/own-organizations.ts'
import type { AccountPage, FormResult } from '../account/page.ts'
import { FieldProblem } from '../account/problem.ts'
import type { OpenSubmission } from '../account/submission.ts'
import { beginMemberChange, textOf } from './organization-change.ts'
import { memberQueries, organizationIdIn, requireMember } from './organization-visit.ts'

const LIST_PATH = '/account/organizations'

export const organizationPage: AccountPage = {
  async show(visit, { typed }) {
    const { dependencies, tenantId, url } = visit
    const { db, now } = dependencies
    const organizationId = organizationIdIn(url)
    const { signedIn, rows } = await visit.readList((userId) => ({
      ...memberQueries(visit, userId),
      roles: organizationRoleNamesQuery(db, tenantId),
      counts: organizationCountsQuery(db, { tenantId, organizationId }, now()),
    }))
    const { organization, own } = requireMember(rows)
    const { id, name, description, brand } = organization
    const body = (
      <Organization
        {...{ id, name, description, brand }}
        roleNames={rows.roles
          .filter((role) => own.some((held) => held.id === role.id))
          .map((role) => role.name)}
        permissions={organizationPermissions.filter((permission) => hasPermission(own, permission))}
        isOwner={isOwner(own)}
        counts={rows.counts[0] ?? { members: 0, invitations: 0, domains: 0 }}
        confirming={confirmationIn(url.search, typed.intent, isOwner(own))}
      />
    )
    return { title: 'organization', about: name, signedIn, body }
  },
  actions: { leave, delete: deleteOrganization },
}

function confirmationIn(
  search: string,
  intent: string | undefined,
  mayDelete: boolean,
): 'leave' | 'delete' | null {
  if (search === LEAVE_QUERY || intent === 'leave') return 'leave'
  return mayDelete && (search === DELETION_QUERY || intent === 'delete') ? 'delete' : null
}

async function leave(submission: OpenSubmission): Promise<FormResult> {
  const { dependencies, signedIn } = submission
  const userId = signedIn.user.id
  const { by: _, ...change } = beginMemberChange(submission, 'Account.OrganizationMember.Delete')
  await leaveOrganization(dependencies, { ...change, userId, url: submission.request.url })
  return { message: 'organization_left', to: LIST_PATH }
}

/** Deletes the organisation of an owner who has typed its name and has recently signed in. */
async function deleteOrganization(submission: OpenSubmission): Promise<FormResult> {
  const { dependencies, tenantId, signedIn, boot } = submission
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
    const { language } = await boot()
    const phrases = await loadAccountPhrases(language)
    const t = createTranslator<AccountPhraseKey>({ language, phrases })
    throw new FieldProblem('confirm', t('organization_delete_again', { name }))
  }
  await removeOrganization(dependencies, change)
  return { message: 'organization_deleted', values: { name }, to: LIST_PATH }
}
