import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { UnsecuredJWT } from 'jose'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import { INTERACTION_PARAM } from '../contract/interaction.ts'
import { always } from '../storage/conditions.ts'
import { sha256Base64Url } from '../storage/digest.ts'
import { randomId } from '../storage/ids.ts'
import { type InteractionCookie, interactionCookieName } from '../storage/interactions.ts'
import { writeModel } from '../storage/oidc-models.ts'

const PUSHED_REQUEST_SECONDS = 60 // the library's own limit
const PUSHED_REQUEST_URN = 'urn:ietf:params:oauth:request_uri:'
const VALUE_LENGTH = 43

/**
 * GET /restart?interaction=: starts an interaction again whose page was left open too long, when the page's link cannot
 * repeat the request (spec/provider#restart). A pushed request can be used once, so it is pushed anew. Where the request
 * is not known any more, the application is asked to begin (`initiate_login_uri`, OIDC Core §4).
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
    const sealed = getCookie(c, interactionCookieName(uid))
    const cookie = await interactions.of(tenantId).openCookieOfAnyAge(uid, sealed)
    c.header('Cache-Control', 'no-store')
    return c.redirect(cookie ? await addressFor(cookie) : '/unknown-session')

    async function addressFor({ request, isPushed, clientId }: InteractionCookie): Promise<string> {
      if (request && !isPushed) return `/oidc/auth?${new URLSearchParams(request)}`
      if (request) {
        const query = {
          client_id: clientId,
          request_uri: PUSHED_REQUEST_URN + (await push(request, clientId)),
        }
        return `/oidc/auth?${new URLSearchParams(query)}`
      }
      const application = await applications.get(JSON.stringify([tenantId, clientId]))
      const initiate = application?.customClientMetadata.initiateLoginUri
      if (!initiate) return '/unknown-session'
      const address = new URL(initiate)
      address.searchParams.set('iss', `${origin}/oidc`)
      return address.href
    }

    /** A pushed request in the shape of the library's model. */
    async function push(request: Record<string, string>, clientId: string): Promise<string> {
      const value = randomId(VALUE_LENGTH)
      const iat = Math.floor(now() / 1000)
      const exp = iat + PUSHED_REQUEST_SECONDS
      const jwt = new UnsecuredJWT(request)
        .setIssuedAt(iat)
        .setIssuer(clientId)
        .setAudience(`${origin}/oidc`)
        .setNotBefore(iat)
        .setExpirationTime(exp)
        .encode()
      const payload = {
        kind: 'PushedAuthorizationRequest',
        request: jwt,
        dpopJkt: request.dpop_jkt,
        iat,
        exp,
      }
      await writeModel(
        db,
        {
          tenantId,
          modelName: 'PushedAuthorizationRequest',
          id: await sha256Base64Url(value),
          payload,
          expiresAt: exp * 1000,
        },
        { onConflict: 'keep', condition: always },
      )
      return value
    }
  })
}
