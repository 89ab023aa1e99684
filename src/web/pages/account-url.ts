import type { Dependencies } from '../../application/dependencies.ts'
import { SIGNED_IN_PAGE } from '../../contract/product.ts'
import type { PageContext } from './page-context.ts'
import { UNKNOWN_SESSION_PATH } from './page-guard.ts'

type Sources = Pick<Dependencies, 'tenantSettings'>

/** The final pages that link to the account centre. Whether there is one is a setting, so they are not cached. */
export const LINKING_PATHS: readonly string[] = [UNKNOWN_SESSION_PATH, SIGNED_IN_PAGE]

/** Adds the URL of the account centre to the contexts of final pages. Returns all other contexts unchanged. */
export const withAccountUrl = async (
  sources: Sources,
  { tenantId, context }: { tenantId: string; context: PageContext },
): Promise<PageContext> =>
  LINKING_PATHS.includes(context.url.pathname)
    ? { ...context, accountUrl: await findAccountUrl(sources, tenantId) }
    : context

/**
 * Returns the URL of the account centre, or undefined if the tenant has none. Also returns undefined if the settings
 * cannot be read, because a final page must not fail.
 */
export async function findAccountUrl(
  { tenantSettings }: Sources,
  tenantId: string,
): Promise<string | undefined> {
  const settings = await tenantSettings.get(tenantId).catch(() => null)
  return settings?.accountCentre.enabled ? '/account' : undefined
}
