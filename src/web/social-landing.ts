import { type Context, Hono } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request-facts.ts'
import { phrase } from '../domain/messages.ts'
import { leadsToProvider } from '../domain/provider-address.ts'
import { callbackAddress } from '../domain/social-state.ts'
import { isNativeRedirectUri } from '../storage/applications.ts'
import { getConnector } from '../storage/connectors.ts'
import { readPageContextAnyway, sayError } from './error-pages.ts'
import { keepNativeReturn } from './native-return.ts'

type PageContext = Context<{ Variables: RequestFacts }>
type Asked = {
  connectorId: string
  redirectTo: string | undefined
  callback: string | undefined
  state: string | null | undefined
}

/**
 * Where an app sends its visitors in the system's browser (contract 10.5): on to the provider, and afterwards back into
 * the app. Anybody can write such an address, so it leads nowhere but to the authorization endpoint of that connector,
 * and back to nothing but an app of this tenant (decision 39).
 */
export function socialLandingRoutes(dependencies: Dependencies) {
  return new Hono<{ Variables: RequestFacts }>()
    .get('/social/landing/:connectorId', (c) => {
      const redirectTo = c.req.query('redirect_to')
      return send(c, {
        connectorId: c.req.param('connectorId'),
        redirectTo,
        callback: c.req.query('native_callback'),
        state: URL.parse(redirectTo ?? '')?.searchParams.get('state'),
      })
    })
    .get('/springboard', (c) =>
      send(c, {
        connectorId: c.req.query('connectorId') ?? '',
        redirectTo: c.req.query('redirectTo'),
        callback: c.req.query('callback'),
        state: c.req.query('state'),
      }),
    )

  async function send(c: PageContext, { connectorId, redirectTo, callback, state }: Asked) {
    const { tenantId } = c.var
    const { url } = c.req
    // As parsed: an address that is written in an odd way is to lead where it was judged to lead.
    const target = URL.parse(redirectTo ?? '')
    const isSafe =
      target &&
      state &&
      callback &&
      (await isNativeRedirectUri(dependencies.db, tenantId, callback)) &&
      (await isAuthorization(c, connectorId, target))
    if (!isSafe) return refused(c)

    const cookie = await keepNativeReturn(dependencies, { tenantId, connectorId, url }, { state, callback })
    return new Response(null, {
      status: 303,
      headers: { location: target.href, 'set-cookie': cookie, 'cache-control': 'no-store' },
    })
  }

  async function isAuthorization(c: PageContext, connectorId: string, target: URL): Promise<boolean> {
    const connector = await getConnector(dependencies, c.var.tenantId, connectorId)
    // With all they know of providers, connectors are much to begin with, and few come here.
    const [{ findSocialConnector }, { socialContext }] = await Promise.all([
      import('../connectors/index.ts'),
      import('../connectors/social-context.ts'),
    ])
    const factory = connector && findSocialConnector(connector.connectorId)
    if (!factory) return false
    const redirectUri = callbackAddress(new URL(c.req.url).origin, connectorId)
    try {
      const { uri } = await factory.authorizationUri(
        connector.config,
        { state: '-', redirectUri },
        socialContext(dependencies),
      )
      return leadsToProvider(target, new URL(uri))
    } catch {
      // A connector that cannot say where its provider is vouches for no address.
      return false
    }
  }

  /** In the words contract 10.5 has for it, not in those of a provider that was never asked. */
  async function refused(c: PageContext): Promise<Response> {
    const context = await readPageContextAnyway(dependencies, c.var.tenantId, c.req.raw)
    const code = 'connector.invalid_request_parameters'
    const message = phrase(context.phrases, 'error.invalid_connector_request') ?? code
    return sayError(context, { status: 400, code, message })
  }
}
