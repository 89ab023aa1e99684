import {
  DELETION_QUERY,
  LEAVE_QUERY,
  Organization,
} from '../../../client/account/organisations/organization.tsx'
import { organizationPermissions } from '../../contract/organisations/organizations.ts'
import { hasPermission, isOwner } from '../../domain/organisations/authority.ts'
import { organizationCountsQuery } from '../../storage/organisations/organization-pages.ts'
import { organizationRoleNamesQuery } from '../../storage/organisations/own-organizations.ts'
import type { AccountPage } from '../account/page.ts'
import { deleteOrganization, leave } from './leave-organization.ts'
import { memberQueries, organizationIdIn, requireMember } from './organization-visit.ts'

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
