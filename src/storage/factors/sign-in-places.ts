import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { AddressFactor } from '../../contract/interactions/interaction.ts'
import type { SignInPlace } from '../../domain/factors/sign-in-place.ts'
import {
  KNOWN_COUNTRY_PERIOD,
  MAX_COUNTRIES,
  MAX_TRAVEL_TIME,
  RECENT_RESET_PERIOD,
  type SignInHistory,
} from '../../domain/factors/sign-in-risk.ts'
import { allOf, type Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import {
  backupCodes,
  trustedBrowsers as browsers,
  addressChanges as changes,
  passkeys,
  signInPlaces as places,
  totpFactors,
  users,
} from '../tables.ts'
import { matchesAnyLookup, type UserLookup, userExists } from '../users/users.ts'
import type { FactorOwner } from './factors.ts'

/** The places from which users have signed in, for the `adaptive` policy (spec/accounts#sign-in-places). */

const UNKNOWN_COUNTRY = 'XX'

/** The accounts whose sign-in history is read, and the browser of the current sign-in. */
export type HistoryKey = { lookups: readonly UserLookup[]; browserId: string | null }

/** Matches rows that belong to the user in the surrounding row of `users`. */
const isOf = (alias: string) =>
  sql.raw(`${alias}.tenant_id = users.tenant_id and ${alias}.user_id = users.id`)

/**
 * Returns a subquery for the time of the last address change. Changes that were undone, or closed by an undo of an
 * earlier change, are ignored. The result is null if an account still has its first address.
 */
const changedAt = (type: AddressFactor) => sql`(select max(change.created_at) from ${changes} as change
  where ${isOf('change')} and change.type = ${type} and change.closed_by is null)`

const addedJson = sql`json_object(
    'totp', (select app.created_at from ${totpFactors} as app where ${isOf('app')}),
    'backupCode', (select max(code.created_at) from ${backupCodes} as code where ${isOf('code')}),
    'passkeys', json((select json_group_array(json_object('id', key.credential_id, 'at', key.created_at))
      from ${passkeys} as key where ${isOf('key')})),
    'phone', ${changedAt('phone')}, 'email', ${changedAt('email')})`

/**
 * Checks that a sign-in in the browser took place after the last revocation, and thus met the requirements at that
 * time, or that the browser was first seen long before the revocation.
 */
const wasThereBefore = (alias: string) =>
  sql`(users.revoked_at is null or ${sql.raw(alias)}.last_seen_at > users.revoked_at
    or ${sql.raw(alias)}.created_at < users.revoked_at - ${RECENT_RESET_PERIOD})`

/**
 * Builds the sign-in history of the user in the surrounding row of `users`, as JSON. The columns are written out
 * because drizzle omits table names in a single-table SELECT.
 */
const historyJson = ({ browserId }: HistoryKey) => sql`json_object(
  'userId', users.id,
  'knowsBrowser', json(iif(exists (select 1 from ${browsers} as known where known.tenant_id = users.tenant_id
    and known.user_id = users.id and known.browser_id = ${browserId} and ${wasThereBefore('known')}), 'true', 'false')),
  'added', ${addedJson},
  'places', json((select json_group_array(json_object('country', nullif(past.country, ${UNKNOWN_COUNTRY}), 'at', past.signed_in_at,
      'coordinates', iif(past.latitude is null, null, json_object('latitude', past.latitude, 'longitude', past.longitude))))
    from ${places} as past where past.tenant_id = users.tenant_id and past.user_id = users.id)))`

const parsed = (json: string): SignInHistory[] => JSON.parse(json)

/** Returns a JSON list that contains only the history of the user in the surrounding row of `users`. */
export const userHistoryJson = (key: HistoryKey): SQL => sql`json_array(json(${historyJson(key)}))`

/** Returns the histories of all accounts that the lookups match. At least one lookup is required. */
export const signInHistories = (tenantId: string, key: HistoryKey): SQL =>
  sql`(select json_group_array(json(${historyJson(key)})) from ${users} where ${matchesAnyLookup(tenantId, key.lookups)})`

/** Returns the histories as a column. Unless the policy is `adaptive`, the column is null and nothing is read. */
export const historiesIfAdaptive = (policy: SQLWrapper, histories: SQL) =>
  sql<SignInHistory[] | null>`iif(${policy} = 'adaptive', ${histories}, null)`.mapWith(parsed).as('histories')

/** The `histories` column of queries that read no histories. Only a sign-in under an `adaptive` policy needs them. */
export const noHistory = sql<null>`null`.as('histories')

/** Selects the histories of all accounts that the lookups match, for a tenant whose policy is `adaptive`. */
export const historiesQuery = (db: Database, tenantId: string, key: HistoryKey) =>
  db
    .select({ histories: userHistoryJson(key).mapWith(parsed).as('histories') })
    .from(users)
    .where(matchesAnyLookup(tenantId, key.lookups))

/**
 * Builds the statements that record the place of a sign-in, if known. They run in the batch of the sign-in, after the
 * row of a new user is written. If the sign-in is rejected, only the deletion of old places has an effect; it always
 * keeps the latest place, however old.
 */
export const placeStatements = (
  db: Database,
  owner: FactorOwner,
  condition: Condition,
  { place, now }: { place: SignInPlace | null; now: number },
) =>
  place
    ? {
        place: recordPlaceIf(db, owner, condition, { place, now }),
        olderPlaces: forgetOldPlaces(db, owner, now),
      }
    : {}

/**
 * Records a place. A batch that is executed late does not replace a newer place. A place without coordinates does not
 * replace recent coordinates; otherwise, a user could hide the coordinates once to make the next place appear near.
 */
const recordPlaceIf = (
  db: Database,
  { tenantId, userId }: FactorOwner,
  condition: Condition,
  { place: { country, coordinates }, now }: { place: SignInPlace; now: number },
) =>
  db.run(sql`insert into ${places} (tenant_id, user_id, country, latitude, longitude, signed_in_at)
    select ${tenantId}, ${userId}, ${country ?? UNKNOWN_COUNTRY},
      ${coordinates?.latitude ?? null}, ${coordinates?.longitude ?? null}, ${now}
    where ${allOf(condition, userExists(tenantId, userId))}
    on conflict (tenant_id, user_id, country) do update
      set latitude = excluded.latitude, longitude = excluded.longitude, signed_in_at = excluded.signed_in_at
      where signed_in_at < excluded.signed_in_at and (excluded.latitude is not null or latitude is null
        or signed_in_at < excluded.signed_in_at - ${MAX_TRAVEL_TIME})`)

const forgetOldPlaces = (db: Database, owner: FactorOwner, now: number) => {
  const isTheirs = and(eq(places.tenantId, owner.tenantId), eq(places.userId, owner.userId))
  return db.delete(places).where(sql`${isTheirs} and (
    (signed_in_at < ${now - KNOWN_COUNTRY_PERIOD} and signed_in_at < (select max(signed_in_at) from ${places} where ${isTheirs}))
    or rowid in (select rowid from ${places} where ${isTheirs} order by signed_in_at desc limit -1 offset ${MAX_COUNTRIES}))`)
}
