import { RefusalError } from '../../contract/refused.ts'
import { wayBack } from '../../domain/account/account-link.ts'
import { redirectTo } from './redirect.ts'
import type { AskedAccount } from './visit.ts'

/**
 * A page that this user does not have leads back to the application that has linked to it. Not to a third party, which would learn
 * what its users sign in with; and a failure of ours is no answer about the task.
 */
export function wayBackFrom({ request, url, link }: AskedAccount, error: Error): Response | null {
  if (!link || link.isThirdParty || request.method === 'POST' || !(error instanceof RefusalError)) return null
  const { status } = error.refusal
  if (status >= 500 || status === 429) return null
  return redirectTo(wayBack(link, { page: url.pathname, result: 'unavailable' }), 302)
}
