import { type Context, Hono } from 'hono'
import { SPRINGBOARD_PATH } from '../../../client/context/paths.ts'
import { createTranslator } from '../../../client/context/phrases.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { isAuthorizationUrl } from '../../application/social/authorization-address.ts'
import { mayReturnToApp } from '../../application/social/native-callback.ts'
import { getConnector } from '../../storage/connectors/connectors.ts'
import { renderPageForError } from '../pages/error-pages.ts'
import { renderPageResponse } from '../pages/page.ts'
import { readErrorPageContext, readPageContext } from '../pages/page-context.ts'
import { redirectTo } from '../redirect.ts'
import { storeNativeReturn } from './native-return.ts'

type LandingContext = Context<{ Variables: RequestFacts }>
type LandingRequest = {
  connectorId: string
  address: string | undefined
  callback: string | undefined
  state: string | null | undefined
}

/** Returns the URL of the provider, by either of its names. */
const redirectToOf = (c: LandingContext) => c.req.query('redirectTo') ?? c.req.query('redirect_to')

/**
 * Serves the page that an app opens in the system browser (spec/pages#landing). It redirects to the provider, from
 * which the user later returns to the app. Anyone can create a URL of this page. It therefore redirects only to the
 * connector's own authorization endpoint, and returns only to the app for which the state's interaction was started.
 */
export function socialLandingRoutes(dependencies: Dependencies) {
  return new Hono<{ Variables: RequestFacts }>()
    .get('/social/landing/:connectorId', (c) => {
      const address = redirectToOf(c)
      return redirectToProvider(c, {
        connectorId: c.req.param('connectorId'),
        address,
        callback: c.req.query('native_callback'),
        state: URL.parse(address ?? '')?.searchParams.get('state'),
      })
    })
    .get(SPRINGBOARD_PATH, (c) => {
      const request = {
        connectorId: c.req.query('connectorId') ?? '',
        address: redirectToOf(c),
        callback: c.req.query('callback'),
        state: c.req.query('state'),
      }
      return request.address === undefined ? storeReturn(c, request) : redirectToProvider(c, request)
    })

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

  /** Stores the link of an app that opens the provider itself, and sends the user back to the app. */
  async function storeReturn(c: LandingContext, { connectorId, callback, state }: LandingRequest) {
    const { tenantId, url } = c.var
    const isValid =
      state &&
      callback &&
      (await getConnector(dependencies, tenantId, connectorId)) &&
      (await mayReturnToApp(dependencies, tenantId, { state, callback }))
    if (!isValid) return refusalPage(c)

    const cookie = await storeNativeReturn(dependencies, { tenantId, connectorId, url }, { state, callback })
    const context = await readPageContext(dependencies, { tenantId, request: c.req.raw, url })
    const page = await renderPageResponse({ ...context, interaction: null })
    page.headers.append('set-cookie', cookie)
    return page
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
