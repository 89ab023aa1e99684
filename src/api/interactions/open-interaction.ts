import type { MiddlewareHandler } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import { type OpenInteraction, openInteraction } from '../../application/interactions/interaction-call.ts'
import { INTERACTION_HEADER } from '../../contract/interactions/interaction.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import type { AuditVariables } from '../audit-trail.ts'
import { writeCookies } from '../cookies.ts'

export type InteractionVariables = AuditVariables & { interaction: OpenInteraction }

/**
 * Opens the interaction that the call names (spec/interaction#interaction-name), and sets the cookies that the call has
 * changed.
 */
export function withInteraction(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'interactions'>,
): MiddlewareHandler<{ Variables: InteractionVariables }> {
  return async (c, next) => {
    const cookies = requestCookies(c.req.raw)
    const interaction = await openInteraction(dependencies, {
      tenantId: c.var.tenantId,
      uid: c.req.header(INTERACTION_HEADER) || cookies._interaction,
      cookies,
      callLogs: () => c.var.audit.uncommitted(undefined),
    })
    c.set('interaction', interaction)
    await next()
    // Cookies are set even if the call fails, because a failed call may also have pinned an account or used up a
    // connector session.
    writeCookies(c, interaction.cookieChanges())
  }
}
