import { findPage } from '../../client/routes.ts'
import type { Dependencies } from '../application/dependencies.ts'
import { page } from './page.ts'
import { readPageContext } from './page-context.ts'
import { FIRST_PAGE } from './page-guard.ts'

/** Whether somebody wants to look at a page as it would be with settings that are not in force (product 2). */
export const isPreview = ({ searchParams }: URL) => searchParams.get('preview') === 'true'

/**
 * Any page, for any settings, inside the pages of those who may send them (decision 34). It belongs to no interaction
 * whatever the browser's cookies say: who may frame it must not come upon a visitor's own.
 */
export async function previewPage(
  dependencies: Dependencies,
  tenantId: string,
  request: Request,
): Promise<Response> {
  const [context, { previewOrigins }, languages] = await Promise.all([
    readPageContext(dependencies, tenantId, request),
    dependencies.tenantSettings.get(tenantId),
    dependencies.phrases.languages(tenantId),
  ])
  const { pathname, search } = context.url
  if (pathname === '/') return Response.redirect(context.url.origin + FIRST_PAGE + search, 302)
  return page(
    // Whether there is a choice of languages is for the settings to say that it will be told.
    { ...context, interaction: null, chosenLanguage: null, languages },
    { status: findPage(pathname) ? 200 : 404, preview: { origins: previewOrigins } },
  )
}
