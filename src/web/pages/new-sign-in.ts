import type { Dependencies } from '../../application/dependencies.ts'
import { newSignInUrl } from '../../application/interactions/new-sign-in.ts'
import type { PageContext } from './page-context.ts'
import { UNKNOWN_SESSION_PATH } from './page-guard.ts'
import { restartUrl } from './restart.ts'

type Sources = Pick<Dependencies, 'applications' | 'tenantSettings'>

/**
 * Returns the context with the address to continue at, on the page for users without an interaction
 * (spec/pages#new-sign-in); on other pages, the same context.
 */
export async function withContinueUrl(
  sources: Sources,
  { tenantId, context }: { tenantId: string; context: PageContext },
): Promise<PageContext> {
  const { url, interaction } = context
  if (url.pathname !== UNKNOWN_SESSION_PATH) return context
  const configured = await continueUrlFrom(sources, { tenantId, context })
  // If the request is not known, `/restart` may be what led here.
  return {
    ...context,
    continueUrl: configured ?? (interaction?.cookie.request ? restartUrl(interaction) : null),
  }
}

/**
 * Returns the address from the settings. `clientId` is that of a valid client; otherwise the interaction names it.
 * Returns null if the address cannot be read, because a page about a failure must not fail.
 */
export async function continueUrlFrom(
  sources: Sources,
  { tenantId, context, clientId }: { tenantId: string; context: PageContext; clientId?: string | undefined },
): Promise<string | null> {
  const { url, interaction } = context
  try {
    return await newSignInUrl(sources, {
      tenantId,
      origin: url.origin,
      clientId: clientId ?? interaction?.cookie.clientId,
    })
  } catch {
    return null
  }
}
