import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import { MANAGEMENT_CLIENT_ID } from '../../contract/product.ts'
import type { Condition } from '../conditions.ts'
import { applications, users } from '../tables.ts'

/** Conditions on the inviters of all kinds of invitations, which their columns name. */

type InviterColumns = { inviterType: SQL; inviterId: SQL; invitedAt: SQL }

/** The name of the user who sent an invitation, as other people know it. */
export const inviterName = sql<
  string | null
>`coalesce(${users.name}, ${users.username}, ${users.primaryEmail})`

/** Checks that a user exists, is not suspended, and has not been signed out everywhere since the invitation. */
export const isActiveInviter = (
  tenantId: string,
  { inviterId, invitedAt }: Omit<InviterColumns, 'inviterType'>,
): Condition =>
  sql`exists (select 1 from ${users} where ${and(
    eq(users.tenantId, tenantId),
    eq(users.id, inviterId),
    eq(users.isSuspended, false),
    or(isNull(users.revokedAt), sql`${users.revokedAt} <= ${invitedAt}`),
  )})`

/**
 * Checks that the operator or application that sent an invitation still exists and has the authority that it needs. An
 * invitation that was created with its tenant has no inviter, and the built-in management client is no row (ADR-0184).
 */
export const isOperatingInviter = (
  tenantId: string,
  { inviterType, inviterId, invitedAt }: InviterColumns,
  hasAuthority: (inviter: { kind: 'user' | 'application'; id: SQL }) => Condition,
): Condition =>
  sql`case ${inviterType}
    when 'user' then ${isActiveInviter(tenantId, { inviterId, invitedAt })}
      and ${hasAuthority({ kind: 'user', id: inviterId })}
    when 'app' then ${inviterId} = ${MANAGEMENT_CLIENT_ID} or (exists (select 1 from ${applications}
      where ${applications.tenantId} = ${tenantId} and ${applications.id} = ${inviterId})
      and ${hasAuthority({ kind: 'application', id: inviterId })})
    else true end`
