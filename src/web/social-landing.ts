import { type Context, Hono } from 'hono'
import { findSocialConnector } from '../connectors/index.ts'
import { socialWorld } from '../connectors/social-world.ts'
import { refuse } from '../contract/errors.ts'
import { callbackAddress } from '../domain/social-state.ts'
import type { AppVariables, Services } from '../env.ts'
import { isNativeRedirectUri } from '../storage/applications.ts'
import { getConnector } from '../storage/connectors.ts'
import { errorPage } from './error-pages.ts'
import { keepNativeReturn } from './native-return.ts'

type Asked = { connectorId: string; redirectTo: string | null; callback: string | null; state: string | null }
type PageContext = Context<{ Variables: AppVariables }>

/**
 * Where an app sends its visitors in the system's browser (contract 10.5): on to the provider, and afterwards back into
 * the app. Anybody can write such an address, so it leads nowhere but to the authorization endpoint of that connector,
 * and back to nothing but an app of this tenant (decision 39).
 */
export function socialLandingRoutes(services: Services) {
  return new Hono<{ Variables: AppVariables }>()
    .get('/social/landing/:connectorId', (c) => {
      const redirectTo = c.req.query('redirect_to') ?? null
      const state = (redirectTo && URL.parse(redirectTo)?.searchParams.get('state')) ?? null
      return send(c, {
        connectorId: c.req.param('connectorId'),
        redirectTo,
        callback: c.req.query('native_callback') ?? null,
        state,
      })
    })
    .get('/springboard', (c) =>
      send(c, {
        connectorId: c.req.query('connectorId') ?? '',
        redirectTo: c.req.query('redirectTo') ?? null,
        callback: c.req.query('callback') ?? null,
        state: c.req.query('state') ?? null,
      }),
    )

  async function send(
    c: PageContext,
    { connectorId, redirectTo, callback, state }: Asked,
  ): Promise<Response> {
    const { tenantId } = c.var
    const { url } = c.req
    const isSafe =
      callback !== null &&
      state !== null &&
      redirectTo !== null &&
      (await leadsToProvider(c, connectorId, redirectTo)) &&
      (await isNativeRedirectUri(services.db, tenantId, callback))
    if (!isSafe) {
      return errorPage(services, tenantId, c.req.raw, refuse('connector.invalid_request_parameters'))
    }
    const cookie = await keepNativeReturn(services, { tenantId, connectorId, url }, { state, callback })
    return new Response(null, {
      status: 303,
      headers: { location: redirectTo, 'set-cookie': cookie, 'cache-control': 'no-store' },
    })
  }

  /** Origin and path are those of the address this connector itself would send somebody to. */
  async function leadsToProvider(c: PageContext, connectorId: string, redirectTo: string): Promise<boolean> {
    const asked = URL.parse(redirectTo)
    const connector = asked && (await getConnector(services, c.var.tenantId, connectorId))
    const factory = connector && findSocialConnector(connector.connectorId)
    if (!factory) return false
    const request = { state: 'state', redirectUri: callbackAddress(new URL(c.req.url).origin, connectorId) }
    const own = await factory
      .authorizationUri(connector.config, request, socialWorld(services))
      .then(({ uri }) => new URL(uri))
      .catch(() => null)
    return own !== null && own.origin === asked.origin && own.pathname === asked.pathname
  }
}
