import { z } from 'zod'
import { TRUSTED_BROWSER_COOKIE, TRUSTED_BROWSER_SECONDS } from '../../contract/cookie-names.ts'
import { refuseWith } from '../../contract/refused.ts'
import { existingMembersQuery } from '../../storage/access/role-links.ts'
import { readTogether } from '../../storage/batches.ts'
import { commitChange } from '../../storage/commit.ts'
import { randomId } from '../../storage/ids.ts'
import type { SealLabel } from '../../storage/seal.ts'
import {
  forgetBrowser,
  forgetBrowsers,
  hasTrustedBrowser,
  isTrustedBrowser,
  type TrustedBrowser,
  trustedBrowsersQuery,
} from '../../storage/sessions/trusted-browsers.ts'
import { accountNotifications, type OwnCall } from '../account/own-call.ts'
import type { AuditEntry } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { browserForgottenNotification, browsersForgottenNotification } from '../hooks/own-change-events.ts'
import type { CookieChange } from '../request.ts'

/**
 * The maximum number of users in the cookie. We chose a number that is enough for a browser that several people share
 * and small enough to fit into a cookie.
 */
const MAX_USERS = 5

/**
 * The content of the cookie. It is sealed, so that clients can neither fake an earlier sign-in nor find out who has
 * signed in (spec/accounts#trusted-browser).
 */
const Content: z.ZodType<TrustedBrowser> = z.object({ id: z.string(), userIds: z.array(z.string()) })

/** Returns the browser of a request, or null if no user has signed in with it before. */
export async function decryptTrustedBrowser(
  { seals }: Pick<Dependencies, 'seals'>,
  tenantId: string,
  sealed: string | undefined,
): Promise<TrustedBrowser | null> {
  if (sealed === undefined) return null
  return Content.safeParse(await seals.open(labelOf(tenantId), sealed)).data ?? null
}

/** Creates a record for a browser in which no user has signed in yet. */
export const createTrustedBrowser = (): TrustedBrowser => ({ id: randomId(), userIds: [] })

/**
 * Returns the cookie with a user added. If it already contains five users, it drops the one with the oldest sign-in.
 */
export async function trustBrowser(
  { seals }: Pick<Dependencies, 'seals'>,
  tenantId: string,
  { id, userIds }: TrustedBrowser,
  userId: string,
): Promise<CookieChange> {
  const others = userIds.filter((other) => other !== userId)
  const content: TrustedBrowser = { id, userIds: [userId, ...others].slice(0, MAX_USERS) }
  const value = await seals.seal(labelOf(tenantId), content)
  return { name: TRUSTED_BROWSER_COOKIE, value, maxAgeSeconds: TRUSTED_BROWSER_SECONDS }
}

const labelOf = (tenantId: string): SealLabel => `known/${tenantId}`

type Owner = { tenantId: string; userId: string }

/** Lists the browsers in which a user has signed in, for the user and for operators (spec/accounts#trusted-browser). */
export async function listTrustedBrowsers(
  { db, now, tenantSettings }: Pick<Dependencies, 'db' | 'now' | 'tenantSettings'>,
  owner: Owner,
) {
  const { secondFactor } = await tenantSettings.get(owner.tenantId)
  const rule = { days: secondFactor.rememberDays, now: now() }
  const { users, browsers } = await readTogether(db, {
    users: existingMembersQuery(db, owner.tenantId, 'user', [owner.userId]),
    browsers: trustedBrowsersQuery(db, owner, rule),
  })
  return users.length > 0 ? browsers : refuseWith('entity.not_found')
}

/** Deletes a browser, which is then neither trusted nor remembered. */
export async function forgetTrustedBrowser(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, audit, own, ...key }: Owner & { id: string; audit: AuditEntry; own?: OwnCall },
): Promise<void> {
  const { db } = dependencies
  const notifications = accountNotifications(dependencies, tenantId, own)
  const entry = audit.success()
  const { forgotten, outboxIds } = await commitChange(db, {
    tenantId,
    condition: isTrustedBrowser(tenantId, key),
    audit: entry,
    outbox: notifications.outbox(browserForgottenNotification(key.id), entry),
    statements: { forgotten: forgetBrowser(db, tenantId, key) },
  })
  if (forgotten.length === 0) refuseWith('entity.not_found')
  notifications.send(outboxIds)
}

/** Deletes all of a user's browsers. If there are none, writes no audit entry and sends no notification. */
export async function forgetTrustedBrowsers(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'deliveries'>,
  { tenantId, audit, own }: { tenantId: string; audit: AuditEntry; own: OwnCall },
): Promise<void> {
  const { db } = dependencies
  const { id: userId } = own.signedIn.user
  const notifications = accountNotifications(dependencies, tenantId, own)
  const entry = audit.success()
  const { outboxIds } = await commitChange(db, {
    tenantId,
    condition: hasTrustedBrowser(tenantId, userId),
    audit: entry,
    outbox: notifications.outbox(browsersForgottenNotification(tenantId, userId), entry),
    statements: { forgotten: forgetBrowsers(db, tenantId, userId) },
  })
  notifications.send(outboxIds)
}
