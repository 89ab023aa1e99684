import type { Client, Provider } from 'oidc-provider'
import { logEvent } from '../storage/event-log.ts'
import { randomId } from '../storage/ids.ts'
import { providerRequest } from './request-context.ts'

const TIMEOUT_MS = 2_500

/**
 * Tells an application that its user signed out (OpenID Connect Back-Channel Logout 1.0, 2.5), after the visitor has
 * been answered: a slow application must not hold up a sign-out. In place of the library's own call, which wants
 * to look into sockets that Workers do not have.
 */
export function sendLogoutToken(provider: Provider) {
  return async function backchannelLogout(this: Client, sub: string, sid?: string): Promise<void> {
    const { backchannelLogoutUri, backchannelLogoutSessionRequired } = this
    if (!backchannelLogoutUri) return

    const token = new provider.IdToken({ sub }, { client: this, ctx: undefined })
    // Without a mask the library puts no claim of the account into a token; this one is about whose session ended.
    Object.assign(token, { mask: { sub: null } })
    token.set('events', { 'http://schemas.openid.net/event/backchannel-logout': {} })
    token.set('jti', randomId())
    if (backchannelLogoutSessionRequired) token.set('sid', sid)
    const body = new URLSearchParams({ logout_token: await token.issue({ use: 'logout' }) })

    const { background, requestId } = providerRequest()
    background(async () => {
      const { ok, status } = await fetch(backchannelLogoutUri, {
        method: 'POST',
        redirect: 'manual',
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      logEvent('back_channel_logout', { requestId, clientId: this.clientId, status, accepted: ok })
    })
  }
}
