import type { OidcPages, PageRequest } from '../../application/applications/oidc-pages.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { findInitiateLoginUrl } from '../../application/interactions/new-sign-in.ts'
import { toFormTargets } from '../security-headers.ts'
import { findAccountUrl } from './account-url.ts'
import { renderPageForError } from './error-pages.ts'
import { findContinueUrl } from './new-sign-in.ts'
import { renderPageResponse } from './page.ts'
import { type PageContextSources, readErrorPageContext } from './page-context.ts'

/** Renders the OpenID Provider's own pages, such as the sign-out page (spec/pages#logout). */
export function createOidcPages(
  sources: PageContextSources & Pick<Dependencies, 'applications' | 'tenantSettings'>,
): OidcPages {
  const contextOf = ({ tenantId, request }: PageRequest) => {
    const url = new URL(request.url)
    return readErrorPageContext(sources, { tenantId, request, url, interaction: resumedInteraction(url) })
  }

  return {
    async error(request, { clientId, ...error }) {
      const context = await contextOf(request)
      // After other errors, for example during sign-out, a new sign-in would not help.
      const isSignIn = context.url.pathname.startsWith('/oidc/auth')
      const { tenantId } = request
      const continueUrl = isSignIn ? await findContinueUrl(sources, { tenantId, context, clientId }) : null
      return renderPageForError({ ...context, continueUrl }, error)
    },
    async logout(request, { action, xsrf, asksToConfirm, postLogoutRedirectUri }) {
      return renderPageResponse(await contextOf(request), {
        logout: { stage: 'asking', formAction: action, xsrf, needsQuestion: asksToConfirm },
        // Chromium also applies `form-action` to redirects to the application.
        formTargets: toFormTargets(postLogoutRedirectUri),
      })
    },
    async loggedOut(request, { clientId }) {
      const { tenantId } = request
      const { origin } = new URL(request.request.url)
      const [context, accountUrl, restartUrl] = await Promise.all([
        contextOf(request),
        findAccountUrl(sources, tenantId),
        findInitiateLoginUrl(sources, { tenantId, origin, clientId }).catch(() => null),
      ])
      return renderPageResponse({ ...context, accountUrl }, { logout: { stage: 'done' }, restartUrl })
    },
    async device(request, view) {
      // Load this module when one of these pages is first requested, because most sign-ins need none of them.
      const { renderDevicePage } = await import('../account/device-page.tsx')
      return renderDevicePage(sources, request, { ...view, context: await contextOf(request) })
    },
    language: async (request) => (await contextOf(request)).language,
  }
}

/**
 * Returns the id of an interaction that could not be resumed at `/oidc/auth/{interactionId}`
 * (spec/provider#interactions).
 */
const resumedInteraction = ({ pathname }: URL) => /^\/oidc\/(?:auth|device)\/([\w-]+)$/.exec(pathname)?.[1]
