import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { formerIdentifiers as former, users } from '../tables.ts'

/**
 * Identifiers that an account used to have, recorded by a trigger on `users`, and addresses that its user asked to add
 * (spec/storage#former-identifiers).
 */
type Owner = { tenantId: string; userId: string }

const isOfUser = ({ tenantId, userId }: Owner) =>
  and(eq(former.tenantId, tenantId), eq(former.userId, userId))

/**
 * Records an address that the user asked to add, in the batch that stores its code. It does not belong to the account
 * yet.
 */
export const recordRequestedAddress = (
  db: Database,
  { tenantId, userId, value, now }: Owner & { value: string; now: number },
) =>
  db.run(sql`insert into ${former} (tenant_id, user_id, value, was_held, created_at)
    select ${tenantId}, ${userId}, ${value}, 0, ${now} from ${users} where ${users.tenantId} = ${tenantId} and ${users.id} = ${userId}
    on conflict (tenant_id, user_id, value) do update set created_at = excluded.created_at where was_held = 0`)

/**
 * The maximum number of values. Only a script would create many more, and an erasure searches every row of the audit
 * log for each value.
 */
const MAX_ERASED = 200

/** Selects the newest values, as rows with a column `value`. */
export const formerValues = (owner: Owner, kind: 'held' | 'asked'): SQL =>
  sql`select ${former.value} as value from ${former} where ${and(isOfUser(owner), eq(former.wasHeld, kind === 'held'))}
    order by ${former.createdAt} desc limit ${MAX_ERASED}`

/**
 * Checks that the `value` of the surrounding query does not belong to another account, because the erasure must not
 * remove that account's traces. Each lookup uses an index.
 */
export const isNotOwnedByOthers = ({ tenantId, userId }: Owner, value: SQL): Condition => {
  const isOthers = (condition: SQL) =>
    sql`exists (select 1 from ${users} as other where other.tenant_id = ${tenantId} and ${condition} and other.id <> ${userId})`
  return sql`not (${isOthers(sql`lower(other.username) = lower(${value})`)}
    or ${isOthers(sql`lower(other.primary_email) = lower(${value})`)} or ${isOthers(sql`other.primary_phone = ${value}`)})`
}

export const formerIdentifiersQuery = (db: Database, owner: Owner) =>
  db
    .select({ value: former.value, wasHeld: former.wasHeld, at: sql<number>`${former.createdAt}`.as('at') })
    .from(former)
    .where(isOfUser(owner))
    .orderBy(desc(former.createdAt))
