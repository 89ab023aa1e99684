import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import {
  type InvitedNames,
  invitationDeliveries,
  invitationKinds,
} from '../../../contract/access/invitations.ts'
import { ID_LENGTH } from '../../../contract/ids.ts'
import { isOneOf, jsonColumn, lengthLimits, optionalText, tenantId, timeColumn } from '../columns.ts'

/** Invitations of administrators and users (spec/storage#invitations). */
export const invitations = sqliteTable(
  'invitations',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    kind: text('kind', { enum: invitationKinds }).notNull(),
    delivery: text('delivery', { enum: invitationDeliveries }).notNull(),
    /** The address of the person. Null if whoever has the link may accept. */
    email: optionalText('email'),
    names: jsonColumn<InvitedNames>('names').notNull(),
    roleIds: jsonColumn<string[]>('role_ids').notNull(),
    language: optionalText('language'),
    lifetimeSeconds: integer('lifetime_seconds').notNull(),
    /** The keyed digest of the link that was sent to the address. Sending again replaces it. */
    sentDigest: optionalText('sent_digest'),
    /** The keyed digest of the link that was returned to the inviter. */
    copiedDigest: optionalText('copied_digest'),
    /** The inviter: `user` or `app`, and the id. Null if the tenant was created with this invitation. */
    inviterType: text('inviter_type', { enum: ['user', 'app'] }),
    inviterId: optionalText('inviter_id'),
    /** The time at which the inviter last vouched for the invitation, by creating it or by sending it again. */
    invitedAt: timeColumn('invited_at').notNull(),
    createdAt: timeColumn('created_at').notNull(),
    sentAt: timeColumn('sent_at'),
    expiresAt: timeColumn('expires_at').notNull(),
    acceptedAt: timeColumn('accepted_at'),
    acceptedBy: optionalText('accepted_by'),
    /** A random value of the request that accepted the invitation, with which it can repeat its batch. */
    acceptedIn: optionalText('accepted_in'),
    revokedAt: timeColumn('revoked_at'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('invitations_sent').on(table.tenantId, table.sentDigest).where(sql`sent_digest is not null`),
    index('invitations_copied').on(table.tenantId, table.copiedDigest).where(sql`copied_digest is not null`),
    index('invitations_newest').on(table.tenantId, table.createdAt),
    // The index does not begin with the tenant, because the maintenance covers all tenants (spec/storage#sweeps).
    index('invitations_expires_at').on(table.expiresAt),
    isOneOf(table.kind, invitationKinds),
    isOneOf(table.delivery, invitationDeliveries),
    ...lengthLimits(
      [table.id, ID_LENGTH],
      [table.email, 128],
      [table.language, 16],
      [table.sentDigest, 64],
      [table.copiedDigest, 64],
      [table.inviterId, 128],
      [table.acceptedBy, ID_LENGTH],
      [table.acceptedIn, ID_LENGTH],
    ),
  ],
)
