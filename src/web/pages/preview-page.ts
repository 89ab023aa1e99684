import { Hono } from 'hono'
import { findPage } from '../../../client/app/routes.ts'
import { isPreviewedAccountPage } from '../../../client/preview/account-pages.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { dedicatedConsoleOrigin } from '../../domain/tenants/hosts.ts'
import { renderPageResponse } from './page.ts'
import { type PageContext, type RequestedPage, readPageContext } from './page-context.ts'
import { FIRST_PAGE_PATH } from './page-guard.ts'

/** Checks whether the request is for a preview, which shows a page with unsaved settings (spec/experience#preview). */
export const isPreviewRequest = ({ searchParams }: URL) => searchParams.get('preview') === 'true'

/**
 * Renders the preview of a page. Only origins that may send it settings can frame it (ADR-0035). The page ignores
 * the browser's interactions, because the framing origin must not have access to them.
 */
export async function renderPreviewPage(
  dependencies: Dependencies,
  requested: RequestedPage,
): Promise<Response> {
  const { tenantId } = requested
  const [context, { previewOrigins }, languages] = await Promise.all([
    readPageContext(dependencies, requested),
    dependencies.tenantSettings.get(tenantId),
    dependencies.phrases.languages(tenantId),
  ])
  const { pathname, search } = context.url
  const ownConsole = dedicatedConsoleOrigin(tenantId, context.url, dependencies.settings.hosting)
  if (pathname === '/') return Response.redirect(context.url.origin + FIRST_PAGE_PATH + search, 302)
  // All languages are included. Only the settings that the preview receives determine whether users can choose one.
  const previewContext = { ...context, interaction: null, chosenLanguage: null, languages }
  const preview = { origins: [...previewOrigins, ...(ownConsole ? [ownConsole] : [])] }
  if (isPreviewedAccountPage(pathname)) {
    const { getAccountPreviewAssets } = await import('../account/render.tsx')
    return renderPageResponse(inCard(previewContext), { preview, assets: getAccountPreviewAssets() })
  }
  return renderPageResponse(previewContext, { preview, status: findPage(pathname) ? 200 : 404 })
}

/** Serves previews of the account centre, whoever is signed in and even if the tenant has not enabled it. */
export function accountPreviewRoute(dependencies: Dependencies) {
  return new Hono<{ Variables: RequestFacts }>().get('/account/*', (c, next) => {
    const { tenantId, url } = c.var
    return isPreviewRequest(url)
      ? renderPreviewPage(dependencies, { tenantId, url, request: c.req.raw })
      : next()
  })
}

/** Returns the context with the `Card` layout, which all account-centre pages have. */
const inCard = (context: PageContext): PageContext => ({
  ...context,
  experience: { ...context.experience, layout: { type: 'Card' } },
})
