import type { OidcPages, PageRequest } from '../application/oidc-pages.ts'
import { pageOfError } from './error-pages.ts'
import { readPageContextAnyway } from './fallback-context.ts'
import { pageResponse } from './page.ts'
import type { PageContextSources } from './page-context.ts'
import { formTarget } from './security-headers.ts'

/** The pages of the provider (spec/pages#logout). */
export function oidcPages(sources: PageContextSources): OidcPages {
  const contextOf = ({ tenantId, request }: PageRequest) => {
    const url = new URL(request.url)
    return readPageContextAnyway(sources, { tenantId, request, url, interaction: resumedInteraction(url) })
  }

  return {
    error: async (request, error) => pageOfError(await contextOf(request), error),
    async logout(request, { action, xsrf, asks, postLogoutRedirectUri }) {
      return pageResponse(await contextOf(request), {
        logout: { stage: 'asking', formAction: action, xsrf, needsQuestion: asks },
        // Chromium applies `form-action` to the redirect to the application, too.
        formTargets: formTarget(postLogoutRedirectUri),
      })
    },
    loggedOut: async (request) => pageResponse(await contextOf(request), { logout: { stage: 'done' } }),
    language: async (request) => (await contextOf(request)).language,
  }
}

/** `/oidc/auth/{interactionId}` (spec/provider#interactions): the interaction whose resumption has failed. */
const resumedInteraction = ({ pathname }: URL) => /^\/oidc\/auth\/([\w-]+)$/.exec(pathname)?.[1]
