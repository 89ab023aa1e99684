import { and, eq } from 'drizzle-orm'
import type { Database } from '../database.ts'
import { organizationApplications } from '../tables.ts'

/** Memberships of machine applications (spec/organisations#memberships). */

export type ApplicationMemberKey = { tenantId: string; organizationId: string; applicationId: string }

export const applicationMembershipQuery = (
  db: Database,
  { tenantId, organizationId, applicationId }: ApplicationMemberKey,
) =>
  db
    .select({ organizationId: organizationApplications.organizationId })
    .from(organizationApplications)
    .where(
      and(
        eq(organizationApplications.tenantId, tenantId),
        eq(organizationApplications.organizationId, organizationId),
        eq(organizationApplications.applicationId, applicationId),
      ),
    )
