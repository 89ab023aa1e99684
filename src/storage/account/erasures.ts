import { and, eq, lte, type SQL, sql } from 'drizzle-orm'
import { type ErasedNames, excludeNames, uniqueNames } from '../../domain/account/erasure.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { sha256Base64Url } from '../digest.ts'
import { randomId } from '../ids.ts'
import { erasedIds, erasures, users } from '../tables.ts'
import { matchesUserKey } from '../users/users.ts'
import { formerValues, isNotOwnedByOthers } from './former-identifiers.ts'

/** Erases the traces that a deleted user leaves in rows that do not belong to the user (spec/storage#erasure). */
export type Erasure = {
  tenantId: string
  id: string
  names: ErasedNames
  createdAt: number
  place: string | null
}

/** Returns the digest of a user id, by which the database recognises a used id without revealing it. */
export const digestUserId = (tenantId: string, userId: string): Promise<string> =>
  sha256Base64Url(JSON.stringify(['erased id', tenantId, userId]))

type Deleted = { tenantId: string; userId: string; digest: string; now: number; condition: Condition }

const present = sql`json_array(${users.username}, ${users.primaryEmail}, ${users.primaryPhone}, json(${users.identities}))`

/**
 * Builds the statements that run before a user is deleted. They record what has to be erased, and that the id must
 * never be assigned again.
 */
export const erasureStatements = (db: Database, { tenantId, userId, digest, now, condition }: Deleted) => ({
  erasure: db.run(sql`insert into ${erasures} (tenant_id, id, names, created_at, next_at)
    select ${tenantId}, ${randomId()}, json_object('id', ${users.id},
      'unique', json(${textsOf(present, ['userId', 'id', 'email', 'phone'])}),
      'verified', iif(${users.primaryEmail} is not null and ${users.emailVerified}, json_array(${users.primaryEmail}), json_array()),
      'former', json(${formerOf({ tenantId, userId }, 'held')}),
      'asked', json(${formerOf({ tenantId, userId }, 'asked')}),
      'shared', json(${textsOf(sql`json_array(${users.name}, json(${users.identities}))`, ['name'])})), ${now}, ${now}
    from ${users} where ${and(matchesUserKey(tenantId, userId), condition)}`),
  erasedId:
    db.run(sql`insert into ${erasedIds} (tenant_id, digest) select ${tenantId}, ${digest} where ${condition}
    and exists (select 1 from ${users} where ${matchesUserKey(tenantId, userId)}) on conflict do nothing`),
})

/** Selects the strings at the top level of a JSON list, and nested strings whose key is in `names`. */
const textsOf = (list: SQL, names: readonly string[]) =>
  sql`(select json_group_array(named.value) from json_tree(${list}) as named where named.type = 'text' and named.value <> ''
    and (named.path = '$' or named.key in (select value from json_each(${JSON.stringify(names)}))))`

/** Selects former identifiers, except those that now belong to another account. */
const formerOf = (owner: { tenantId: string; userId: string }, kind: 'held' | 'asked') =>
  sql`(select json_group_array(was.value) from (${formerValues(owner, kind)}) as was where ${isNotOwnedByOthers(owner, sql`was.value`)})`

export const erasedIdsQuery = (db: Database, tenantId: string, digests: readonly string[]) =>
  db
    .select({ digest: erasedIds.digest })
    .from(erasedIds)
    .where(
      sql`${erasedIds.tenantId} = ${tenantId} and ${erasedIds.digest} in (select value from json_each(${JSON.stringify(digests)}))`,
    )

/** Selects the due erasures of all tenants, longest waiting first. */
export const findDueErasures = (db: Database, now: number, limit: number): Promise<Erasure[]> =>
  db
    .select({
      tenantId: erasures.tenantId,
      id: erasures.id,
      names: erasures.names,
      createdAt: erasures.createdAt,
      place: erasures.place,
    })
    .from(erasures)
    .where(lte(erasures.nextAt, now))
    .orderBy(erasures.nextAt)
    .limit(limit)
    .all()

/**
 * Removes names that now belong to another account. A linked identity may contain another account's address, and users
 * may create a new account after deleting the old one.
 */
export async function excludeNamesOfOthers(db: Database, erasure: Erasure): Promise<Erasure> {
  const { tenantId, names } = erasure
  const owner = { tenantId, userId: names.id }
  const values = JSON.stringify([...uniqueNames(names), ...(names.asked ?? [])])
  const others = await db.all<{ value: string }>(
    sql`select was.value from json_each(${values}) as was where not ${isNotOwnedByOthers(owner, sql`was.value`)}`,
  )
  return {
    ...erasure,
    names: excludeNames(
      names,
      others.map(({ value }) => value),
    ),
  }
}

const hasKey = ({ tenantId, id }: Erasure) => and(eq(erasures.tenantId, tenantId), eq(erasures.id, id))

export const continueErasure = (
  db: Database,
  erasure: Erasure,
  { place, nextAt }: { place: string; nextAt: number },
) => db.update(erasures).set({ place, nextAt }).where(hasKey(erasure))

export const endErasure = (db: Database, erasure: Erasure) => db.delete(erasures).where(hasKey(erasure))
