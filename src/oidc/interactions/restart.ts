import { Hono } from 'hono'
import type { Dependencies } from '../../application/dependencies.ts'
import { findInitiateLoginUrl } from '../../application/interactions/new-sign-in.ts'
import type { RequestFacts } from '../../application/request.ts'
import { INTERACTION_PARAM, SWITCH_ACCOUNT_QUERY } from '../../contract/interactions/interaction.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import { DEVICE_PATH } from '../../contract/sessions/device.ts'
import {
  type InteractionCookie,
  interactionCookieName,
} from '../../storage/interactions/interaction-cookies.ts'
import { pushRequest } from './push-request.ts'

const PUSHED_REQUEST_URN = 'urn:ietf:params:oauth:request_uri:'

/**
 * Serves GET /restart?interaction=, which restarts an interaction that was open for too long and whose request the page
 * cannot repeat (spec/provider#restart). A pushed request can be used only once, so it is pushed again. If the request
 * is no longer stored, the user is redirected to the application to start over (`initiate_login_uri`, OIDC Core §4).
 */
export function restartRoute({
  interactions,
  applications,
  db,
  now,
}: Pick<Dependencies, 'interactions' | 'applications' | 'db' | 'now'>) {
  return new Hono<{ Variables: RequestFacts }>().get('/restart', async (c) => {
    const { tenantId } = c.var
    const { origin } = new URL(c.req.url)
    const uid = c.req.query(INTERACTION_PARAM) ?? ''
    const sealed = requestCookies(c.req.raw)[interactionCookieName(uid)]
    const cookie = await interactions.of(tenantId).openCookieOfAnyAge(uid, sealed)
    c.header('Cache-Control', 'no-store')
    const switchesAccount = c.req.query('prompt') === SWITCH_ACCOUNT_QUERY.prompt
    if (cookie?.isOfDevice) return c.redirect(DEVICE_PATH)
    return c.redirect(cookie ? await addressFor(cookie) : '/unknown-session')

    async function addressFor({
      request: originalRequest,
      isPushed,
      clientId,
    }: InteractionCookie): Promise<string> {
      const request = originalRequest && switchesAccount ? askingForAccount(originalRequest) : originalRequest
      if (request && !isPushed) return `/oidc/auth?${new URLSearchParams(request)}`
      if (request) {
        const query = {
          client_id: clientId,
          request_uri:
            PUSHED_REQUEST_URN + (await pushRequest({ db, now }, { tenantId, origin, clientId, request })),
        }
        return `/oidc/auth?${new URLSearchParams(query)}`
      }
      const initiate = await findInitiateLoginUrl({ applications }, { tenantId, origin, clientId })
      // The error page may show another URL at which the tenant's users can start over (spec/pages#new-sign-in).
      return initiate ?? '/unknown-session'
    }
  })
}

/**
 * Returns a request that asks the user to choose an account (OIDC Core §3.1.2.1), regardless of who is signed in or
 * whom the application expected. It leads to the first page itself, not to the accounts that the browser remembers.
 */
function askingForAccount({ login_hint: _hint, ...request }: Record<string, string>): Record<string, string> {
  const prompts = new Set([SWITCH_ACCOUNT_QUERY.prompt, ...(request.prompt ?? '').split(' ').filter(Boolean)])
  return { interaction_mode: 'signIn', ...request, prompt: [...prompts].join(' ') }
}
