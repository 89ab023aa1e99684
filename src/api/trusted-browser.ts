import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { z } from 'zod'
import type { Dependencies } from '../application/dependencies.ts'
import { randomId } from '../storage/ids.ts'
import type { TrustedBrowser } from '../storage/rate-limits.ts'
import { cookieAttributes } from './open-interaction.ts'

/** Sealed, so that nobody can claim to have signed in as somebody else, nor read who did. */
const COOKIE = '_known'
/** As long as browsers keep any cookie (RFC 6265bis, 5.5). */
const KEPT_SECONDS = 400 * 24 * 60 * 60
/** A family, and little enough for a cookie. Ours. */
const MOST_USERS = 5

const Content: z.ZodType<TrustedBrowser> = z.object({ id: z.string(), userIds: z.array(z.string()) })

/** The browser a call comes from, if somebody signed in with it before (decision 16). */
export async function readTrustedBrowser(
  { seals }: Dependencies,
  c: Context,
  tenantId: string,
): Promise<TrustedBrowser | null> {
  const sealed = getCookie(c, COOKIE)
  const content = sealed === undefined ? null : Content.safeParse(await seals.open(labelOf(tenantId), sealed))
  return content?.success ? content.data : null
}

/** From now on this browser is known to be this user's; of more than five the oldest is forgotten. */
export async function rememberUser(
  dependencies: Dependencies,
  c: Context,
  tenantId: string,
  userId: string,
): Promise<void> {
  const { id, userIds } = (await readTrustedBrowser(dependencies, c, tenantId)) ?? {
    id: randomId(),
    userIds: [],
  }
  const others = userIds.filter((other) => other !== userId)
  const content: TrustedBrowser = { id, userIds: [userId, ...others].slice(0, MOST_USERS) }
  setCookie(c, COOKIE, await dependencies.seals.seal(labelOf(tenantId), content), {
    ...cookieAttributes(c),
    maxAge: KEPT_SECONDS,
  })
}

const labelOf = (tenantId: string) => `known/${tenantId}`
