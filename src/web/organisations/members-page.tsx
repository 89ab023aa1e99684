import { Members } from '../../../client/account/organisations/members.tsx'
import { removeOrganizationMember, replaceMemberRoles } from '../../application/organisations/members.ts'
import { requireStepUp } from '../../application/sessions/step-up.ts'
import { OrganizationRoleIds } from '../../contract/organisations/organizations.schema.ts'
import { givenSources, type MembershipSource } from '../../contract/organisations/organizations.ts'
import { hasPermission } from '../../domain/organisations/authority.ts'
import { describedRolesQuery } from '../../storage/organisations/authority.ts'
import { membersPageQuery } from '../../storage/organisations/member-list.ts'
import type { UserSearch } from '../../storage/users/user-search.ts'
import type { AccountPage, FormResult } from '../account/page.ts'
import type { OpenSubmission } from '../account/submission.ts'
import { beginMemberChange, parseFields } from './organization-change.ts'
import { memberQueries, organizationIdIn, requireMember, toRoleOptions } from './organization-visit.ts'

const PAGE_SIZE = 20
/** The number of pages that can be opened. Whoever looks for an older member searches. */
const MAX_PAGE = 500

export const organizationMembersPage: AccountPage = {
  async show(visit) {
    const { dependencies, tenantId, url } = visit
    const { db } = dependencies
    const search = (url.searchParams.get('q') ?? '').trim().slice(0, 128)
    const page = Math.min(Math.max(Math.trunc(Number(url.searchParams.get('page'))) || 1, 1), MAX_PAGE)
    const range = { search: parseSearch(search), limit: PAGE_SIZE + 1, offset: (page - 1) * PAGE_SIZE }
    const { signedIn, rows } = await visit.readList((userId) => ({
      ...memberQueries(visit, userId),
      roles: describedRolesQuery(db, tenantId),
      members: membersPageQuery(db, { tenantId, organizationId: organizationIdIn(url) }, range),
    }))
    const { organization, own } = requireMember(rows, 'members:read')
    const body = (
      <Members
        path={url.pathname}
        members={rows.members.slice(0, PAGE_SIZE).map(({ primaryEmail, roles, ...member }) => {
          const idsFrom = (isWanted: (source: MembershipSource) => boolean) =>
            roles.filter(({ sources }) => sources.some(isWanted)).map(({ id }) => id)
          return {
            ...member,
            email: primaryEmail,
            roleIds: idsFrom((source) => givenSources.includes(source)),
            fixedRoleIds: idsFrom((source) => !givenSources.includes(source)),
          }
        })}
        roles={toRoleOptions(rows.roles, own)}
        ownId={signedIn.user.id}
        mayManage={hasPermission(own, 'members:manage')}
        search={search}
        page={page}
        hasNext={rows.members.length > PAGE_SIZE && page < MAX_PAGE}
      />
    )
    return { title: 'members', about: organization.name, signedIn, body }
  },
  actions: { changeRoles, remove },
}

/** The index of texts consists of trigrams, so a shorter text is searched at the beginning of a field. */
function parseSearch(text: string): UserSearch | undefined {
  if (text === '') return undefined
  const mode = [...text].length < 3 ? 'prefix' : 'contains'
  const fields = ['primaryEmail', 'username', 'name'] as const
  return { joint: 'or', isCaseSensitive: false, terms: [{ mode, fields, text }] }
}

/** Begins a change of one member, which needs a recent sign-in, because it changes what others can do. */
async function beginOtherMemberChange(submission: OpenSubmission, action: 'Update' | 'Delete') {
  const { dependencies, tenantId, signedIn, form } = submission
  const memberId = form.get('id') ?? ''
  const change = beginMemberChange(submission, `Account.OrganizationMember.${action}`, { memberId })
  await requireStepUp(dependencies, tenantId, signedIn)
  return { ...change, userId: memberId }
}

async function changeRoles(submission: OpenSubmission): Promise<FormResult> {
  const { roleIds } = await parseFields(submission, {
    schema: OrganizationRoleIds,
    values: { roleIds: [...new Set(submission.form.getAll('roleIds'))] },
    labels: { roleIds: 'roles' },
  })
  const change = await beginOtherMemberChange(submission, 'Update')
  await replaceMemberRoles(submission.dependencies, { ...change, roleIds })
  return { message: 'roles_saved', to: submission.url.pathname + submission.url.search }
}

async function remove(submission: OpenSubmission): Promise<FormResult> {
  const change = await beginOtherMemberChange(submission, 'Delete')
  await removeOrganizationMember(submission.dependencies, { ...change, url: submission.request.url })
  return { message: 'member_removed' }
}
