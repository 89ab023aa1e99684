import { Hono } from 'hono'
import type { Dependencies } from '../application/dependencies.ts'
import type { RequestFacts } from '../application/request.ts'
import { lazyAccountRoutes } from './account/late-routes.ts'
import { brandPictureRoutes } from './brand-pictures.ts'
import { changePasswordRoute } from './change-password.ts'
import { deviceAddressRoute } from './device-address.ts'
import type { InProcessApi } from './in-process.ts'
import { consoleRoutes } from './pages/console-page.ts'
import { demoRoute } from './pages/demo-page.ts'
import { devInboxRoutes } from './pages/dev-inbox.ts'
import { pageRoutes } from './pages/page-routes.ts'
import { accountPreviewRoute } from './pages/preview-page.ts'
import { passkeyAddressRoutes } from './passkey-addresses.ts'
import { protectedResourceRoutes } from './protected-resources.ts'
import { socialCallbackRoutes } from './social/social-callback.ts'
import { socialLandingRoutes } from './social/social-landing.ts'

export { createPageCache, type PageCache } from './pages/page-cache.ts'

/**
 * Serves all paths that belong to neither the API nor the OpenID Provider. The module is loaded when one of these paths
 * is first requested (ADR-0059). `elsewhere` lists single paths that other parts of the app serve.
 */
export function siteRoutes(
  dependencies: Dependencies,
  { api, provider }: { api: InProcessApi; provider: InProcessApi },
  elsewhere: readonly { method: string; path: string }[],
) {
  const others = new Hono<{ Variables: RequestFacts }>()
    .route('/', brandPictureRoutes(dependencies))
    .route('/', changePasswordRoute(dependencies))
    .route('/', consoleRoutes(dependencies))
    .route('/', demoRoute(dependencies))
    .route('/', devInboxRoutes(dependencies))
    .route('/', deviceAddressRoute())
    .route('/', passkeyAddressRoutes(dependencies))
    .route('/', protectedResourceRoutes())
    .route('/', socialCallbackRoutes(dependencies))
    .route('/', socialLandingRoutes(dependencies))
  const inProcess: InProcessApi = {
    fetch: (request, context) =>
      (new URL(request.url).pathname.startsWith('/api/') ? api : provider).fetch(request, context),
  }
  return new Hono<{ Variables: RequestFacts }>()
    .route('/', others)
    .route('/', accountPreviewRoute(dependencies))
    .route('/', lazyAccountRoutes(dependencies, inProcess))
    .route('/', pageRoutes(dependencies, api, [...others.routes, ...elsewhere]))
}
