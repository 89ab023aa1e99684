import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { InvitationState } from '../../contract/access/invitations.ts'
import { isOpenInvitation, stateAt } from '../access/invitation-states.ts'
import { inviterName } from '../access/inviters.ts'
import { readTogether } from '../batches.ts'
import { ALWAYS_TRUE, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { organizationInvitations as invitations, organizationUsers, users } from '../tables.ts'
import { cappedCountQuery, cappedTotal, type PageRange, pageOffset } from '../totals.ts'
import type { OrganizationKey } from './organizations.ts'

/** Invitations to organisations (spec/organisations#invitations). `invitation-acceptance.ts` has their acceptance. */

type InvitationRow = typeof invitations.$inferSelect
export type OrganizationInvitationKey = OrganizationKey & { id: string }

const {
  tenantId: _tenantId,
  digest: _digest,
  acceptedIn: _in,
  ...listedColumns
} = getTableColumns(invitations)

export type ListedOrganizationInvitation = Omit<InvitationRow, 'tenantId' | 'digest' | 'acceptedIn'> & {
  state: InvitationState
}

const matchesOrganization = ({ tenantId, organizationId }: OrganizationKey) =>
  and(eq(invitations.tenantId, tenantId), eq(invitations.organizationId, organizationId))

const matchesKey = (key: OrganizationInvitationKey) =>
  and(matchesOrganization(key), eq(invitations.id, key.id))

export const organizationInvitationQuery = (db: Database, key: OrganizationInvitationKey, now: number) =>
  db
    .select({ ...listedColumns, state: stateAt(invitations, now).as('state') })
    .from(invitations)
    .where(matchesKey(key))

/** Lists the invitations of an organisation, newest first. */
export async function listOrganizationInvitations(
  db: Database,
  key: OrganizationKey,
  { state, now, ...page }: PageRange & { state: InvitationState | undefined; now: number },
) {
  const condition = and(
    matchesOrganization(key),
    state === undefined ? undefined : sql`${stateAt(invitations, now)} = ${state}`,
  )
  const { rows, counts } = await readTogether(db, {
    rows: db
      .select({ ...listedColumns, state: stateAt(invitations, now).as('state') })
      .from(invitations)
      .where(condition)
      .orderBy(desc(invitations.createdAt), desc(invitations.id))
      .limit(page.pageSize)
      .offset(pageOffset(page)),
    counts: cappedCountQuery(db, db.select({ id: invitations.id }).from(invitations).where(condition)),
  })
  return { invitations: rows, ...cappedTotal(counts[0]?.count ?? 0) }
}

type NewInvitation = Pick<
  InvitationRow,
  'id' | 'email' | 'roleIds' | 'language' | 'digest' | 'inviterType' | 'inviterId' | 'createdAt' | 'expiresAt'
>

/** Replaces the open invitation of an address with a new one that has just been sent. */
export const replaceInvitation = (
  db: Database,
  key: OrganizationKey,
  { createdAt: now, ...invitation }: NewInvitation,
  condition: Condition,
) => ({
  replaced: db
    .update(invitations)
    .set({ revokedAt: now })
    .where(
      and(
        matchesOrganization(key),
        eq(invitations.email, invitation.email),
        isOpenInvitation(invitations),
        condition,
      ),
    ),
  created: db.all<{
    id: string
  }>(sql`insert into ${invitations} (tenant_id, id, organization_id, email, role_ids,
      language, digest, inviter_type, inviter_id, created_at, sent_at, expires_at)
    select ${key.tenantId}, ${invitation.id}, ${key.organizationId}, ${invitation.email},
      ${JSON.stringify(invitation.roleIds)}, ${invitation.language}, ${invitation.digest},
      ${invitation.inviterType}, ${invitation.inviterId}, ${now}, ${now}, ${invitation.expiresAt}
    where ${condition} returning id`),
})

/** Changes an invitation that is neither accepted nor revoked. Returns a row if there is one. */
export const updateOpenOrganizationInvitation = (
  db: Database,
  key: OrganizationInvitationKey,
  changes: Partial<
    Pick<InvitationRow, 'digest' | 'inviterType' | 'inviterId' | 'sentAt' | 'expiresAt' | 'revokedAt'>
  >,
  condition: Condition = ALWAYS_TRUE,
) =>
  db
    .update(invitations)
    .set(changes)
    .where(and(matchesKey(key), isOpenInvitation(invitations), condition))
    .returning({ id: invitations.id })

export const organizationInvitationIsOpen = (key: OrganizationInvitationKey): Condition =>
  sql`exists (select 1 from ${invitations} where ${and(matchesKey(key), isOpenInvitation(invitations))})`

/** Checks that no member has proved to own the address. */
export const isNotMemberAddress = ({ tenantId, organizationId }: OrganizationKey, email: string): Condition =>
  sql`not exists (select 1 from ${users} cross join ${organizationUsers}
    on ${organizationUsers.tenantId} = ${tenantId} and ${organizationUsers.organizationId} = ${organizationId}
    and ${organizationUsers.userId} = ${users.id}
    where ${users.tenantId} = ${tenantId} and lower(${users.primaryEmail}) = lower(${email}) and ${users.emailVerified})`

/** Selects what the account with an address says about its owner: the language, and whether the owner is a member. */
export const inviteeQuery = (db: Database, { tenantId, organizationId }: OrganizationKey, email: string) =>
  db
    .select({
      locale: sql<string | null>`json_extract(${users.profile}, '$.locale')`.as('locale'),
      isMember: sql<number>`${users.emailVerified} and exists (select 1 from ${organizationUsers}
        where ${organizationUsers.tenantId} = ${tenantId} and ${organizationUsers.organizationId} = ${organizationId}
        and ${organizationUsers.userId} = ${users.id})`.as('is_member'),
    })
    .from(users)
    .where(sql`${users.tenantId} = ${tenantId} and lower(${users.primaryEmail}) = lower(${email})`)

/** Selects the name under which a message mentions the inviter. */
export const inviterNameQuery = (db: Database, tenantId: string, userId: string) =>
  db
    .select({ name: inviterName.as('name') })
    .from(users)
    .where(and(eq(users.tenantId, tenantId), eq(users.id, userId)))
