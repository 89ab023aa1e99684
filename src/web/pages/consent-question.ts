import { CONSENT_PATH } from '../../../client/app/routes.ts'
import type { PageRequest } from '../../application/applications/oidc-pages.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import type { PageContext } from './page-context.ts'
import { switchAccountUrl } from './restart.ts'

/**
 * Adds the decision that the user has to make to the context of the consent page of a third-party application or a
 * device (spec/pages#consent). Returns the contexts of all other pages unchanged.
 */
export async function withConsentQuestion(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'interactions' | 'applications'>,
  { tenantId, request }: PageRequest,
  context: PageContext,
): Promise<PageContext> {
  const { url, interaction } = context
  if (url.pathname !== CONSENT_PATH || !interaction?.cookie.asksConsent) return context
  const [{ readConsentQuestion }, { openInteraction }, { describeDevice }] = await Promise.all([
    import('../../application/applications/consent-question.ts'),
    import('../../application/interactions/interaction-call.ts'),
    import('./device-request.ts'),
  ])
  const cookies = requestCookies(request)
  const open = await openInteraction(dependencies, { tenantId, uid: interaction.uid, cookies })
  const pageRequest = {
    tenantId,
    open,
    switchUrl: switchAccountUrl(interaction),
    describeDevice: describeDevice(context.language, request),
  }
  return { ...context, consent: await readConsentQuestion(dependencies, pageRequest) }
}
