import type { OidcPages, PageRequest } from '../oidc/pages.ts'
import { readPageContextAnyway, sayError } from './error-pages.ts'
import { page } from './page.ts'
import type { PageContextSources } from './page-context.ts'
import { formTarget } from './security-headers.ts'

/** The pages of the provider (decision 27): they belong to the experience and look like it. */
export function oidcPages(dependencies: PageContextSources): OidcPages {
  const context = ({ tenantId, request }: PageRequest) =>
    readPageContextAnyway(dependencies, tenantId, request, resumedInteraction(new URL(request.url).pathname))

  return {
    error: async (visitor, error) => sayError(await context(visitor), error),
    async logout(visitor, { action, xsrf, asks, postLogoutRedirectUri }) {
      return page(await context(visitor), {
        logout: { stage: 'asking', formAction: action, xsrf, needsQuestion: asks },
        // Chromium holds the redirect to the application to `form-action`, too.
        formTargets: formTarget(postLogoutRedirectUri),
      })
    },
    loggedOut: async (visitor) => page(await context(visitor), { logout: { stage: 'done' } }),
    language: async (visitor) => (await context(visitor)).language,
  }
}

/** `/oidc/auth/{interactionId}` (contract 4.1): what a resume that fails was about. */
const resumedInteraction = (path: string) => /^\/oidc\/auth\/([\w-]+)$/.exec(path)?.[1]
