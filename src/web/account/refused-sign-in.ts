import { readAccountLink } from '../../application/account/account-link.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { refuse } from '../../contract/errors.ts'
import { wayBack } from '../../domain/account/account-link.ts'
import { refusalPage } from '../pages/error-pages.ts'
import { readPageContext } from '../pages/page-context.ts'
import { type Flow, forgetFlow } from './flow-cookies.ts'
import { type Asked, redirectTo } from './redirect.ts'

/** By the user: when cancelling (spec/interaction#cancel), and at a consent. */
const DECLINED = ['oidc.aborted', 'access_denied']

/**
 * The user has gone back at the sign-in or the proof: to the application that has linked to the task, whose address is checked once more.
 * What the provider says about another error is for the application; users have seen its page.
 */
export async function declined(dependencies: Dependencies, asked: Asked, flow: Flow): Promise<Response> {
  const { tenantId, url } = asked
  const to = new URL(flow.to, url)
  const link = await readAccountLink(dependencies, tenantId, to)
  if (link && DECLINED.includes(url.searchParams.get('error') ?? '')) {
    const back = wayBack(link, { page: to.pathname, result: 'cancelled' })
    return redirectTo(back, 302, [forgetFlow(url, flow)])
  }
  const context = await readPageContext(dependencies, asked)
  return refusalPage({ ...context, interaction: null, wayOn: '/account' }, refuse('oidc.access_denied'))
}

/** An answer that this browser did not ask for, or asked for too long ago. Not by itself: without cookies it would never end. */
export async function startAgain(dependencies: Dependencies, asked: Asked): Promise<Response> {
  const context = await readPageContext(dependencies, asked)
  return refusalPage({ ...context, interaction: null, wayOn: '/account' }, refuse('session.not_found'))
}
