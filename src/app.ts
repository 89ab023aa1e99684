import { type Context, Hono } from 'hono'
import { answerError } from './api/answer-errors.ts'
import { createApi } from './api/index.ts'
import { requestFacts } from './api/request-facts.ts'
import type { AppVariables, Services } from './env.ts'
import { restartRoute } from './oidc/restart.ts'
import { oidcRoutes } from './oidc/routes.ts'
import { apiDocsRoutes } from './web/api-docs.ts'
import { changePasswordRoute } from './web/change-password.ts'
import { devInboxRoutes } from './web/dev-inbox.ts'
import { failurePage } from './web/error-pages.ts'
import { oidcPages } from './web/oidc-pages.ts'
import { pageRoutes } from './web/pages.tsx'
import { socialCallbackRoutes } from './web/social-callback.ts'
import { socialLandingRoutes } from './web/social-landing.ts'

/** The whole server: what is asked under /api, what is asked under /oidc, and pages for everything else. */
export function createApp(services: Services) {
  const api = createApi(services)
  return new Hono<{ Variables: AppVariables }>()
    .onError((error, c) =>
      wantsPage(c) ? failurePage(services, c.var, c.req.raw, error) : answerError(error, c),
    )
    .use(requestFacts(services))
    .route('/', apiDocsRoutes())
    .route('/', api)
    .route('/', oidcRoutes(services, oidcPages(services)))
    .route('/', restartRoute(services))
    .route('/', changePasswordRoute(services))
    .route('/', devInboxRoutes(services))
    .route('/', socialCallbackRoutes(services))
    .route('/', socialLandingRoutes(services))
    .route('/', pageRoutes(services, api))
}

/** People get a page; programs, which say `*∕*` or nothing, our body. */
const wantsPage = (c: Context) => c.req.header('accept')?.includes('text/html') === true
