import { z } from 'zod'
import { randomId } from '../../storage/ids.ts'
import type { Label } from '../../storage/seal.ts'
import type { TrustedBrowser } from '../../storage/sessions/trusted-browsers.ts'
import type { CookieChange } from '../cookie-change.ts'
import type { Dependencies } from '../dependencies.ts'

/** Sealed: a client can neither claim an earlier sign-in nor read who signed in (spec/accounts#trusted-browser). */
export const TRUSTED_BROWSER_COOKIE = '_known'
const KEPT_SECONDS = 400 * 24 * 60 * 60 // RFC 6265bis §5.5: no browser keeps a cookie for longer
/** Enough for a browser that several users share, and few enough for a cookie. Ours. */
const MOST_USERS = 5

const Content: z.ZodType<TrustedBrowser> = z.object({ id: z.string(), userIds: z.array(z.string()) })

/** The browser of a call, if a user signed in with it before. */
export async function openTrustedBrowser(
  { seals }: Pick<Dependencies, 'seals'>,
  tenantId: string,
  sealed: string | undefined,
): Promise<TrustedBrowser | null> {
  const content = sealed === undefined ? null : Content.safeParse(await seals.open(labelOf(tenantId), sealed))
  return content?.success ? content.data : null
}

/** A browser in which no user has signed in yet. */
export const newBrowser = (): TrustedBrowser => ({ id: randomId(), userIds: [] })

/** The cookie with this user in it; of more than five users the one who signed in longest ago is dropped. */
export async function trustBrowser(
  { seals }: Pick<Dependencies, 'seals'>,
  tenantId: string,
  { id, userIds }: TrustedBrowser,
  userId: string,
): Promise<CookieChange> {
  const others = userIds.filter((other) => other !== userId)
  const content: TrustedBrowser = { id, userIds: [userId, ...others].slice(0, MOST_USERS) }
  const value = await seals.seal(labelOf(tenantId), content)
  return { name: TRUSTED_BROWSER_COOKIE, value, maxAgeSeconds: KEPT_SECONDS }
}

const labelOf = (tenantId: string): Label => `known/${tenantId}`
