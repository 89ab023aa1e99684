import { and, eq, gt, gte, isNull, type SQL, sql } from 'drizzle-orm'
import { type AddressType, UNDO_LIFETIME, UNDO_MIN_ADDRESS_AGE } from '../../domain/account/address-rules.ts'
import { deleteVerifications } from '../codes/verification-statuses.ts'
import { allOf, type Condition, not } from '../conditions.ts'
import type { Database } from '../database.ts'
import type { FactorOwner } from '../factors/factors.ts'
import { randomId } from '../ids.ts'
import { addressChanges, users } from '../tables.ts'
import { forgetRememberedBrowsersIf, matchesUserKey, type UserRow, userColumns } from '../users/users.ts'
import { cancelDeletionIf, hasFactorBefore, removeCredentialsAddedSince } from './removed-credentials.ts'

/** Address changes that users made and that can be undone (spec/account-centre#undo). */
type AddressChange = { id: string; userId: string; type: AddressType; previous: string }

type NewChange = Omit<AddressChange, 'previous'> & { previous: string | null; now: number }

/**
 * Records a change of address. If there was no verified address before, or if the change cannot be undone, the row only
 * records since when the account has had its current address.
 */
export const insertAddressChangeIf = (
  db: Database,
  tenantId: string,
  condition: Condition,
  { id, userId, type, previous, now }: NewChange,
) =>
  db.run(sql`insert into ${addressChanges} (tenant_id, id, user_id, type, previous, created_at)
    select ${tenantId}, ${previous === null ? randomId() : sql`iif(${allowsUndo(tenantId, { userId, type, now })}, ${id}, ${randomId()})`},
      ${userId}, ${type}, ${previous ?? ''}, ${now} where ${condition}`)

/**
 * Checks whether the account has had its current address of this type long enough for a change to be undoable. Once the
 * change is recorded, the condition no longer holds.
 */
export const allowsUndo = (
  tenantId: string,
  { userId, type, now }: Pick<NewChange, 'userId' | 'type' | 'now'>,
): Condition =>
  sql`not exists (select 1 from ${addressChanges} where ${and(
    isOfUser(tenantId, userId, type),
    gt(addressChanges.createdAt, now - UNDO_MIN_ADDRESS_AGE),
  )})`

const isOfUser = (tenantId: string, userId: string, type?: AddressType) =>
  and(
    eq(addressChanges.tenantId, tenantId),
    eq(addressChanges.userId, userId),
    type && eq(addressChanges.type, type),
  )

/**
 * Closes earlier changes when an operator sets a different address, so that previous owners cannot undo them. The
 * statement runs before the change in the batch, because it must have no effect if the operator sets the current
 * address again.
 */
export const closeAddressChanges = (
  db: Database,
  { tenantId, userId }: { tenantId: string; userId: string },
  { type, value }: { type: AddressType; value: string | null },
) =>
  db
    .update(addressChanges)
    .set({ closedBy: randomId() })
    .where(
      and(
        isOfUser(tenantId, userId, type),
        isNull(addressChanges.closedBy),
        sql`exists (select 1 from ${users} where ${matchesUserKey(tenantId, userId)} and lower(${column(type)}) is not lower(${value}))`,
      ),
    )

/** Selects a change together with its user, or no row if the change is closed or too old. */
export const openAddressChangeQuery = (db: Database, tenantId: string, id: string, now: number) =>
  db
    .select({
      change: {
        // Aliases are needed because batches cannot distinguish columns with the same name.
        id: sql<string>`${addressChanges.id}`.as('change_id'),
        userId: addressChanges.userId,
        type: addressChanges.type,
        previous: addressChanges.previous,
        createdAt: sql<number>`${addressChanges.createdAt}`.as('changed_at'),
      },
      user: userColumns,
    })
    .from(addressChanges)
    .innerJoin(users, and(eq(users.tenantId, addressChanges.tenantId), eq(users.id, addressChanges.userId)))
    .where(and(isOpen(tenantId, id, now), isNull(addressChanges.closedBy), eq(users.isSuspended, false)))

/** Returns a subquery for the id of the user whose address was changed. */
export const addressChangeOwner = (tenantId: string, id: string): SQL =>
  sql`(select ${addressChanges.userId} from ${addressChanges} where ${and(eq(addressChanges.tenantId, tenantId), eq(addressChanges.id, id))})`

const isOpen = (tenantId: string, id: string, now: number) =>
  and(
    eq(addressChanges.tenantId, tenantId),
    eq(addressChanges.id, id),
    gt(addressChanges.createdAt, now - UNDO_LIFETIME),
  )

/**
 * Builds the statements of an undo, which only one request can carry out. `other` also reverts changes of the other
 * type of address. `close` marks the reverted changes as closed by this request, so that the condition still holds for
 * this request afterwards. Recent verifications are deleted, because the person who made the changes may be able to use
 * them.
 */
export function undoStatements(
  db: Database,
  tenantId: string,
  { change, now }: { change: AddressChange & { createdAt: number; since: number }; now: number },
) {
  const by = randomId()
  const { userId, type, createdAt, since } = change
  const isClosable = sql`coalesce(${addressChanges.closedBy}, ${by}) = ${by}`
  const condition = allOf(
    sql`exists (select 1 from ${addressChanges} where ${and(isOpen(tenantId, change.id, now), isClosable)})`,
    sql`exists (select 1 from ${users} where ${and(matchesUserKey(tenantId, userId), eq(users.isSuspended, false))})`,
  )
  const otherType = type === 'email' ? 'phone' : 'email'
  const isOfOther = and(
    isOfUser(tenantId, userId, otherType),
    gte(addressChanges.createdAt, since),
    isClosable,
  )
  return {
    condition,
    other: takeBack(db, { tenantId, userId, type: otherType }, isOfOther, condition),
    close: db
      .update(addressChanges)
      .set({ closedBy: by })
      .where(
        and(
          sql`(${isOfOther} or ${and(isOfUser(tenantId, userId, type), gte(addressChanges.createdAt, createdAt))})`,
          isNull(addressChanges.closedBy),
          condition,
        ),
      ),
    ...removeCredentialsAddedSince(db, { owner: { tenantId, userId }, since }, condition),
    deletion: cancelDeletionIf(db, { tenantId, userId }, condition, now),
    browsers: forgetRememberedBrowsersIf(db, { tenantId, userId }, condition, now),
    verifications: deleteVerifications(db, tenantId, userId, condition),
  }
}

/**
 * Builds the statements that accompany a password reset. They remove the credentials that were added after `since`, and
 * the address of this `type` if it was set after `since`. The previous address is not restored, because its owner may
 * have removed it when somebody else took it over; the owner can still undo the change.
 */
export function passwordResetReversals(
  db: Database,
  { tenantId, userId, since, type }: FactorOwner & { since: number; type: AddressType | null },
  condition: Condition,
) {
  const added = { owner: { tenantId, userId }, since }
  // Backup codes are kept if the user has a factor older than `since`, because renewing the codes required that factor.
  const removed = removeCredentialsAddedSince(
    db,
    added,
    condition,
    allOf(condition, not(hasFactorBefore(added))),
  )
  if (type === null) return removed
  const changes = and(isOfUser(tenantId, userId, type), gte(addressChanges.createdAt, since))
  const isSetSince = sql`${column(type)} is not null and exists (select 1 from ${addressChanges} where ${changes})`
  return {
    ...removed,
    address: db
      .update(users)
      .set(type === 'email' ? { primaryEmail: null } : { primaryPhone: null })
      .where(and(matchesUserKey(tenantId, userId), isSetSince, condition)),
  }
}

/**
 * Restores the address from before these changes, unless it now belongs to another account. If there was no address
 * before, the account is left without one of this type.
 */
function takeBack(
  db: Database,
  { tenantId, userId, type }: Pick<AddressChange, 'userId' | 'type'> & { tenantId: string },
  changes: SQL | undefined,
  precondition: Condition,
) {
  const previous = sql`select nullif(${addressChanges.previous}, '') as value from ${addressChanges}
    where ${changes} order by ${addressChanges.createdAt} limit 1`
  const condition = sql`${precondition} and exists (select 1 from ${addressChanges} where ${changes})`
  const name = sql.raw(type === 'email' ? 'primary_email' : 'primary_phone')
  const value = sql`(select was.value from (${previous}) as was where not exists (select 1 from ${users} as other
    where other.tenant_id = ${tenantId} and other.id <> ${userId} and lower(other.${name}) = lower(was.value)))`
  return db
    .update(users)
    .set(
      type === 'email'
        ? { primaryEmail: value, emailVerified: true }
        : { primaryPhone: value, phoneVerified: true },
    )
    .where(and(matchesUserKey(tenantId, userId), condition))
}

type Replacement = { type: AddressType; from: string | null; to: string | null; now: number }

/**
 * Checks whether the account has the address `from`, or the address `to` as set by this change. Hook events that are
 * written after the change need this condition. Null means no address.
 */
export const hasOldOrNewAddress = (
  tenantId: string,
  userId: string,
  { type, from, to, now }: Replacement,
): Condition =>
  sql`exists (select 1 from ${users} where ${matchesUserKey(tenantId, userId)} and (${column(type)} is ${from}
    or (${column(type)} is ${to} and ${users.profileUpdatedAt} = ${now})))`

/** Checks whether the user has an address of this type. */
export const hasAddressOfType = (tenantId: string, userId: string, type: AddressType): Condition =>
  sql`exists (select 1 from ${users} where ${and(matchesUserKey(tenantId, userId), sql`${column(type)} is not null`)})`

const column = (type: AddressType) => (type === 'email' ? users.primaryEmail : users.primaryPhone)

export const getUserAddress = (user: UserRow, type: AddressType) =>
  type === 'email'
    ? { value: user.primaryEmail, isVerified: user.emailVerified }
    : { value: user.primaryPhone, isVerified: user.phoneVerified }

/** Returns the column values for an address that has just been verified, whether it is new or not. */
export const addressColumns = (type: AddressType, value: string | null) =>
  type === 'email'
    ? { primaryEmail: value, emailVerified: true }
    : { primaryPhone: value, phoneVerified: true }
