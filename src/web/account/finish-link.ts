import { refuseKeptFields } from '../../application/account/account-fields.ts'
import { readAccountLink } from '../../application/account/account-link.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { linkOwnIdentity } from '../../application/social/identities.ts'
import { refuseWith } from '../../contract/refused.ts'
import { answerRefusal } from './answer-refusal.ts'
import { accountCookie, forgetAccountCookie, openAccountCookie } from './cookies.ts'
import { type AccountForm, openPost } from './form-post.ts'
import { redirectTo } from './redirect.ts'
import { openVisit } from './visit.ts'

const IDENTITIES = '/account/identities'

/**
 * The answer of a provider (spec/account-centre#identities). It counts in the browser alone that has asked, for the user who has
 * asked, and once.
 */
export async function finishLink(
  dependencies: Dependencies,
  asked: AccountForm,
  connectorId: string,
): Promise<Response> {
  const { tenantId, url } = asked
  const { signedIn } = await (await openVisit(dependencies, asked)).read(() => ({}))
  const link = await openAccountCookie(dependencies, asked, '_account_link')
  const data = Object.fromEntries(url.searchParams)
  const isTheirs = link?.userId === signedIn.user.id
  const isAnswer = isTheirs && link.session.connectorId === connectorId && link.session.state === data.state
  const page = await pageOf(dependencies, asked, isTheirs ? link.search : undefined)
  const { post, keepAudit, countChange } = openPost(dependencies, page, signedIn)
  const answer = await finish().catch((error) => {
    keepAudit(error)
    return answerRefusal(dependencies, page, { error, signedIn })
  })
  answer.headers.append('set-cookie', forgetAccountCookie(url, '_account_link'))
  return answer

  async function finish(): Promise<Response> {
    // Nobody in this browser has asked: any page can lead here, and leaves no row of the audit log.
    if (!link) return refuseWith('session.connector_validation_session_not_found')
    await countChange()
    const audit = post.beginAudit('Account.Identity.Create', { connectorId })
    if (!isAnswer) return refuseWith('session.connector_validation_session_not_found')
    await refuseKeptFields(dependencies, tenantId, ['identities'])
    const { message, background } = post
    const told = { message, background }
    await linkOwnIdentity(dependencies, { tenantId, signedIn, session: link.session, data, ...told, audit })
    keepAudit()
    const flash = { userId: signedIn.user.id, path: IDENTITIES, message: 'identity_linked' }
    return redirectTo(IDENTITIES + (link.search ?? ''), 303, [
      await accountCookie(dependencies, asked, '_account_flash', flash),
    ])
  }
}

/** The page from which the user has left, with the link of an application by which it was opened. */
async function pageOf(dependencies: Dependencies, asked: AccountForm, search = ''): Promise<AccountForm> {
  const url = new URL(IDENTITIES + search, asked.url)
  return { ...asked, url, link: await readAccountLink(dependencies, asked.tenantId, url) }
}
