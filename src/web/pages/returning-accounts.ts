import type { PageRequest } from '../../application/applications/oidc-pages.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import {
  REMEMBERED_ACCOUNTS_COOKIE,
  readRememberedBrowser,
} from '../../application/sessions/remembered-accounts.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import type { ReturningAccount } from '../../contract/sessions/remembered-accounts.ts'
import { listReturningAccounts } from '../../domain/sessions/remembered-accounts.ts'
import type { InteractionCookie } from '../../storage/interactions/interaction-cookies.ts'

/** Returns the accounts to welcome, as far as the interaction and the settings allow (spec/pages#returning). */
export async function readAccounts(
  sources: Pick<Dependencies, 'seals' | 'now'>,
  { tenantId, request }: PageRequest,
  { cookie, experience }: { cookie: InteractionCookie | undefined; experience: Experience },
): Promise<ReturningAccount[]> {
  if (!cookie?.welcomesAccounts) return []
  const sealed = requestCookies(request)[REMEMBERED_ACCOUNTS_COOKIE]
  return listReturningAccounts(await readRememberedBrowser(sources, tenantId, sealed), experience)
}
