import type { Dependencies } from '../../application/dependencies.ts'
import { wayBack } from '../../domain/account/account-link.ts'
import { type PageContext, type PageContextSources, readPageContext } from '../pages/page-context.ts'
import { accountPage, timeZoneOf } from './page.ts'
import type { AskedAccount, Done, ShownPage } from './visit.ts'

export type Problem = { field: string | null; message: string; status: number }

type Drawn = {
  problem?: Problem | null
  typed?: Readonly<Record<string, string>>
  /** Not beside a problem. */
  said: { message?: string; values?: Done['values'] } | null
  context?: PageContext
  /** The page is the answer of a form that has ended its task. */
  isDone?: boolean
  /** Of a page that is no page of the account centre. */
  status?: number
  /** Another origin to which the answer of the page's form redirects. */
  leadsTo?: string | null
}

/** A page with what the tenant leaves to its users, and the way back to the application that has linked to it. */
export async function drawAccountPage(
  dependencies: PageContextSources & Pick<Dependencies, 'tenantSettings'>,
  asked: Pick<AskedAccount, 'tenantId' | 'request' | 'url' | 'link'>,
  shown: ShownPage,
  { problem = null, typed = {}, said, context, isDone = false, status = 200, leadsTo = null }: Drawn,
): Promise<Response> {
  const { link = null, url } = asked
  const { accountCentre } = await dependencies.tenantSettings.get(asked.tenantId)
  return accountPage(context ?? (await readPageContext(dependencies, asked)), shown, {
    status: problem?.status ?? status,
    leadsTo,
    flash: problem ? null : said?.message ? { message: said.message, values: said.values ?? {} } : null,
    problem,
    typed,
    fields: accountCentre.fields,
    timeZone: timeZoneOf(asked.request),
    link: link && {
      ...link,
      back: wayBack(link, { page: url.pathname, result: isDone ? 'completed' : 'cancelled' }),
    },
  })
}
