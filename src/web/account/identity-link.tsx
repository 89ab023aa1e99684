import { ProviderReturn } from '../../../client/account/returning.tsx'
import { requireEditableFields } from '../../application/account/account-fields.ts'
import { readAccountLink } from '../../application/account/account-link.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { linkOwnIdentity } from '../../application/social/identities.ts'
import { refuseWith } from '../../contract/refused.ts'
import { redirectTo } from '../redirect.ts'
import { deleteAccountCookie, sealAccountCookie, unsealAccountCookie } from './cookies.ts'
import { respondToRejectedForm } from './forms.ts'
import { renderAccountPage } from './render.tsx'
import { openSubmission, type Submission } from './submission.ts'
import { openVisit, type Visit } from './visit.ts'

const IDENTITIES_PATH = '/account/identities'

/**
 * Renders a page whose script repeats the callback with the parameters from the fragment. Browsers do not send the
 * fragment, which may contain the state, to servers.
 */
export function renderReturningPage(
  dependencies: Dependencies,
  visit: Visit,
  connectorId: string,
): Promise<Response> {
  const body = <ProviderReturn connectorId={connectorId} />
  const page = { title: 'identities', signedIn: null, isCard: true, script: 'answer', body } as const
  return renderAccountPage(dependencies, visit, page)
}

/**
 * Handles a provider's response to a request to link an account (spec/account-centre#identities). A response is
 * accepted once, and only from the browser and user that made the request.
 */
export async function finishLink(
  dependencies: Dependencies,
  callback: Submission,
  connectorId: string,
): Promise<Response> {
  const { tenantId, url } = callback
  const signedIn = await (await openVisit(dependencies, callback)).readUser()
  const link = await unsealAccountCookie(dependencies, callback, '_account_link')
  const data = Object.fromEntries(url.searchParams)
  const isOwnLink = link?.userId === signedIn.user.id
  const isExpectedCallback =
    isOwnLink && link.session.connectorId === connectorId && link.session.state === data.state
  // The page on which the user started, with its query, which may contain the application's link.
  const page = new URL(IDENTITIES_PATH + ((isOwnLink && link.search) || ''), url)
  const submission = { ...callback, url: page, link: await readAccountLink(dependencies, tenantId, page) }
  const { open, keepAudit, countChange } = openSubmission(dependencies, submission, signedIn)
  const response = await finish().catch((error) => {
    keepAudit(error)
    return respondToRejectedForm(dependencies, submission, { error, signedIn })
  })
  response.headers.append('set-cookie', deleteAccountCookie('_account_link', url))
  return response

  async function finish(): Promise<Response> {
    // This browser has not asked to link an account. Any website can cause such a callback, so it is not recorded in
    // the audit log.
    if (!link) return refuseWith('session.connector_validation_session_not_found')
    await countChange()
    const change = open.beginChange('Account.Identity.Create', { connectorId })
    if (!isExpectedCallback) return refuseWith('session.connector_validation_session_not_found')
    await requireEditableFields(dependencies, tenantId, ['identities'])
    await linkOwnIdentity(dependencies, { ...change, session: link.session, data })
    keepAudit()
    const flash = { userId: signedIn.user.id, path: IDENTITIES_PATH, message: 'identity_linked' }
    return redirectTo(IDENTITIES_PATH + (link.search ?? ''), 303, [
      await sealAccountCookie(dependencies, submission, '_account_flash', flash),
    ])
  }
}
