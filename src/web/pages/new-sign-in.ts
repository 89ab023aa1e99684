import type { Dependencies } from '../../application/dependencies.ts'
import { newSignInUrl } from '../../application/interactions/new-sign-in.ts'
import type { PageContext } from './page-context.ts'
import { UNKNOWN_SESSION } from './page-guard.ts'
import { restartUrl } from './restart.ts'

type Sources = Pick<Dependencies, 'applications' | 'tenantSettings'>

/** The same context, on the page for users without an interaction with the way on that it offers (spec/pages#new-sign-in). */
export async function withContinueUrl(
  sources: Sources,
  { tenantId, context }: { tenantId: string; context: PageContext },
): Promise<PageContext> {
  const { url, interaction } = context
  if (url.pathname !== UNKNOWN_SESSION) return context
  const configured = await continueUrlFrom(sources, { tenantId, context })
  // `/restart` without the request is what may have led here.
  return {
    ...context,
    continueUrl: configured ?? (interaction?.cookie.request ? restartUrl(interaction) : null),
  }
}

/**
 * The address of the settings. `clientId` is that of a valid client, else the interaction names it. Null also where it cannot be
 * read: a page about a failure must not fail.
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
