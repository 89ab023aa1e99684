import { findPage } from '../../client/routes.ts'
import type { Dependencies } from '../application/dependencies.ts'
import { ownConsoleOrigin } from '../domain/hosts.ts'
import { pageResponse } from './page.ts'
import { type RequestedPage, readPageContext } from './page-context.ts'
import { FIRST_PAGE } from './page-guard.ts'

/** Whether a page is requested as it would be with settings that are not in force (spec/experience#preview). */
export const isPreview = ({ searchParams }: URL) => searchParams.get('preview') === 'true'

/**
 * Any page, for any settings, in a frame of the origins that may send them (ADR-0035). It belongs to no interaction, even
 * with the cookies of one: an origin that may frame it must not reach a user's own interaction.
 */
export async function previewPage(dependencies: Dependencies, requested: RequestedPage): Promise<Response> {
  const { tenantId } = requested
  const [context, { previewOrigins }, languages] = await Promise.all([
    readPageContext(dependencies, requested),
    dependencies.tenantSettings.get(tenantId),
    dependencies.phrases.languages(tenantId),
  ])
  const { pathname, search } = context.url
  const ownConsole = ownConsoleOrigin(tenantId, context.url, dependencies.settings.hosting)
  if (pathname === '/') return Response.redirect(context.url.origin + FIRST_PAGE + search, 302)
  return pageResponse(
    // All languages: the settings that the preview gets decide whether there is a choice.
    { ...context, interaction: null, chosenLanguage: null, languages },
    {
      status: findPage(pathname) ? 200 : 404,
      preview: { origins: [...previewOrigins, ...(ownConsole ? [ownConsole] : [])] },
    },
  )
}
