import { serialize } from 'hono/utils/cookie'
import { pageTitle } from '../../../client/app/page-title.ts'
import type { PhraseKey } from '../../../client/context/phrases.ts'
import { cookieAttributes, hostCookieName } from '../../contract/cookie-names.ts'
import { LANGUAGE_COOKIE } from '../../contract/experience/languages.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import { DAY_SECONDS } from '../../contract/time.ts'
import { NAVIGATION_STATE_SECONDS, navigationCookieName } from '../../storage/interactions/interactions.ts'
import { setCookie } from '../cookies.ts'
import { imageSources, newNonce, originsOf, securityHeaders } from '../security-headers.ts'
import { bootData, type PageOptions, sentBoot } from './boot-data.ts'
import { htmlFrame } from './frame.ts'
import { modulesFor, stylesOf } from './page-assets.ts'
import { formTargetsOf, pageFromCache } from './page-cache.ts'
import type { PageContext } from './page-context.ts'
import { UNKNOWN_SESSION } from './page-guard.ts'
import type { PageValues } from './page-template.ts'

const YEAR_SECONDS = 365 * DAY_SECONDS

/** A page that the guard has let in: from its template, if it is alike for all users (ADR-0045). */
export async function enteredPage(context: PageContext): Promise<Response> {
  const shared = await pageFromCache(context, (marks, nonce) => renderWithMarks(context, marks, nonce))
  return shared ?? pageResponse(context)
}

/** A page of the experience, rendered for this request: frame and markup, with its boot data. */
export const pageResponse = (context: PageContext, options: PageOptions = {}): Promise<Response> =>
  renderPage(context, bootData(context, options), { nonce: newNonce(), ...options })

/** `shown` is what the markup is rendered from. */
async function renderPage(
  context: PageContext,
  boot: BootData,
  { nonce, status = statusOf(context), preview, formTargets, assets }: PageOptions & { nonce: string },
  shown = boot,
): Promise<Response> {
  const { head, tail } = frameOf(context, boot, { nonce, assets })
  // A preview is empty until it gets its settings (spec/experience#preview).
  const body = preview ? head + tail : streamOf(head, await markupOf(shown), tail)
  const { termsOfUseUrl, privacyPolicyUrl } = context.experience
  const { application, account } = context.consent ?? {}
  const policy = {
    nonce,
    formTargets: formTargets ?? formTargetsOf(context.interaction),
    // A preview gets other settings later, and no user's values.
    ...(preview ? {} : { images: imageSources(context.experience, [application?.logo, account?.avatar]) }),
    frames: originsOf([termsOfUseUrl, privacyPolicyUrl]),
    ancestors: preview ? ["'self'", ...preview.origins] : [],
  }
  const headers = new Headers(securityHeaders(policy))
  headers.set('content-language', context.language)
  for (const cookie of cookiesOf(context)) headers.append('set-cookie', cookie)
  return new Response(body, { status, headers })
}

/** What a page says went wrong, its status says, too. */
const statusOf = ({ url }: PageContext) => (url.pathname === UNKNOWN_SESSION ? 400 : 200)

function renderWithMarks(context: PageContext, marks: PageValues, nonce: string): Promise<Response> {
  const { url, interaction } = context
  const own = bootData(context)
  const boot = {
    ...own,
    interaction: interaction && marks.interaction,
    search: interaction ? url.search.replace(interaction.uid, marks.interaction) : url.search,
    restartUrl: interaction && marks.restart,
    country: own.country === undefined ? undefined : marks.country,
  }
  // The address is put in as part of JSON, which is no HTML.
  return renderPage(context, boot, { nonce, formTargets: [] }, { ...boot, restartUrl: null })
}

/** React is loaded with the first page that is rendered: calls, tokens and pages from templates need none of it. */
async function markupOf(boot: BootData): Promise<ReadableStream<Uint8Array>> {
  const { renderMarkup } = await import('./markup.tsx')
  return renderMarkup(boot)
}

function frameOf(
  { language, platform, experience }: PageContext,
  boot: BootData,
  { nonce, assets }: { nonce: string; assets: PageOptions['assets'] | undefined },
) {
  const { styles, sheets, modules } = assets ?? { ...stylesOf(boot), modules: modulesFor(boot) }
  return htmlFrame({
    language,
    title: documentTitle(boot),
    platform,
    nonce,
    // A preview gets the CSS of its settings.
    look: boot.preview ? { ...experience, customCss: null } : experience,
    styles,
    sheets,
    ...(boot.onward ? { modules: [], boot: null } : { modules, boot: sentBoot(boot) }),
    nextUrl: boot.onward,
  })
}

/** The title of a document, which may have an error or a sign-out in place of the page at its path (spec/pages#titles). */
export const documentTitle = (boot: BootData): string => pageTitle(boot, inPlaceOfPage(boot))

function inPlaceOfPage({ error, logout }: BootData): PhraseKey | null {
  if (error) return error.code.startsWith('session.') ? 'vestibule.expired_title' : 'vestibule.error_title'
  if (!logout) return null
  return logout.stage === 'done' ? 'vestibule.signed_out_title' : 'vestibule.sign_out_title'
}

export function cookiesOf({ url, interaction, chosenLanguage }: PageContext): string[] {
  return [
    ...(chosenLanguage ? [languageCookie(url, chosenLanguage)] : []),
    ...(interaction?.nextNavigation
      ? [navigationCookie(url, interaction.uid, interaction.nextNavigation)]
      : []),
  ]
}

/** No link and no form carries the choice on: the cookie does (spec/experience#language-choice). */
const languageCookie = (url: URL, language: string): string =>
  serialize(hostCookieName(LANGUAGE_COOKIE, url), language, {
    ...cookieAttributes(url),
    httpOnly: false,
    maxAge: YEAR_SECONDS,
  })

/** The sealed navigation state of an interaction (spec/pages#navigation-state). */
export const navigationCookie = (url: URL, uid: string, sealed: string): string =>
  setCookie(navigationCookieName(uid), sealed, url, NAVIGATION_STATE_SECONDS)

function streamOf(
  head: string,
  markup: ReadableStream<Uint8Array>,
  tail: string,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return markup.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => controller.enqueue(encoder.encode(head)),
      flush: (controller) => controller.enqueue(encoder.encode(tail)),
    }),
  )
}
