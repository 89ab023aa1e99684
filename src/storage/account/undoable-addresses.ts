import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import { ID_LENGTH } from '../../contract/ids.ts'
import { type AddressType, UNDO_LIFETIME } from '../../domain/account/address-rules.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { addressChanges, users } from '../tables.ts'

/** Addresses whose owners can undo the change that replaced them (spec/account-centre#undo). */

/**
 * The prefix of the ids of changes that can be undone. The notice to the old address has the same id, from which its
 * link is created when the notice is sent.
 */
const UNDO_PREFIX = 'undo-'
export const createUndoableChangeId = (): string => UNDO_PREFIX + randomId(ID_LENGTH - UNDO_PREFIX.length)
export const isUndoable = (id: string): boolean => id.startsWith(UNDO_PREFIX)

/** Selects the time until which the user's latest change can be undone. */
export const undoDeadlineQuery = (db: Database, tenantId: string, userId: string, now: number) =>
  db
    .select({ at: sql<number | null>`max(${addressChanges.createdAt}) + ${UNDO_LIFETIME}` })
    .from(addressChanges)
    .where(isUndoableOf(tenantId, userId, now))

export const hasNoUndoableChange = (tenantId: string, userId: string, at: number): Condition =>
  sql`not exists (select 1 from ${addressChanges} where ${isUndoableOf(tenantId, userId, at)})`

/**
 * Returns a subquery for the previous address that an undo would restore, for use in a statement on the user's row. It
 * is null if the account already has that address again.
 */
export const undoableAddress = (tenantId: string, userId: string, type: AddressType, now: number): SQL =>
  sql`(select ${addressChanges.previous} from ${addressChanges} where ${and(
    isUndoableOf(tenantId, userId, now),
    eq(addressChanges.type, type),
    sql`lower(${addressChanges.previous}) is not lower(${type === 'email' ? users.primaryEmail : users.primaryPhone})`,
  )} order by ${addressChanges.createdAt} limit 1)`

const isUndoableOf = (tenantId: string, userId: string, now: number) =>
  and(
    eq(addressChanges.tenantId, tenantId),
    eq(addressChanges.userId, userId),
    isNull(addressChanges.closedBy),
    sql`${addressChanges.id} like ${`${UNDO_PREFIX}%`}`,
    gt(addressChanges.createdAt, now - UNDO_LIFETIME),
  )
