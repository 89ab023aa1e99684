import type { Dependencies } from '../../application/dependencies.ts'
import { isShown } from '../../contract/account/account-fields.ts'
import { refuseWith } from '../../contract/refused.ts'
import { keepsTask } from '../../domain/account/account-link.ts'
import { readPageContext } from '../pages/page-context.ts'
import { forgetAccountCookie, openAccountCookie } from './cookies.ts'
import { drawAccountPage, type Problem } from './draw-page.ts'
import { accountPages } from './pages.ts'
import { type AskedAccount, openVisit } from './visit.ts'

/** A page, after a form with what was wrong and what was typed. */
export async function showAccountPage(
  dependencies: Dependencies,
  asked: AskedAccount,
  after: { problem?: Problem; typed?: Readonly<Record<string, string>> } = {},
): Promise<Response> {
  const { url } = asked
  const page = accountPages[url.pathname]
  const { fields } = (await dependencies.tenantSettings.get(asked.tenantId)).accountCentre
  if (!page || (page.field && !isShown(fields, page.field))) return refuseWith('entity.not_found')
  // An application asks for the task alone, and not for what the page shows without it.
  if (asked.link && !after.problem && keepsTask(url.pathname, fields)) refuseWith('entity.not_found')
  const [context, visit, flash] = await Promise.all([
    readPageContext(dependencies, asked),
    openVisit(dependencies, asked),
    openAccountCookie(dependencies, asked, '_account_flash'),
  ])
  const isOwn = flash?.userId === undefined || flash.userId === visit.userId
  const own = flash?.path === url.pathname && isOwn ? flash : null
  const typed = after.typed ?? own?.typed ?? {}
  const problem = after.problem ?? null
  const shown = await page.show(visit, { problem, typed, fields })
  const said = own?.message ? { ...own, message: own.message } : null
  const answer = await drawAccountPage(dependencies, asked, shown, { problem, typed, said, context })
  // Shown once.
  if (flash) answer.headers.append('set-cookie', forgetAccountCookie(url, '_account_flash'))
  return answer
}
