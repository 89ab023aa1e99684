import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { formerIdentifiers as former, users } from '../tables.ts'

/** What an account had, and what its user wanted for it (spec/storage#former-identifiers). A trigger on `users` keeps the first. */
type Owner = { tenantId: string; userId: string }

const isOfUser = ({ tenantId, userId }: Owner) =>
  and(eq(former.tenantId, tenantId), eq(former.userId, userId))

/** In the batch of the code that an address is sent before it is that of the account. */
export const keepAskedAddress = (
  db: Database,
  { tenantId, userId, value, now }: Owner & { value: string; now: number },
) =>
  db.run(sql`insert into ${former} (tenant_id, user_id, value, was_held, created_at)
    select ${tenantId}, ${userId}, ${value}, 0, ${now} from ${users} where ${users.tenantId} = ${tenantId} and ${users.id} = ${userId}
    on conflict (tenant_id, user_id, value) do update set created_at = excluded.created_at where was_held = 0`)

/** Many more would be a script, and an erasure looks for each of them in every row of the audit log. */
const MAX_ERASED = 200

/** The newest, as rows of `value`. */
export const formerValues = (owner: Owner, kind: 'held' | 'asked'): SQL =>
  sql`select ${former.value} as value from ${former} where ${and(isOfUser(owner), eq(former.wasHeld, kind === 'held'))}
    order by ${former.createdAt} desc limit ${MAX_ERASED}`

/** Of `value` in the query around it: no other account has it now, whose traces would go with it. Each by its index. */
export const isNobodyElses = ({ tenantId, userId }: Owner, value: SQL): Condition => {
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
