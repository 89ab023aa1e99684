import { and, eq, sql } from 'drizzle-orm'
import type { AccountLookup } from '../../domain/interactions/accounts.ts'
import type { OfferFacts } from '../../domain/passkeys/passkey-offer.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { passkeyOffers, passkeys, users } from '../tables.ts'
import { matchesAnyLookup } from '../users/users.ts'

/**
 * Records which users have declined to create a passkey (spec/storage#passkeys). The functions return statements for
 * the caller's batch.
 */

/**
 * Selects the passkeys of the accounts that the lookups match, how often each user has declined to create a passkey,
 * and when they last did.
 */
export function passkeyOwnersQuery(db: Database, tenantId: string, lookups: readonly AccountLookup[]) {
  return db
    .select({
      userId: users.id,
      credentialIds: sql<string>`(select json_group_array(${passkeys.credentialId}) from ${passkeys}
        where ${passkeys.tenantId} = ${users.tenantId} and ${passkeys.userId} = ${users.id})`
        .mapWith((json: string): string[] => JSON.parse(json))
        .as('credential_ids'),
      deferrals: sql<number>`coalesce(${passkeyOffers.deferrals}, 0)`.as('times'),
      deferredAt: passkeyOffers.deferredAt,
    })
    .from(users)
    .leftJoin(
      passkeyOffers,
      and(eq(passkeyOffers.tenantId, users.tenantId), eq(passkeyOffers.userId, users.id)),
    )
    .where(matchesAnyLookup(tenantId, lookups))
}

export type PasskeyOwnerRow = OfferFacts & { userId: string }

/** Records that the user has declined once more to create a passkey, if the condition holds. */
export const deferPasskeyOffer = (
  db: Database,
  { tenantId, userId }: { tenantId: string; userId: string },
  condition: Condition,
  now: number,
) =>
  db.run(sql`insert into ${passkeyOffers} (tenant_id, user_id, put_off_times, put_off_at)
    select ${tenantId}, ${userId}, 1, ${now} where ${condition}
    on conflict (tenant_id, user_id) do update
    set put_off_times = ${passkeyOffers.deferrals} + 1, put_off_at = excluded.put_off_at`)
