import { createApi } from '../../client/journeys/api.ts'
import type { FormJourney } from '../../client/journeys/journey.ts'
import type { Reaction } from '../../client/journeys/reactions.ts'
import type { Dependencies } from '../application/dependencies.ts'
import type { BootData } from '../contract/boot.ts'
import { INTERACTION_PARAM } from '../contract/interaction.ts'
import { beginAgainPage } from './error-pages.ts'
import { formClient } from './in-process.ts'
import { navigationCookie } from './navigation-cookie.ts'
import { bootData, page } from './page.ts'
import { type PageContext, readPageContext } from './page-context.ts'
import { guardPage, unknownSessionUrl } from './page-guard.ts'

export type ReceivedForm = { request: Request; form: URLSearchParams; journey: FormJourney }

/**
 * A form of a page whose script has not run (design 3): the journey the script would have made is made here, and
 * what it says is done with redirects and pages. `call` reaches our own API.
 */
export async function answerForm(
  dependencies: Dependencies,
  tenantId: string,
  { request, form, journey }: ReceivedForm,
  call: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  const context = await readPageContext(dependencies, tenantId, request, form.get(INTERACTION_PARAM))
  const decision = guardPage(context)
  switch (decision.kind) {
    case 'enter':
      break
    case 'notFound':
      return page(context, { status: 404 })
    case 'beginAgain':
      return beginAgainPage(context)
    case 'unknownSession':
      return seeOther(await unknownSessionUrl(dependencies, tenantId))
    case 'redirect':
      return seeOther(decision.to)
  }

  const visitor = formClient(request, call)
  const boot = bootData(context)
  const api = createApi({
    baseUrl: context.url.origin,
    fetch: visitor.fetch,
    language: context.language,
    interaction: boot.interaction,
  })
  const reaction = await journey({ api, form: Object.fromEntries(form), boot })
  const answer = await perform(reaction)
  // The last of a name counts: what is left for the next page comes after what the calls took away.
  const own = answer.headers.getSetCookie()
  answer.headers.delete('set-cookie')
  for (const cookie of [...visitor.setCookies(), ...own]) answer.headers.append('set-cookie', cookie)
  return answer

  async function perform(reaction: Reaction): Promise<Response> {
    switch (reaction.kind) {
      case 'goTo': {
        const answer = seeOther(within(context, reaction.path))
        const { flash, message: problem } = reaction
        const navigation = flash || problem ? { ...reaction.navigation, flash, problem } : reaction.navigation
        if (navigation && context.interaction) {
          const { uid } = context.interaction
          const sealed = await dependencies.interactions
            .of(tenantId)
            .sealStep(uid, navigation, dependencies.now())
          answer.headers.append('set-cookie', navigationCookie({ url: context.url, uid, sealed }))
        }
        return answer
      }
      case 'leave':
        return reaction.connectorId === undefined
          ? seeOther(reaction.url)
          : passOn(reaction.connectorId, reaction.url)
      case 'inline':
      case 'alert':
      case 'confirm':
        return sayOnPage(reaction)
      case 'toast':
        // Nothing would take a toast away again, and it would lie over the form.
        return sayOnPage({ kind: 'inline', field: null, message: reaction.message })
      case 'restart':
        return beginAgainPage(context)
    }
  }

  /** Chromium holds every redirect after a form to `form-action`, and nobody knows a provider's own (record 0043). */
  function passOn(connectorId: string, url: string): Promise<Response> {
    const passing = `/sign-in/social/${encodeURIComponent(connectorId)}`
    return page({ ...context, url: new URL(within(context, passing), context.url) }, { onward: url })
  }

  function sayOnPage(notice: BootData['notice']): Promise<Response> {
    return page(context, { status: 422, notice, values: repeatable(form) })
  }
}

/** An address inside the experience keeps naming its interaction (decision 4). */
function within({ url, interaction }: PageContext, path: string): string {
  const to = new URL(path, url)
  if (interaction) to.searchParams.set(INTERACTION_PARAM, interaction.uid)
  return to.pathname + to.search
}

/** 303: whatever was posted is not posted there. */
function seeOther(to: string): Response {
  return new Response(null, { status: 303, headers: { location: to, 'cache-control': 'no-store' } })
}

/** What may be shown again, and so may lie in the page: names, never secrets. */
const REPEATABLE = ['identifier', 'countryCode', 'termsAgreement']

function repeatable(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...form].filter(([name]) => REPEATABLE.includes(name)))
}
