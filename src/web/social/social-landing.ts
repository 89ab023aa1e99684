import { type Context, Hono } from 'hono'
import { createTranslator } from '../../../client/context/phrases.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { isAuthorizationUrl } from '../../application/social/authorization-address.ts'
import { mayReturnToApp } from '../../application/social/native-callback.ts'
import { renderPageForError } from '../pages/error-pages.ts'
import { readErrorPageContext } from '../pages/page-context.ts'
import { redirectTo } from '../redirect.ts'
import { storeNativeReturn } from './native-return.ts'

type LandingContext = Context<{ Variables: RequestFacts }>
type LandingRequest = {
  connectorId: string
  address: string | undefined
  callback: string | undefined
  state: string | null | undefined
}

/**
 * Serves the page that an app opens in the system browser (spec/pages#landing). It redirects to the provider, from
 * which the user later returns to the app. Anyone can create a URL of this page. It therefore redirects only to the
 * connector's own authorization endpoint, and returns only to the app for which the state's interaction was started.
 */
export function socialLandingRoutes(dependencies: Dependencies) {
  return new Hono<{ Variables: RequestFacts }>()
    .get('/social/landing/:connectorId', (c) => {
      const address = c.req.query('redirect_to')
      return redirectToProvider(c, {
        connectorId: c.req.param('connectorId'),
        address,
        callback: c.req.query('native_callback'),
        state: URL.parse(address ?? '')?.searchParams.get('state'),
      })
    })
    .get('/springboard', (c) =>
      redirectToProvider(c, {
        connectorId: c.req.query('connectorId') ?? '',
        address: c.req.query('redirectTo'),
        callback: c.req.query('callback'),
        state: c.req.query('state'),
      }),
    )

  async function redirectToProvider(
    c: LandingContext,
    { connectorId, address, callback, state }: LandingRequest,
  ) {
    const { tenantId, url } = c.var
    // Redirect to the parsed URL, because it is the one that was checked.
    const target = URL.parse(address ?? '')
    const isSafe =
      target &&
      state &&
      callback &&
      (await mayReturnToApp(dependencies, tenantId, { state, callback })) &&
      (await isAuthorizationUrl(dependencies, { tenantId, connectorId, origin: url.origin }, target))
    if (!isSafe) return refusalPage(c)

    const cookie = await storeNativeReturn(dependencies, { tenantId, connectorId, url }, { state, callback })
    return redirectTo(target.href, 303, [cookie])
  }

  /** No provider was called, so this message replaces that of the connector error (spec/pages#landing). */
  async function refusalPage(c: LandingContext): Promise<Response> {
    const context = await readErrorPageContext(dependencies, {
      tenantId: c.get('tenantId'),
      request: c.req.raw,
    })
    const code = 'connector.invalid_request_parameters'
    const message = createTranslator(context)('error.invalid_connector_request')
    return renderPageForError(context, { status: 400, code, message })
  }
}
