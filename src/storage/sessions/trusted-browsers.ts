import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { DAY } from '../../contract/time.ts'
import type { AccountLookup } from '../../domain/interactions/accounts.ts'
import type { RememberedPeriod } from '../../domain/sessions/remembered-browser.ts'
import type { Condition } from '../conditions.ts'
import type { Database } from '../database.ts'
import { randomId } from '../ids.ts'
import { logs, trustedBrowsers, users } from '../tables.ts'
import { matchesLookup } from '../users/users.ts'

/**
 * The browser that a request's cookie identifies (spec/accounts#trusted-browser). If the database lists the browser for
 * an account, the browser is trusted and has separate counters for that account, so that an attacker cannot use up the
 * owner's attempts.
 */
export type TrustedBrowser = { id: string; userIds: string[] }

/** The time for which trusted browsers are kept. Browsers discard cookies after the same time (RFC 6265bis §5.5). */
export const BROWSER_RETENTION = 400 * DAY

/** A sign-in in a browser. Several users may share a browser, each with a separate row. */
export type BrowserSignIn = {
  userId: string
  browserId: string
  userAgent: string | null
  now: number
  /** The time for which the browser is remembered, or null to leave the stored period unchanged. */
  remembrance: RememberedPeriod | null
}

/**
 * Checks that the account with this name has signed in with the browser, and has not been suspended or signed out
 * everywhere since.
 */
export const isBrowserTrustedFor = (
  tenantId: string,
  lookup: AccountLookup,
  { id, userIds }: TrustedBrowser,
): Condition =>
  sql`exists (select 1 from ${users} join ${trustedBrowsers}
    on ${trustedBrowsers.tenantId} = ${users.tenantId} and ${trustedBrowsers.userId} = ${users.id}
    where ${users.tenantId} = ${tenantId} and ${matchesLookup(tenantId, lookup)} and ${isLive}
      and ${trustedBrowsers.browserId} = ${id} and ${users.id} in (select value from json_each(${JSON.stringify(userIds)})))`

/**
 * Trust ends when the sessions end: after a password reset, a suspension or a sign-out everywhere. A later sign-in
 * restores it.
 */
const isLive = sql`(${users.isSuspended} = 0 and coalesce(${users.revokedAt}, 0) < ${trustedBrowsers.lastSeenAt})`

/**
 * Records the browser of a sign-in, in the same batch. A batch that is executed late does not replace a newer sign-in.
 */
export const trustBrowserIf = (
  db: Database,
  tenantId: string,
  condition: Condition,
  { userId, browserId, userAgent, now, remembrance }: BrowserSignIn,
) =>
  db.run(sql`insert into ${trustedBrowsers}
    (tenant_id, user_id, browser_id, id, user_agent, created_at, last_seen_at, remembered_at, remembered_until)
    select ${tenantId}, ${userId}, ${browserId}, ${randomId()}, ${userAgent}, ${now}, ${now},
      ${remembrance?.at ?? null}, ${remembrance?.until ?? null}
    where ${condition} and exists (select 1 from ${users} where tenant_id = ${tenantId} and id = ${userId})
    on conflict (tenant_id, user_id, browser_id) do update
      set user_agent = excluded.user_agent, last_seen_at = excluded.last_seen_at,
        remembered_at = coalesce(excluded.remembered_at, remembered_at),
        remembered_until = coalesce(excluded.remembered_until, remembered_until)
      where last_seen_at < excluded.last_seen_at`)

/**
 * Gives a browser a new id in the rows of all its users, so that copies of the old cookie, such as one that an attacker
 * planted, become useless. The statement runs before the sign-in is recorded in the same batch.
 */
export const renameBrowserIf = (
  db: Database,
  tenantId: string,
  condition: Condition,
  { former, browserId }: { former: TrustedBrowser; browserId: string },
) =>
  db.run(sql`update ${trustedBrowsers} set browser_id = ${browserId}
    where tenant_id = ${tenantId} and browser_id = ${former.id}
      and user_id in (select value from json_each(${JSON.stringify(former.userIds)})) and ${condition}`)

/**
 * The rule for how long browsers are remembered. The tenant's current setting, `days`, applies unless the period that a
 * user was promised is shorter.
 */
export type RememberRule = { days: number; now: number }

/**
 * A browser is no longer remembered once it is no longer trusted, or after any change to the second factors, even one
 * at the same time as the sign-in.
 */
const isRemembered = ({ days, now }: RememberRule) =>
  sql`(${users.isSuspended} = 0 and ${trustedBrowsers.rememberedUntil} > ${now}
    and ${trustedBrowsers.rememberedAt} > ${now - days * DAY}
    and ${trustedBrowsers.rememberedAt} > max(coalesce(${users.revokedAt}, 0), coalesce(${users.factorsChangedAt}, 0)))`

/**
 * Selects the accounts for which the browser is remembered. A cookie names only a few accounts, and each row is found
 * by its key.
 */
export const rememberedBrowserQuery = (
  db: Database,
  tenantId: string,
  { id, userIds }: TrustedBrowser,
  rule: RememberRule,
) =>
  db
    .select({ userId: trustedBrowsers.userId })
    .from(trustedBrowsers)
    .innerJoin(users, isUserOf)
    .where(
      and(
        eq(trustedBrowsers.tenantId, tenantId),
        inArray(trustedBrowsers.userId, userIds),
        eq(trustedBrowsers.browserId, id),
        isRemembered(rule),
      ),
    )

const isUserOf = and(eq(users.tenantId, trustedBrowsers.tenantId), eq(users.id, trustedBrowsers.userId))

/**
 * Checks that the browser is still remembered. Used in the batch of a sign-in that skips the second factor for this
 * reason.
 */
export const isBrowserRememberedFor = (
  tenantId: string,
  { userId, browserId }: Pick<BrowserSignIn, 'userId' | 'browserId'>,
  rule: RememberRule,
): Condition =>
  sql`exists (select 1 from ${trustedBrowsers} join ${users} on ${isUserOf}
    where ${trustedBrowsers.tenantId} = ${tenantId} and ${trustedBrowsers.userId} = ${userId}
      and ${trustedBrowsers.browserId} = ${browserId} and ${isRemembered(rule)})`

/** The maximum number of browsers per user, which no person reaches. Each sign-in without the cookie adds one. */
const MAX_PER_USER = 100

/**
 * Deletes the least recently used browsers over the limit. The statement runs in the batch of a sign-in, after the
 * sign-in is recorded.
 */
export const forgetOldestBrowsers = (db: Database, tenantId: string, userId: string) =>
  db.delete(trustedBrowsers).where(
    sql`rowid in (select rowid from ${trustedBrowsers}
      where ${trustedBrowsers.tenantId} = ${tenantId} and ${trustedBrowsers.userId} = ${userId}
      order by ${trustedBrowsers.lastSeenAt} desc, ${trustedBrowsers.createdAt} desc limit -1 offset ${MAX_PER_USER})`,
  )

/** Selects the trusted browsers of a user, newest sign-in first. */
export const trustedBrowsersQuery = (
  db: Database,
  { tenantId, userId }: { tenantId: string; userId: string },
  rule: RememberRule,
) =>
  db
    .select({
      id: trustedBrowsers.id,
      userAgent: trustedBrowsers.userAgent,
      createdAt: trustedBrowsers.createdAt,
      lastSeenAt: trustedBrowsers.lastSeenAt,
      rememberedUntil: sql<number | null>`iif(${isRemembered(rule)}, min(${trustedBrowsers.rememberedUntil},
        ${trustedBrowsers.rememberedAt} + ${rule.days * DAY}), null)`.as('still_remembered_until'),
    })
    .from(trustedBrowsers)
    .innerJoin(users, isUserOf)
    .where(and(eq(trustedBrowsers.tenantId, tenantId), eq(trustedBrowsers.userId, userId), isLive))
    .orderBy(desc(trustedBrowsers.lastSeenAt))
    .limit(MAX_PER_USER)

/** Deletes all browsers of a user. */
export const forgetBrowsers = (db: Database, tenantId: string, userId: string) =>
  db
    .delete(trustedBrowsers)
    .where(and(eq(trustedBrowsers.tenantId, tenantId), eq(trustedBrowsers.userId, userId)))
    .returning({ id: trustedBrowsers.id })

/**
 * Checks whether the user has signed in with the browser, and has neither removed it nor been signed out everywhere
 * since, as happens after a password reset.
 */
export const hasUsedBrowser = (
  { tenantId, userId }: { tenantId: string; userId: string },
  browserId: string,
): Condition =>
  sql`exists (select 1 from ${trustedBrowsers} join ${users}
    on ${users.tenantId} = ${trustedBrowsers.tenantId} and ${users.id} = ${trustedBrowsers.userId}
    where ${trustedBrowsers.tenantId} = ${tenantId} and ${trustedBrowsers.userId} = ${userId}
      and ${trustedBrowsers.browserId} = ${browserId}
      and coalesce(${users.revokedAt}, 0) < ${trustedBrowsers.lastSeenAt})`

/** Checks whether the user has signed in with a new browser since this time. */
export const hasNewBrowserSince = (
  { tenantId, userId }: { tenantId: string; userId: string },
  since: number,
): Condition =>
  sql`exists (select 1 from ${trustedBrowsers} where ${trustedBrowsers.tenantId} = ${tenantId}
    and ${trustedBrowsers.userId} = ${userId} and ${trustedBrowsers.createdAt} > ${since})`

/**
 * Checks whether the account had been used here before a sign-in. An imported account may have a time of the last
 * sign-in, but it has neither browsers nor a log of a sign-in. Users can remove their browsers, and those of an account
 * that was unused for a long time have been deleted.
 */
export const hasSignedInBefore = (tenantId: string, userId: string, now: number): Condition =>
  sql`(${hasTrustedBrowser(tenantId, userId)}
    or exists (select 1 from ${users} where tenant_id = ${tenantId} and id = ${userId}
      and last_sign_in_at < ${now - BROWSER_RETENTION})
    or exists (select 1 from ${logs} where tenant_id = ${tenantId} and user_id = ${userId} and created_at < ${now}
      and key in ('Interaction.SignIn.Submit', 'Interaction.Register.Submit')
      and json_extract(payload, '$.result') = 'Success'))`

export const hasTrustedBrowser = (tenantId: string, userId: string): Condition =>
  sql`exists (select 1 from ${trustedBrowsers} where ${trustedBrowsers.tenantId} = ${tenantId}
    and ${trustedBrowsers.userId} = ${userId})`

/** Checks whether the user has a browser that is still trusted. */
export const hasLiveBrowser = (tenantId: string, userId: string): Condition =>
  sql`exists (select 1 ${liveBrowsersOf(tenantId, userId)})`

/** Returns the ids of the user's trusted browsers as JSON, for a hook payload. */
export const liveBrowsersJson = (tenantId: string, userId: string): SQL =>
  sql`(select json_group_array(${trustedBrowsers.id}) ${liveBrowsersOf(tenantId, userId)})`

const liveBrowsersOf = (tenantId: string, userId: string) =>
  sql`from ${trustedBrowsers} join ${users} on ${isUserOf}
    where ${trustedBrowsers.tenantId} = ${tenantId} and ${trustedBrowsers.userId} = ${userId} and ${isLive}`

type BrowserKey = { userId: string; id: string }

export const isTrustedBrowser = (tenantId: string, key: BrowserKey): Condition =>
  sql`exists (select 1 from ${trustedBrowsers} where ${hasKey(tenantId, key)})`

export const forgetBrowser = (db: Database, tenantId: string, key: BrowserKey) =>
  db.delete(trustedBrowsers).where(hasKey(tenantId, key)).returning({ id: trustedBrowsers.id })

const hasKey = (tenantId: string, { userId, id }: BrowserKey) =>
  and(eq(trustedBrowsers.tenantId, tenantId), eq(trustedBrowsers.userId, userId), eq(trustedBrowsers.id, id))
