import { createApi } from '../../../client/api/api.ts'
import type { PlacedJourney } from '../../../client/reactions/reactions.ts'
import type { PageRequest } from '../../application/applications/oidc-pages.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import { INTERACTION_PARAM } from '../../contract/interactions/interaction.ts'
import { createFormClient, type InProcessFetch } from '../in-process.ts'
import { redirectTo } from '../redirect.ts'
import { createBootData } from './boot-data.ts'
import { withConsentQuestion } from './consent-question.ts'
import { renderPageForError, respondToGuard } from './error-pages.ts'
import { answerForm, type FormAnswer } from './form-answer.ts'
import { withOrganizationChoice } from './organization-choice.ts'
import { createNavigationCookie, renderPageResponse } from './page.ts'
import { type PageContext, type RequestedPage, readPageContext } from './page-context.ts'

type ReceivedForm = RequestedPage & { form: URLSearchParams; journey: PlacedJourney }

/**
 * Handles a form that was posted without JavaScript (spec/pages#forms-without-script). Runs the same flow as the script
 * in the browser, and turns the result into a redirect or a page. `call` calls our own API.
 */
export async function handleForm(
  dependencies: Dependencies,
  receivedForm: ReceivedForm,
  call: InProcessFetch,
): Promise<Response> {
  const { tenantId, request, form, journey } = receivedForm
  const context = await readPageContext(dependencies, {
    ...receivedForm,
    interaction: form.get(INTERACTION_PARAM),
  })
  const guarded = await respondToGuard(dependencies, { tenantId, context }, seeOther)
  if (guarded) return guarded

  const client = createFormClient(request, call)
  const boot = createBootData(context)
  const api = createApi({
    baseUrl: context.url.origin,
    fetch: client.fetch,
    language: context.language,
    interaction: boot.interaction,
  })
  const reaction = await journey({ api, form: Object.fromEntries(form), boot })
  const posted = { tenantId, request, context, form }
  const response = await respond(dependencies, posted, answerForm(boot, reaction))
  // The next page's cookie comes after the cookies of the API calls, because browsers keep the last one of several
  // cookies with the same name.
  const pageCookies = response.headers.getSetCookie()
  response.headers.delete('set-cookie')
  for (const cookie of [...client.setCookies(), ...pageCookies]) response.headers.append('set-cookie', cookie)
  return response
}

type FormContext = PageRequest & { context: PageContext; form: URLSearchParams }

async function respond(
  dependencies: Dependencies,
  posted: FormContext,
  answer: FormAnswer,
): Promise<Response> {
  const { tenantId, context } = posted
  switch (answer.kind) {
    case 'goTo':
      return goTo(dependencies, { tenantId, context }, answer)
    case 'leave':
      return answer.connectorId === undefined
        ? seeOther(answer.url)
        : passOn(context, answer.connectorId, answer.url)
    case 'notice':
      return withNotice(dependencies, posted, answer.notice)
    case 'startAgain':
      return renderPageForError(context, { ...ENDED, message: answer.message, notice: answer.notice })
  }
}

const ENDED = { code: 'session.not_found', status: 400 } as const

async function goTo(
  { interactions, now }: Dependencies,
  { tenantId, context }: Pick<FormContext, 'tenantId' | 'context'>,
  { path, navigation }: Extract<FormAnswer, { kind: 'goTo' }>,
): Promise<Response> {
  const response = seeOther(addressWithin(context, path))
  if (navigation && context.interaction) {
    const { uid } = context.interaction
    const sealed = await interactions.of(tenantId).sealNavigationState(uid, navigation, now())
    response.headers.append('set-cookie', createNavigationCookie(context.url, uid, sealed))
  }
  return response
}

/**
 * Renders a page that redirects to a provider. A direct redirect could fail: Chromium applies `form-action` to every
 * redirect after a form, and a provider may redirect to URLs that we do not know (ADR-0043).
 */
function passOn(context: PageContext, connectorId: string, url: string): Promise<Response> {
  const path = `/sign-in/social/${encodeURIComponent(connectorId)}`
  return renderPageResponse(
    { ...context, url: new URL(addressWithin(context, path), context.url) },
    { nextUrl: url },
  )
}

async function withNotice(
  dependencies: Dependencies,
  { context, form, ...posted }: FormContext,
  notice: BootData['notice'],
): Promise<Response> {
  const withConsent = await withConsentQuestion(dependencies, posted, context)
  const page = await withOrganizationChoice(dependencies, posted, withConsent)
  return renderPageResponse(page, { status: 422, notice, values: repeatable(form) })
}

/**
 * Adds the interaction id to a URL, because all URLs of the sign-in pages contain it
 * (spec/pages#interaction-parameter).
 */
function addressWithin({ url, interaction }: PageContext, path: string): string {
  const to = new URL(path, url)
  if (interaction) to.searchParams.set(INTERACTION_PARAM, interaction.uid)
  return to.pathname + to.search
}

const seeOther = (location: string) => redirectTo(location, 303)

/** The fields that keep their values if a page is shown again: identifiers, choices and checkboxes, but no secrets. */
const REPEATABLE = ['identifier', 'countryCode', 'connectorId', 'termsAgreement', 'remembersBrowser']

function repeatable(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...form].filter(([name]) => REPEATABLE.includes(name)))
}
