// First: it teaches schemas that are made from here on to describe themselves, and most of the API is made later than others.
import '@hono/zod-openapi'
import { type Context, type ExecutionContext, Hono } from 'hono'
import { answerError } from './api/answer-errors.ts'
import { requestFacts } from './api/request-facts.ts'
import type { AppVariables, Env, Services } from './env.ts'
import { answerHeaders } from './web/answer-headers.ts'
import { apiDocsRoutes } from './web/api-docs.ts'
import { changePasswordRoute } from './web/change-password.ts'
import { devInboxRoutes } from './web/dev-inbox.ts'
import { failurePage } from './web/error-pages.ts'
import { pageCache } from './web/page-cache.ts'
import { pageRoutes } from './web/pages.tsx'
import { socialCallbackRoutes } from './web/social-callback.ts'
import { socialLandingRoutes } from './web/social-landing.ts'

/** The whole server: what is asked under /api, what is asked under /oidc, and pages for everything else. */
export function createApp(services: Services) {
  const pageBefore = pageCache(services)
  const api = later(async () => {
    const { createApi } = await import('./api/index.ts')
    return subApp().route('/', apiDocsRoutes()).route('/', createApi(services))
  })
  const provider = later(async () => {
    const [{ oidcRoutes }, { restartRoute }, { oidcPages }] = await Promise.all([
      import('./oidc/routes.ts'),
      import('./oidc/restart.ts'),
      import('./web/oidc-pages.ts'),
    ])
    return subApp()
      .route('/', oidcRoutes(services, oidcPages(services)))
      .route('/', restartRoute(services))
  })
  const pages = subApp()
    .route('/', changePasswordRoute(services))
    .route('/', devInboxRoutes(services))
    .route('/', socialCallbackRoutes(services))
    .route('/', socialLandingRoutes(services))
    .route('/', pageRoutes(services, api))

  const app = new Hono<{ Bindings: Env }>()
    .use(answerHeaders)
    .all('/api/*', (c) => api.fetch(c.req.raw, c.env, c.executionCtx))
    .all('/oidc/*', (c) => provider.fetch(c.req.raw, c.env, c.executionCtx))
    .all('/restart', (c) => provider.fetch(c.req.raw, c.env, c.executionCtx))
    .route('/', pages)
  return {
    fetch: async (request: Request, env: Env, context: ExecutionContext): Promise<Response> =>
      (await pageBefore(request)) ?? app.fetch(request, env, context),
  }

  /** What is common to all: who asks, and what is said when something fails. */
  function subApp() {
    return new Hono<{ Variables: AppVariables }>()
      .onError((error, c) =>
        wantsPage(c) ? failurePage(services, c.var, c.req.raw, error) : answerError(error, c),
      )
      .use(requestFacts(services))
  }
}

type SubApp = { fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response> }

/**
 * A room that is furnished when somebody first comes: its schemas alone take longer than the rest of a start, and an isolate
 * that shows pages may never need them (decision record 0045).
 */
function later(load: () => Promise<SubApp>): SubApp {
  let loaded: Promise<SubApp> | undefined
  return {
    async fetch(...asked) {
      // What went wrong once is tried again by whoever comes next.
      loaded ??= load().catch((error) => {
        loaded = undefined
        throw error
      })
      return (await loaded).fetch(...asked)
    },
  }
}

/** People get a page; programs, which say `*∕*` or nothing, our body. */
const wantsPage = (c: Context) => c.req.header('accept')?.includes('text/html') === true
