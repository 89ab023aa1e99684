import { Hono } from 'hono'
import { findPage } from '../../../client/app/routes.ts'
import { isPreviewedAccountPage } from '../../../client/preview/account-pages.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { RequestFacts } from '../../application/request.ts'
import { dedicatedConsoleOrigin } from '../../domain/tenants/hosts.ts'
import { renderPageResponse } from './page.ts'
import { type PageContext, type RequestedPage, readPageContext } from './page-context.ts'
import { FIRST_PAGE_PATH } from './page-guard.ts'

/** Checks whether the request is for the preview of a page with unsaved settings (spec/experience#preview). */
export const isPreviewRequest = ({ searchParams }: URL) => searchParams.get('preview') === 'true'

/**
 * Renders the preview of a page. Only origins that may send it settings can show it in a frame (ADR-0035). It
 * belongs to no interaction, even if the browser has the cookies of one, because an origin that frames it must
 * not reach the user's own interaction.
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
  // All languages are included, because the settings that the preview receives determine whether users can choose
  // one.
  const previewContext = { ...context, interaction: null, chosenLanguage: null, languages }
  const preview = { origins: [...previewOrigins, ...(ownConsole ? [ownConsole] : [])] }
  if (isPreviewedAccountPage(pathname)) {
    const { getAccountPreviewAssets } = await import('../account/render.tsx')
    return renderPageResponse(inCard(previewContext), { preview, assets: getAccountPreviewAssets() })
  }
  return renderPageResponse(previewContext, { preview, status: findPage(pathname) ? 200 : 404 })
}

/** Serves previews of the account centre, regardless of who is signed in and whether the tenant has enabled it. */
export function accountPreviewRoute(dependencies: Dependencies) {
  return new Hono<{ Variables: RequestFacts }>().get('/account/*', (c, next) => {
    const { tenantId, url } = c.var
    return isPreviewRequest(url)
      ? renderPreviewPage(dependencies, { tenantId, url, request: c.req.raw })
      : next()
  })
}

/** Returns the context with the `Card` layout, which all account-centre pages use. */
const inCard = (context: PageContext): PageContext => ({
  ...context,
  experience: { ...context.experience, layout: { type: 'Card' } },
})
