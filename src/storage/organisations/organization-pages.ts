import { sql } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { organizationDomains, organizationInvitations, organizationUsers } from '../tables.ts'
import type { OrganizationKey } from './organizations.ts'

/**
 * What the account centre shows of an organisation to its members (spec/organisations#account-centre). The functions
 * return statements for the batch that also reads the user and the organisation.
 */

const isOpenInvitation = sql`${organizationInvitations.acceptedAt} is null and ${organizationInvitations.revokedAt} is null`

/** Selects the number of members, of open invitations and of domains. */
export const organizationCountsQuery = (
  db: Database,
  { tenantId, organizationId }: OrganizationKey,
  now: number,
) =>
  db.all<{ members: number; invitations: number; domains: number }>(sql`select
    (select count(*) from ${organizationUsers} where ${organizationUsers.tenantId} = ${tenantId}
      and ${organizationUsers.organizationId} = ${organizationId}) as members,
    (select count(*) from ${organizationInvitations} where ${organizationInvitations.tenantId} = ${tenantId}
      and ${organizationInvitations.organizationId} = ${organizationId} and ${isOpenInvitation}
      and ${organizationInvitations.expiresAt} > ${now}) as invitations,
    (select count(*) from ${organizationDomains} where ${organizationDomains.tenantId} = ${tenantId}
      and ${organizationDomains.organizationId} = ${organizationId}) as domains`)
