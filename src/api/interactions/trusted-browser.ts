import type { Context } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import { decryptTrustedBrowser, trustBrowser } from '../../application/sessions/trusted-browsers.ts'
import { TRUSTED_BROWSER_COOKIE } from '../../contract/cookie-names.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import type { TrustedBrowser } from '../../storage/sessions/trusted-browsers.ts'
import { writeCookies } from '../cookies.ts'

/**
 * Returns the requesting browser if a user has signed in with it before, otherwise null
 * (spec/accounts#trusted-browser).
 */
export const readTrustedBrowser = (
  dependencies: Pick<Dependencies, 'seals'>,
  c: Context,
  tenantId: string,
): Promise<TrustedBrowser | null> =>
  decryptTrustedBrowser(dependencies, tenantId, requestCookies(c.req.raw)[TRUSTED_BROWSER_COOKIE])

/** Adds the user who has just signed in to the users for whom this browser is trusted. */
export async function addTrustedUser(
  dependencies: Pick<Dependencies, 'seals'>,
  c: Context,
  { tenantId, browser, userId }: { tenantId: string; browser: TrustedBrowser; userId: string },
): Promise<void> {
  writeCookies(c, [await trustBrowser(dependencies, tenantId, browser, userId)])
}
