import { ProviderReturn } from '../../../client/account/returning.tsx'
import { requireEditableFields } from '../../application/account/account-fields.ts'
import { readAccountLink } from '../../application/account/account-link.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { linkOwnIdentity } from '../../application/social/identities.ts'
import { refuseWith } from '../../contract/refused.ts'
import { redirectTo } from '../redirect.ts'
import { accountCookie, forgetAccountCookie, openAccountCookie } from './cookies.ts'
import { answerRefusal } from './forms.ts'
import { renderAccountPage } from './render.tsx'
import { openSubmission, type Submission } from './submission.ts'
import { openVisit, type Visit } from './visit.ts'

const IDENTITIES = '/account/identities'

/** The state is in the fragment, which no server sees: the script of this page sends it to the callback again. */
export function returningPage(
  dependencies: Dependencies,
  visit: Visit,
  connectorId: string,
): Promise<Response> {
  const body = <ProviderReturn connectorId={connectorId} />
  return renderAccountPage(dependencies, visit, { title: 'identities', user: null, script: 'answer', body })
}

/**
 * The answer of a provider (spec/account-centre#identities). It counts in the browser alone that has asked, for the user who has
 * asked, and once.
 */
export async function finishLink(
  dependencies: Dependencies,
  answered: Submission,
  connectorId: string,
): Promise<Response> {
  const { tenantId, url } = answered
  const signedIn = await (await openVisit(dependencies, answered)).readUser()
  const link = await openAccountCookie(dependencies, answered, '_account_link')
  const data = Object.fromEntries(url.searchParams)
  const isTheirs = link?.userId === signedIn.user.id
  const isAnswer = isTheirs && link.session.connectorId === connectorId && link.session.state === data.state
  // The page from which the user has left, with the link of an application by which it was opened.
  const page = new URL(IDENTITIES + ((isTheirs && link.search) || ''), url)
  const submission = { ...answered, url: page, link: await readAccountLink(dependencies, tenantId, page) }
  const { open, keepAudit, countChange } = openSubmission(dependencies, submission, signedIn)
  const answer = await finish().catch((error) => {
    keepAudit(error)
    return answerRefusal(dependencies, submission, { error, signedIn })
  })
  answer.headers.append('set-cookie', forgetAccountCookie('_account_link', url))
  return answer

  async function finish(): Promise<Response> {
    // Nobody in this browser has asked: any page can lead here, and leaves no row of the audit log.
    if (!link) return refuseWith('session.connector_validation_session_not_found')
    await countChange()
    const change = open.beginChange('Account.Identity.Create', { connectorId })
    if (!isAnswer) return refuseWith('session.connector_validation_session_not_found')
    await requireEditableFields(dependencies, tenantId, ['identities'])
    await linkOwnIdentity(dependencies, { ...change, session: link.session, data })
    keepAudit()
    const flash = { userId: signedIn.user.id, path: IDENTITIES, message: 'identity_linked' }
    return redirectTo(IDENTITIES + (link.search ?? ''), 303, [
      await accountCookie(dependencies, submission, '_account_flash', flash),
    ])
  }
}
