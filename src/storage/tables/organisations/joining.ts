import { sql } from 'drizzle-orm'
import { foreignKey, index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { ID_LENGTH } from '../../../contract/ids.ts'
import { domainJoinModes } from '../../../contract/organisations/organizations.ts'
import { isOneOf, jsonColumn, lengthLimits, optionalText, tenantId, timeColumn } from '../columns.ts'
import { users } from '../users/users.ts'
import { ofOrganization } from './organizations.ts'

/** The ways to join an organisation: invitations to addresses, and domains that the organisation has proved. */

const inviterTypes = ['member', 'user', 'app'] as const

export const organizationInvitations = sqliteTable(
  'organization_invitations',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    organizationId: text('organization_id').notNull(),
    email: text('email').notNull(),
    roleIds: jsonColumn<string[]>('role_ids').notNull(),
    language: optionalText('language'),
    /** The keyed digest of the link. Sending again replaces it. */
    digest: text('digest').notNull(),
    /** The inviter: a member of the organisation, an operator or an application, and the id. */
    inviterType: text('inviter_type', { enum: inviterTypes }).notNull(),
    inviterId: text('inviter_id').notNull(),
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
    uniqueIndex('organization_invitations_digest').on(table.tenantId, table.digest),
    // For the data download and the erasure of the user who accepted.
    index('organization_invitations_accepted')
      .on(table.tenantId, table.acceptedBy)
      .where(sql`accepted_by is not null`),
    index('organization_invitations_newest').on(table.tenantId, table.organizationId, table.createdAt),
    // An organisation has at most one open invitation for an address.
    uniqueIndex('organization_invitations_open')
      .on(table.tenantId, table.organizationId, table.email)
      .where(sql`accepted_at is null and revoked_at is null`),
    // The account centre lists the open invitations to an address.
    index('organization_invitations_email')
      .on(table.tenantId, table.email)
      .where(sql`accepted_at is null and revoked_at is null`),
    // The index does not begin with the tenant, because the maintenance covers all tenants (spec/storage#sweeps).
    index('organization_invitations_expires_at').on(table.expiresAt),
    ofOrganization('organization_invitations', table),
    isOneOf(table.inviterType, inviterTypes),
    ...lengthLimits(
      [table.id, ID_LENGTH],
      [table.email, 128],
      [table.language, 16],
      [table.digest, 64],
      [table.inviterId, 128],
      [table.acceptedBy, ID_LENGTH],
      [table.acceptedIn, ID_LENGTH],
    ),
  ],
)

/** A domain of an organisation: one row, one token and one state per domain. */
export const organizationDomains = sqliteTable(
  'organization_domains',
  {
    tenantId: tenantId(),
    organizationId: text('organization_id').notNull(),
    /** The registrable domain or a subdomain of it, in lower case and in its ASCII form. */
    domain: text('domain').notNull(),
    /** The value that the TXT record of the domain has to contain. */
    token: text('token').notNull(),
    join: text('join_mode', { enum: domainJoinModes }).notNull().default('off'),
    /** The roles of people who join automatically. */
    roleIds: jsonColumn<string[]>('role_ids').notNull().default([]),
    createdAt: timeColumn('created_at').notNull(),
    /** The time at which the domain was proved. Null until then. */
    verifiedAt: timeColumn('verified_at'),
    checkedAt: timeColumn('checked_at'),
    /** The time of the next check of a proved domain, in the scheduled maintenance. */
    nextCheckAt: timeColumn('next_check_at'),
    /** The time of the first confirmed check that found no record. Nobody joins automatically from then on. */
    missedAt: timeColumn('missed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.organizationId, table.domain] }),
    // A domain that one organisation has proved cannot be proved by another.
    uniqueIndex('organization_domains_verified')
      .on(table.tenantId, table.domain)
      .where(sql`verified_at is not null`),
    // The index does not begin with the tenant, because the maintenance covers all tenants (spec/storage#sweeps).
    index('organization_domains_next_check_at').on(table.nextCheckAt).where(sql`verified_at is not null`),
    ofOrganization('organization_domains', table),
    isOneOf(table.join, domainJoinModes),
    ...lengthLimits([table.domain, 253], [table.token, 64]),
  ],
)

/**
 * Users who left an organisation or were removed from it. A domain makes them members again only if they ask for it. A
 * trigger writes the rows, so that it does not matter how a membership ends.
 */
export const organizationFormerUsers = sqliteTable(
  'organization_former_users',
  {
    tenantId: tenantId(),
    organizationId: text('organization_id').notNull(),
    userId: text('user_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.organizationId, table.userId] }),
    index('organization_former_users_user').on(table.tenantId, table.userId),
    ofOrganization('organization_former_users', table),
    foreignKey({
      name: 'organization_former_users_user_fk',
      columns: [table.tenantId, table.userId],
      foreignColumns: [users.tenantId, users.id],
    }).onDelete('cascade'),
  ],
)
