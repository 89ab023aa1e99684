import { and, desc, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { InvitationKind, InvitationState } from '../../contract/access/invitations.ts'
import { ADMIN_ROLE } from '../../contract/product.ts'
import { readTogether } from '../batches.ts'
import { ALWAYS_TRUE, allOf, anyOf, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { invitations, roles, users } from '../tables.ts'
import { cappedCountQuery, cappedTotal, type PageRange, pageOffset } from '../totals.ts'
import { mayGrantRoles } from './administration.ts'
import { isOpenInvitation, isPendingAt, stateAt } from './invitation-states.ts'
import { inviterName, isOperatingInviter } from './inviters.ts'
import { insertMissingLinks } from './role-links.ts'

/** Invitations of administrators and users (spec/storage#invitations). */

type InvitationRow = typeof invitations.$inferSelect
type InvitationKey = Pick<InvitationRow, 'tenantId' | 'id'>

const matchesKey = ({ tenantId, id }: InvitationKey) =>
  and(eq(invitations.tenantId, tenantId), eq(invitations.id, id))

export type NewInvitation = Omit<
  typeof invitations.$inferInsert,
  'createdAt' | 'acceptedAt' | 'acceptedBy' | 'acceptedIn' | 'revokedAt'
>

/** Inserts an invitation. The statement is safe to repeat. */
export const insertInvitation = (db: Database, invitation: NewInvitation) =>
  db
    .insert(invitations)
    .values({ ...invitation, createdAt: invitation.invitedAt })
    .onConflictDoNothing()
    .returning({ id: invitations.id })

const {
  tenantId: _tenantId,
  sentDigest: _sent,
  copiedDigest: _copied,
  acceptedIn: _in,
  ...listedColumns
} = getTableColumns(invitations)

export type ListedInvitation = Omit<
  InvitationRow,
  'tenantId' | 'sentDigest' | 'copiedDigest' | 'acceptedIn'
> & { state: InvitationState }

type ListQuery = PageRange & {
  kind: InvitationKind | undefined
  state: InvitationState | undefined
  now: number
}

/** Lists invitations, newest first. */
export async function listInvitations(
  db: Database,
  tenantId: string,
  { kind, state, now, ...page }: ListQuery,
) {
  const condition = and(
    eq(invitations.tenantId, tenantId),
    kind === undefined ? undefined : eq(invitations.kind, kind),
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

export const invitationQuery = (db: Database, key: InvitationKey, now: number) =>
  db
    .select({ ...listedColumns, state: stateAt(invitations, now).as('state') })
    .from(invitations)
    .where(matchesKey(key))

const roleIdList = sql`(select value from json_each(${invitations.roleIds}))`

/** The names of those roles of the invitation that exist, as JSON. */
const roleNames = (tenantId: string) =>
  sql<string>`(select json_group_array(${roles.name}) from ${roles}
    where ${roles.tenantId} = ${tenantId} and ${roles.id} in ${roleIdList})`

const hasAllRoles = (tenantId: string): Condition =>
  sql`not exists (select 1 from json_each(${invitations.roleIds}) as named where not exists (select 1 from ${roles}
    where ${roles.tenantId} = ${tenantId} and ${roles.id} = named.value))`

const accountOfInvitee = (tenantId: string) =>
  sql`select ${users.id} from ${users} where ${users.tenantId} = ${tenantId}
    and lower(${users.primaryEmail}) = lower(${invitations.email})`

/**
 * Matches the invitation with one of these digests, whichever of its links they belong to. There is a search for each
 * link, because for a condition with OR, SQLite would read all invitations of the tenant.
 */
const matchesDigest = (tenantId: string, digests: readonly string[]): SQL => {
  const list = sql`(select value from json_each(${JSON.stringify(digests)}))`
  return sql`${invitations}.rowid in (
    select rowid from ${invitations} where tenant_id = ${tenantId} and sent_digest in ${list}
    union all select rowid from ${invitations} where tenant_id = ${tenantId} and copied_digest in ${list})`
}

/** Selects the invitation of a link in any state, with what its page shows and what decides about the acceptance. */
export const invitationOfLinkQuery = (
  db: Database,
  tenantId: string,
  digests: readonly string[],
  now: number,
) =>
  db
    .select({
      ...listedColumns,
      state: stateAt(invitations, now).as('state'),
      wasSentLink:
        sql<number>`${invitations.sentDigest} in (select value from json_each(${JSON.stringify(digests)}))`.as(
          'was_sent_link',
        ),
      inviter: inviterName.as('inviter_name'),
      roleNames: roleNames(tenantId).as('role_names'),
      isVouchedFor: sql<number>`${isVouchedFor(tenantId)} and ${hasAllRoles(tenantId)}`.as('is_vouched_for'),
      accountId: sql<string | null>`(${accountOfInvitee(tenantId)})`.as('account_id'),
    })
    .from(invitations)
    .leftJoin(
      users,
      and(
        eq(users.tenantId, tenantId),
        eq(users.id, invitations.inviterId),
        eq(invitations.inviterType, 'user'),
      ),
    )
    .where(matchesDigest(tenantId, digests))
    .limit(1)

/** Checks that the inviter may still invite, with the authority over the roles that they have now. */
const isVouchedFor = (tenantId: string): Condition => {
  const ofAdministrator = sql`${invitations.kind} = 'administrator'`
  // Only the scope `all` permits inviting administrators, so their inviters must be able to grant every scope.
  const granted = sql`iif(${ofAdministrator}, json_array(${ADMIN_ROLE.id}), ${invitations.roleIds})`
  const inviter = {
    inviterType: sql`${invitations.inviterType}`,
    inviterId: sql`${invitations.inviterId}`,
    invitedAt: sql`${invitations.invitedAt}`,
  }
  return isOperatingInviter(tenantId, inviter, (holder) => mayGrantRoles(tenantId, holder, granted))
}

type Acceptance = {
  tenantId: string
  id: string
  digests: readonly string[]
  roleIds: readonly string[]
  userId: string
  now: number
}

/**
 * Builds the statements that accept an invitation and give its roles. Their condition includes `extraCondition`, and
 * only one of several concurrent requests can meet it: a random value of the request marks the row, so the condition
 * still holds afterwards and when the batch is repeated (spec/storage#retries).
 */
export function invitationAcceptanceStatements(
  db: Database,
  { tenantId, id, digests, roleIds, userId, now }: Acceptance,
  extraCondition: Condition = ALWAYS_TRUE,
) {
  const acceptedIn = randomId()
  const isOpen = anyOf(sql`${isPendingAt(invitations, now)}`, sql`${invitations.acceptedIn} = ${acceptedIn}`)
  const condition = allOf(
    sql`exists (select 1 from ${invitations} where ${matchesKey({ tenantId, id })} and ${matchesDigest(tenantId, digests)}
      and ${isOpen} and ${isVouchedFor(tenantId)} and ${hasAllRoles(tenantId)})`,
    extraCondition,
  )
  const links = roleIds.map((roleId) => ({ roleId, memberId: userId }))
  return {
    condition,
    roles: links.length > 0 ? insertMissingLinks(db, tenantId, 'user', links, condition) : undefined,
    /** Returns a row if the condition held. */
    used: [
      db
        .update(invitations)
        .set({ acceptedAt: now, acceptedBy: userId, acceptedIn })
        .where(and(matchesKey({ tenantId, id }), condition))
        .returning({ id: invitations.id }),
    ],
  }
}

/** Checks that the account has the invitation's address, verified if `isVerified` is set. */
export const hasInvitedAddress = (
  tenantId: string,
  userId: string,
  { email, isVerified }: { email: string; isVerified: boolean },
): Condition =>
  sql`exists (select 1 from ${users} where ${users.tenantId} = ${tenantId} and ${users.id} = ${userId}
    and lower(${users.primaryEmail}) = lower(${email})${isVerified ? sql` and ${users.emailVerified}` : sql``})`

/** Checks that an invitation is open, and still has the link that was used: another one may have replaced it. */
export const hasOpenLink = (key: InvitationKey, digests: readonly string[], now: number): Condition =>
  sql`exists (select 1 from ${invitations} where ${and(matchesKey(key), isPendingAt(invitations, now), matchesDigest(key.tenantId, digests))})`

/** Changes an invitation that is neither accepted nor revoked. Returns a row if there is one. */
export const updateOpenInvitation = (
  db: Database,
  key: InvitationKey,
  changes: Partial<Omit<InvitationRow, 'tenantId' | 'id'>>,
  condition: Condition = ALWAYS_TRUE,
) =>
  db
    .update(invitations)
    .set(changes)
    .where(and(matchesKey(key), isOpenInvitation(invitations), condition))
    .returning({ id: invitations.id })

export const invitationIsOpen = (key: InvitationKey): Condition =>
  sql`exists (select 1 from ${invitations} where ${and(matchesKey(key), isOpenInvitation(invitations))})`
