import type { Dependencies } from '../../application/dependencies.ts'
import { findNewSignInUrl } from '../../application/interactions/new-sign-in.ts'
import type { PageContext } from './page-context.ts'
import { UNKNOWN_SESSION_PATH } from './page-guard.ts'
import { restartUrl } from './restart.ts'

type Sources = Pick<Dependencies, 'applications' | 'tenantSettings'>

/**
 * Adds the URL for starting over to the context of the unknown-session page (spec/pages#new-sign-in). Returns the
 * contexts of all other pages unchanged.
 */
export async function withContinueUrl(
  sources: Sources,
  { tenantId, context }: { tenantId: string; context: PageContext },
): Promise<PageContext> {
  const { url, interaction } = context
  if (url.pathname !== UNKNOWN_SESSION_PATH) return context
  const configured = await findContinueUrl(sources, { tenantId, context })
  // Do not link to `/restart` if the original request is unknown, because `/restart` may have redirected the user to
  // this page.
  return {
    ...context,
    continueUrl: configured ?? (interaction?.cookie.request ? restartUrl(interaction) : null),
  }
}

/**
 * Returns the URL that is configured for the application or the tenant, or null if there is none. `clientId` must be
 * the id of a valid client. If it is not set, the interaction's client is used. Also returns null if the settings
 * cannot be read, because rendering an error page must not fail.
 */
export async function findContinueUrl(
  sources: Sources,
  { tenantId, context, clientId }: { tenantId: string; context: PageContext; clientId?: string | undefined },
): Promise<string | null> {
  const { url, interaction } = context
  try {
    return await findNewSignInUrl(sources, {
      tenantId,
      origin: url.origin,
      clientId: clientId ?? interaction?.cookie.clientId,
    })
  } catch {
    return null
  }
}
