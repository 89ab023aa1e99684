import { DEFAULT_TENANT } from '../contract/product.ts'
import type { OidcPages } from '../oidc/pages.ts'
import { readVisitAnyway, sayError } from './error-pages.ts'
import { page } from './page.ts'
import { formTarget } from './security-headers.ts'
import type { VisitSources } from './visit.ts'

/** The pages of the provider (decision 27): they belong to the experience and look like it. */
export function oidcPages(
  services: VisitSources,
  tenantOf: (request: Request) => string = () => DEFAULT_TENANT,
): OidcPages {
  const visit = (request: Request) =>
    readVisitAnyway(services, tenantOf(request), request, resumedInteraction(new URL(request.url).pathname))

  return {
    error: async (request, error) => sayError(await visit(request), error),
    async logout(request, { action, xsrf, asks, postLogoutRedirectUri }) {
      return page(await visit(request), {
        logout: { stage: 'asking', formAction: action, xsrf, needsQuestion: asks },
        // Chromium holds the redirect to the application to `form-action`, too.
        formTargets: formTarget(postLogoutRedirectUri),
      })
    },
    loggedOut: async (request) => page(await visit(request), { logout: { stage: 'done' } }),
    language: async (request) => (await visit(request)).language,
  }
}

/** `/oidc/auth/{interactionId}` (contract 4.1): what a resume that fails was about. */
const resumedInteraction = (path: string) => /^\/oidc\/auth\/([\w-]+)$/.exec(path)?.[1]
