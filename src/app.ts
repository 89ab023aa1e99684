import { type Context, type ExecutionContext, Hono, type MiddlewareHandler } from 'hono'
import { respondToError, toRefusal } from './api/answer-errors.ts'
import { collectRequestFacts } from './api/request-facts.ts'
import type { Dependencies } from './application/dependencies.ts'
import type { RequestFacts } from './application/request.ts'
import { lazy } from './contract/lazy.ts'
import { isProtocolEndpoint, serverErrorBody } from './oidc/protocol-failure.ts'
import { addResponseHeaders } from './web/answer-headers.ts'
import type { PageCache } from './web/site.ts'
import { restoreBrowserRequest } from './web/tls-proxy.ts'

/** Creates the app: the API under /api, the OpenID Provider under /oidc, and pages everywhere else. */
export function createApp(dependencies: Dependencies) {
  const providerServer = lazy(async () => {
    const [{ createProviderServer }, { createOidcPages }] = await Promise.all([
      import('./oidc/provider-server.ts'),
      import('./web/pages/oidc-pages.ts'),
    ])
    return createProviderServer(dependencies, createOidcPages(dependencies))
  })
  const submittedAuthorizations = lazy(async () => {
    const { createSubmittedAuthorizations } = await import('./oidc/interactions/submitted-authorization.ts')
    return createSubmittedAuthorizations(await providerServer())
  })
  const api = loadLazily(async () => {
    const [{ createApi }, { limitFreshReads, limitInteractions }, { apiDocsRoutes }] = await Promise.all([
      import('./api/index.ts'),
      import('./oidc/flood-limits.ts'),
      import('./web/pages/api-docs.ts'),
    ])
    return subApp()
      .route('/', limitInteractions(dependencies, '/api/interaction/*'))
      .route('/', limitFreshReads(dependencies, '/api/.well-known/*'))
      .route('/', apiDocsRoutes().onError(respondToError))
      .route(
        '/',
        createApi(dependencies, async (submission) => (await submittedAuthorizations())(submission)),
      )
  })
  const provider = loadLazily(async () => {
    const [
      { limitFloods },
      { serveLastGoodCopies },
      { oidcRoutes },
      { restartRoute },
      { answerWithFirstPage },
      server,
    ] = await Promise.all([
      import('./oidc/flood-limits.ts'),
      import('./oidc/last-good-copies.ts'),
      import('./oidc/routes.ts'),
      import('./oidc/interactions/restart.ts'),
      import('./web/pages/first-page.ts'),
      providerServer(),
    ])
    return subApp(serveLastGoodCopies(dependencies))
      .use('/oidc/auth', answerWithFirstPage(servePage))
      .route('/', limitFloods(dependencies, '/oidc'))
      .route('/', oidcRoutes(dependencies, server))
      .route('/', restartRoute(dependencies))
  })
  const site = loadLazily(async () => {
    const [{ limitAccountPages }, { siteRoutes, createPageCache }] = await Promise.all([
      import('./oidc/flood-limits.ts'),
      import('./web/site.ts'),
    ])
    serveFromCache = createPageCache(dependencies)
    return subApp()
      .route('/', limitAccountPages(dependencies, '/account/*'))
      .route('/', siteRoutes(dependencies, { api, provider }, [RESTART]))
  })
  /** Serves pages from the page cache. Undefined until the first page request loads the site. */
  let serveFromCache: PageCache | undefined
  const servePage = async (request: Request, context: ExecutionContext) =>
    (await serveFromCache?.(request)) ?? site.fetch(request, context)
  const app = new Hono<{ Variables: RequestFacts }>()
    .onError(respondToFailure)
    .use(addResponseHeaders(dependencies))
    .all('/api/*', (c) => api.fetch(c.req.raw, c.executionCtx))
    .all('/oidc/*', (c) => provider.fetch(c.req.raw, c.executionCtx))
    .all(INSERTED_PATH, (c) => provider.fetch(withoutInsertion(c.req.raw), c.executionCtx))
    .get(RESTART.path, (c) => provider.fetch(c.req.raw, c.executionCtx))
    .all('*', (c) => site.fetch(c.req.raw, c.executionCtx))
  return {
    async fetch(incoming: Request, context: ExecutionContext): Promise<Response> {
      const request = restoreBrowserRequest(incoming, dependencies.settings)
      return (await serveFromCache?.(request)) ?? app.fetch(request, undefined, context)
    },
  }

  /** Creates a lazily loaded sub-app with its own error handler and with the middleware that sets `RequestFacts`. */
  function subApp(...outerMiddleware: MiddlewareHandler<{ Variables: RequestFacts }>[]) {
    return new Hono<{ Variables: RequestFacts }>()
      .onError(respondToFailure)
      .use(...outerMiddleware, collectRequestFacts(dependencies))
  }

  async function respondToFailure(error: Error, c: Context<{ Variables: RequestFacts }>): Promise<Response> {
    if (isProtocolEndpoint(c.req.path)) return respondToProtocolError(error, c)
    if (!wantsPage(c)) return respondToError(error, c)
    const { renderFailurePage } = await import('./web/pages/error-pages.ts')
    return renderFailurePage(dependencies, { ...c.var, request: c.req.raw }, error)
  }
}

/**
 * The path at which clients look for the metadata according to RFC 8414 §3.1: a well-known path followed by the
 * issuer's path (spec/provider#discovery).
 */
const INSERTED_PATH = '/.well-known/:name{openid-configuration|oauth-authorization-server}/oidc'

function withoutInsertion(request: Request): Request {
  const url = new URL(request.url)
  url.pathname = url.pathname.replace(/^(.*)\/oidc$/, '/oidc$1')
  return new Request(url, request)
}

/** The route is loaded together with the provider. The site handles all other methods on this path. */
const RESTART = { method: 'GET', path: '/restart' }

type SubApp = { fetch(request: Request, context: ExecutionContext): Response | Promise<Response> }

/**
 * Loads a sub-app on its first request (ADR-0059). An isolate that serves pages may never need the API, and one
 * that serves tokens may never need a page.
 */
function loadLazily(load: () => Promise<Hono<{ Variables: RequestFacts }>>): SubApp {
  const loaded = lazy(load)
  return { fetch: async (request, context) => (await loaded()).fetch(request, undefined, context) }
}

/**
 * Responds to server errors in the OAuth error format, whatever the request's `Accept` header says. Other errors, such
 * as one for an unknown host, use our own format.
 */
async function respondToProtocolError(
  error: Error,
  c: Context<{ Variables: RequestFacts }>,
): Promise<Response> {
  const answer = await respondToError(error, c)
  const { status, code } = toRefusal(error)
  if (status < 500 || code === 'server.hosts_missing') return answer
  // Allow any origin to read the response: the list of allowed origins is in the database, which may be unavailable.
  c.header('Access-Control-Allow-Origin', '*')
  c.header('Access-Control-Expose-Headers', 'Retry-After')
  return c.json(serverErrorBody(status), status === 503 ? 503 : 500)
}

/** Browsers get an error page. Clients that accept any media type or send no `Accept` header get a JSON body. */
const wantsPage = (c: Context) => c.req.header('accept')?.includes('text/html') === true
