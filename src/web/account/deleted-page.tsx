import { Deleted } from '../../../client/account/data.tsx'
import type { Dependencies } from '../../application/dependencies.ts'
import { accountCookie, forgetAccountCookie, forgetAccountCookies, openAccountCookie } from './cookies.ts'
import { drawAccountPage } from './draw-page.ts'
import { redirectTo } from './redirect.ts'
import type { AskedAccount } from './visit.ts'

export const DELETED = '/account/deleted'

/** The user is signed out: the page that says so asks for no sign-in, which would keep the account. */
export async function afterDeletion(
  dependencies: Pick<Dependencies, 'seals'>,
  place: { tenantId: string; url: URL },
  { dueAt }: { dueAt: number | null },
): Promise<Response> {
  const values: Record<string, number> = dueAt === null ? {} : { dueAt }
  return redirectTo(DELETED, 303, [
    await accountCookie(dependencies, place, '_account_flash', { path: DELETED, values }),
    ...forgetAccountCookies(place.url, { kept: '_account_flash' }),
  ])
}

/** Said once. Without the form that leads here, there is nothing to say. */
export async function deletedPage(dependencies: Dependencies, asked: AskedAccount): Promise<Response> {
  const flash = await openAccountCookie(dependencies, asked, '_account_flash')
  if (flash?.path !== DELETED) return redirectTo('/account', 302)
  const dueAt = typeof flash.values?.dueAt === 'number' ? flash.values.dueAt : null
  const title = dueAt === null ? 'deleted' : 'deletion_planned'
  const shown = { title, user: null, body: <Deleted dueAt={dueAt} /> } as const
  const answer = await drawAccountPage(dependencies, asked, shown, { said: null })
  answer.headers.append('set-cookie', forgetAccountCookie(asked.url, '_account_flash'))
  return answer
}
