import type { OidcPages, PageRequest } from '../../application/applications/oidc-pages.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { formTarget } from '../security-headers.ts'
import { pageOfError } from './error-pages.ts'
import { continueUrlFrom } from './new-sign-in.ts'
import { pageResponse } from './page.ts'
import { type PageContextSources, readPageContextAnyway } from './page-context.ts'

/** The pages of the provider (spec/pages#logout). */
export function oidcPages(
  sources: PageContextSources & Pick<Dependencies, 'applications' | 'tenantSettings'>,
): OidcPages {
  const contextOf = ({ tenantId, request }: PageRequest) => {
    const url = new URL(request.url)
    return readPageContextAnyway(sources, { tenantId, request, url, interaction: resumedInteraction(url) })
  }

  return {
    async error(request, { clientId, ...error }) {
      const context = await contextOf(request)
      // After another error, such as that of a sign-out, a new sign-in is not what the user wants.
      const isOfSignIn = context.url.pathname.startsWith('/oidc/auth')
      const { tenantId } = request
      const continueUrl = isOfSignIn ? await continueUrlFrom(sources, { tenantId, context, clientId }) : null
      return pageOfError({ ...context, continueUrl }, error)
    },
    async logout(request, { action, xsrf, asks, postLogoutRedirectUri }) {
      return pageResponse(await contextOf(request), {
        logout: { stage: 'asking', formAction: action, xsrf, needsQuestion: asks },
        // Chromium applies `form-action` to the redirect to the application, too.
        formTargets: formTarget(postLogoutRedirectUri),
      })
    },
    loggedOut: async (request) => pageResponse(await contextOf(request), { logout: { stage: 'done' } }),
    async device(request, shown) {
      // Loaded with the first of these pages: most sign-ins need none of them.
      const { devicePage } = await import('../account/device-page.tsx')
      return devicePage(sources, request, { ...shown, context: await contextOf(request) })
    },
    language: async (request) => (await contextOf(request)).language,
  }
}

/** `/oidc/auth/{interactionId}` (spec/provider#interactions): the interaction whose resumption has failed. */
const resumedInteraction = ({ pathname }: URL) => /^\/oidc\/(?:auth|device)\/([\w-]+)$/.exec(pathname)?.[1]
