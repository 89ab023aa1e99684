import type { PageRequest } from '../../application/applications/oidc-pages.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { ORGANIZATION_PATH } from '../../contract/organisations/organizations.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import type { PageContext } from './page-context.ts'
import { switchAccountUrl } from './restart.ts'

/**
 * Adds what the user can choose from to the context of the page that asks for an organisation
 * (spec/organisations#page). Returns the contexts of all other pages unchanged.
 */
export async function withOrganizationChoice(
  dependencies: Pick<Dependencies, 'db' | 'now' | 'interactions' | 'applications'>,
  { tenantId, request }: PageRequest,
  context: PageContext,
): Promise<PageContext> {
  const { url, interaction } = context
  if (url.pathname !== ORGANIZATION_PATH || !interaction) return context
  const [{ readOrganizationChoice }, { openInteraction }] = await Promise.all([
    import('../../application/organisations/choose-organization.ts'),
    import('../../application/interactions/interaction-call.ts'),
  ])
  const cookies = requestCookies(request)
  const open = await openInteraction(dependencies, { tenantId, uid: interaction.uid, cookies })
  const switchUrl = switchAccountUrl(interaction)
  const pageRequest = { tenantId, open, switchUrl, language: context.language }
  return { ...context, organizationChoice: await readOrganizationChoice(dependencies, pageRequest) }
}
