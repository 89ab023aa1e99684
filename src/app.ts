// First: it extends zod, and schemas made from here on can describe themselves in OpenAPI. Most of the API is loaded later.
import '@hono/zod-openapi'
import { type Context, type ExecutionContext, Hono } from 'hono'
import { answerError } from './api/answer-errors.ts'
import { requestFacts } from './api/request-facts.ts'
import type { Dependencies } from './application/dependencies.ts'
import type { RequestFacts } from './application/request-facts.ts'
import { answerHeaders } from './web/answer-headers.ts'
import { apiDocsRoutes } from './web/api-docs.ts'
import { changePasswordRoute } from './web/change-password.ts'
import { devInboxRoutes } from './web/dev-inbox.ts'
import { failurePage } from './web/error-pages.ts'
import { pageCache } from './web/page-cache.ts'
import { pageRoutes } from './web/pages.tsx'
import { socialCallbackRoutes } from './web/social-callback.ts'
import { socialLandingRoutes } from './web/social-landing.ts'

/** The whole server: the API under /api, the OpenID Provider under /oidc, and pages everywhere else. */
export function createApp(dependencies: Dependencies) {
  const cachedPage = pageCache(dependencies)
  const api = loadLazily(async () => {
    const { createApi } = await import('./api/index.ts')
    return subApp().route('/', apiDocsRoutes()).route('/', createApi(dependencies))
  })
  const provider = loadLazily(async () => {
    const [{ oidcRoutes }, { restartRoute }, { oidcPages }] = await Promise.all([
      import('./oidc/routes.ts'),
      import('./oidc/restart.ts'),
      import('./web/oidc-pages.ts'),
    ])
    return subApp()
      .route('/', oidcRoutes(dependencies, oidcPages(dependencies)))
      .route('/', restartRoute(dependencies))
  })
  const pages = subApp()
    .route('/', changePasswordRoute(dependencies))
    .route('/', devInboxRoutes(dependencies))
    .route('/', socialCallbackRoutes(dependencies))
    .route('/', socialLandingRoutes(dependencies))
    .route('/', pageRoutes(dependencies, api))

  const app = new Hono()
    .use(answerHeaders)
    .all('/api/*', (c) => api.fetch(c.req.raw, c.executionCtx))
    .all('/oidc/*', (c) => provider.fetch(c.req.raw, c.executionCtx))
    .all('/restart', (c) => provider.fetch(c.req.raw, c.executionCtx))
    .route('/', pages)
  return {
    fetch: async (request: Request, context: ExecutionContext): Promise<Response> =>
      (await cachedPage(request)) ?? app.fetch(request, undefined, context),
  }

  /** What all parts have in common: the facts of the request, and the answer when something fails. */
  function subApp() {
    return new Hono<{ Variables: RequestFacts }>()
      .onError((error, c) =>
        wantsPage(c) ? failurePage(dependencies, c.var, c.req.raw, error) : answerError(error, c),
      )
      .use(requestFacts(dependencies))
  }
}

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

/** Browsers get a page; clients that accept anything, or name no type, get the JSON body. */
const wantsPage = (c: Context) => c.req.header('accept')?.includes('text/html') === true
