import { z } from 'zod'
import { CREATION_QUERY, Organizations } from '../../../client/account/organisations/organizations.tsx'
import { createOrganization } from '../../application/organisations/organizations.ts'
import { OrganizationName } from '../../contract/organisations/organizations.schema.ts'
import { randomId } from '../../storage/ids.ts'
import { suggestedOrganizationsQuery } from '../../storage/organisations/domain-members.ts'
import { membershipsOfUserQuery } from '../../storage/organisations/memberships.ts'
import {
  organizationRoleNamesQuery,
  ownInvitationsQuery,
} from '../../storage/organisations/own-organizations.ts'
import type { AccountPage } from '../account/page.ts'
import { accept, decline, join } from './join-organization.ts'
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
        schema: z.object({ name: OrganizationName }),
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
