import { type Context, type ExecutionContext, Hono, type MiddlewareHandler } from 'hono'
import { answerError, toRefusal } from './api/answer-errors.ts'
import { requestFacts } from './api/request-facts.ts'
import type { Dependencies } from './application/dependencies.ts'
import type { RequestFacts } from './application/request-facts.ts'
import { withSchemaLibrary } from './contract/late-schemas.ts'
import { isProtocolCall, protocolFailure } from './oidc/protocol-failure.ts'
import { answerHeaders } from './web/answer-headers.ts'
import { apiDocsRoutes } from './web/api-docs.ts'
import { changePasswordRoute } from './web/change-password.ts'
import { demoRoute } from './web/demo-page.ts'
import { devInboxRoutes } from './web/dev-inbox.ts'
import { failurePage } from './web/error-pages.ts'
import { pageRoutes } from './web/page-routes.ts'
import { socialCallbackRoutes } from './web/social-callback.ts'
import { socialLandingRoutes } from './web/social-landing.ts'
import { asSentByBrowser } from './web/tls-proxy.ts'
import { warmPages } from './web/warm-page.ts'

/** The whole server: the API under /api, the OpenID Provider under /oidc, and pages everywhere else. */
export function createApp(dependencies: Dependencies) {
  const api = loadLazily(async () => {
    const [{ createApi }, { interactionsLimited }] = await Promise.all([
      withSchemaLibrary(() => import('./api/index.ts')),
      import('./oidc/flood-limits.ts'),
    ])
    return subApp()
      .route('/', interactionsLimited(dependencies, '/api/interaction/*'))
      .route('/', apiDocsRoutes().onError(answerError))
      .route('/', createApi(dependencies))
  })
  const provider = loadLazily(async () => {
    const [{ floodLimited }, { lastGoodCopies }, { oidcRoutes }, { restartRoute }, { oidcPages }] =
      await Promise.all([
        import('./oidc/flood-limits.ts'),
        import('./oidc/last-good-copies.ts'),
        import('./oidc/routes.ts'),
        import('./oidc/restart.ts'),
        import('./web/oidc-pages.ts'),
      ])
    return subApp(lastGoodCopies(dependencies))
      .route('/', floodLimited(dependencies, '/oidc'))
      .route('/', oidcRoutes(dependencies, oidcPages(dependencies)))
      .route('/', restartRoute(dependencies))
  })
  const others = new Hono<{ Variables: RequestFacts }>()
    .route('/', changePasswordRoute(dependencies))
    .route('/', demoRoute(dependencies))
    .route('/', devInboxRoutes(dependencies))
    .route('/', socialCallbackRoutes(dependencies))
    .route('/', socialLandingRoutes(dependencies))
  const app = new Hono<{ Variables: RequestFacts }>()
    .onError(answerFailure)
    .use(answerHeaders)
    .all('/api/*', (c) => api.fetch(c.req.raw, c.executionCtx))
    .all('/oidc/*', (c) => provider.fetch(c.req.raw, c.executionCtx))
    .get(RESTART.path, (c) => provider.fetch(c.req.raw, c.executionCtx))
    .use(requestFacts(dependencies))
    .route('/', others)
    .route('/', pageRoutes(dependencies, api, [...others.routes, RESTART]))
  const warmPage = warmPages(dependencies)
  return {
    fetch(sent: Request, context: ExecutionContext): Response | Promise<Response> {
      const request = asSentByBrowser(sent, dependencies.settings)
      const routed = () => app.fetch(request, undefined, context)
      return warmPage(request)?.then((page) => page ?? routed()) ?? routed()
    },
  }

  /** A part that is loaded with its first request finds the facts of a request and answers failures by itself. */
  function subApp(...outside: MiddlewareHandler<{ Variables: RequestFacts }>[]) {
    return new Hono<{ Variables: RequestFacts }>()
      .onError(answerFailure)
      .use(...outside, requestFacts(dependencies))
  }

  function answerFailure(
    error: Error,
    c: Context<{ Variables: RequestFacts }>,
  ): Promise<Response> | Response {
    if (isProtocolCall(c.req.path)) return answerProtocolError(error, c)
    return wantsPage(c)
      ? failurePage(dependencies, { ...c.var, request: c.req.raw }, error)
      : answerError(error, c)
  }
}

/** Loaded with the provider; any other method is answered where the pages are. */
const RESTART = { method: 'GET', path: '/restart' }

type SubApp = { fetch(request: Request, context: ExecutionContext): Response | Promise<Response> }

/**
 * Loads a sub-app with its first request (ADR-0059): the schemas of the API take longer to build than the rest of a
 * start, and an isolate that serves pages may never need them.
 */
function loadLazily(load: () => Promise<Hono<{ Variables: RequestFacts }>>): SubApp {
  let loaded: ReturnType<typeof load> | undefined
  return {
    async fetch(request, context) {
      // A failed load is not kept: the next request tries again.
      loaded ??= load().catch((error) => {
        loaded = undefined
        throw error
      })
      return (await loaded).fetch(request, undefined, context)
    },
  }
}

/** Programs that speak OAuth read its errors, whatever they accept; refusals of ours, such as an unknown host, have our form. */
async function answerProtocolError(error: Error, c: Context<{ Variables: RequestFacts }>): Promise<Response> {
  const answer = await answerError(error, c)
  const { status, code } = toRefusal(error)
  if (status < 500 || code === 'server.hosts_missing') return answer
  // An application in a browser may read it: whether its origin is allowed is in the database.
  c.header('Access-Control-Allow-Origin', '*')
  c.header('Access-Control-Expose-Headers', 'Retry-After')
  return c.json(protocolFailure(status), status === 503 ? 503 : 500)
}

/** Browsers get a page; clients that accept anything, or name no type, get the JSON body. */
const wantsPage = (c: Context) => c.req.header('accept')?.includes('text/html') === true
