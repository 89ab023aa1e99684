import { and, gt, isNull, type SQLWrapper, sql } from 'drizzle-orm'
import type { InvitationState } from '../../contract/access/invitations.ts'

/** The states of invitations, which all kinds of invitations derive from the same columns (spec/storage#invitations). */

type StateColumns = { acceptedAt: SQLWrapper; revokedAt: SQLWrapper; expiresAt: SQLWrapper }

export const stateAt = ({ acceptedAt, revokedAt, expiresAt }: StateColumns, now: number) =>
  sql<InvitationState>`case when ${acceptedAt} is not null then 'accepted'
    when ${revokedAt} is not null then 'revoked'
    when ${expiresAt} <= ${now} then 'expired' else 'pending' end`

/** Matches invitations that are neither accepted nor revoked. They may have expired. */
export const isOpenInvitation = ({ acceptedAt, revokedAt }: StateColumns) =>
  and(isNull(acceptedAt), isNull(revokedAt))

export const isPendingAt = (columns: StateColumns, now: number) =>
  and(isOpenInvitation(columns), gt(columns.expiresAt, now))
