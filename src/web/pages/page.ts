import { serialize } from 'hono/utils/cookie'
import { findPageToShow } from '../../../client/app/page-choice.ts'
import { pageTitle } from '../../../client/app/page-title.ts'
import { endsInteraction, isExpiredLink } from '../../../client/context/boot-error.ts'
import type { PhraseKey } from '../../../client/context/phrases.ts'
import { cookieAttributes, hostCookieName } from '../../contract/cookie-names.ts'
import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_SECONDS } from '../../contract/experience/languages.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import {
  NAVIGATION_STATE_SECONDS,
  navigationCookieName,
} from '../../storage/interactions/interaction-cookies.ts'
import { formatSetCookie } from '../cookies.ts'
import {
  collectImageSources,
  createSecurityHeaders,
  generateNonce,
  toOriginSources,
} from '../security-headers.ts'
import { renderApplicationLine } from './application-line.ts'
import { createBootData, type PageOptions, trimBootData } from './boot-data.ts'
import { renderHtmlFrame } from './frame.ts'
import { collectStyles, getApplicationStyles, selectModules } from './page-assets.ts'
import { findFormTargets, getPageFromCache } from './page-cache.ts'
import type { PageContext } from './page-context.ts'
import { UNKNOWN_SESSION_PATH } from './page-guard.ts'
import type { PageValues } from './page-template.ts'

/**
 * Returns a page that the guard has accepted. If the page is the same for all users, it is created from its template
 * (ADR-0045).
 */
export async function servePage(context: PageContext): Promise<Response> {
  const shared = await getPageFromCache(context, (marks, nonce) => renderWithMarks(context, marks, nonce))
  return shared ?? renderPageResponse(context)
}

/** Renders a sign-in page for one request: its frame, markup and boot data. */
export const renderPageResponse = (context: PageContext, options: PageOptions = {}): Promise<Response> =>
  renderPage(context, createBootData(context, options), { nonce: generateNonce(), ...options })

/** Renders a page. Its markup is rendered from `markupBoot`. */
async function renderPage(
  context: PageContext,
  boot: BootData,
  {
    nonce,
    status = statusOf(context),
    preview,
    formTargets,
    assets,
    applicationLine = applicationLineOf(context, boot),
  }: PageOptions & { nonce: string; applicationLine?: string },
  markupBoot = boot,
): Promise<Response> {
  const { head, tail } = frameOf(context, boot, { nonce, assets, applicationLine })
  // A preview is empty until it receives its settings (spec/experience#preview).
  const body = preview ? head + tail : streamOf(head, await markupOf(markupBoot), tail)
  const { termsOfUseUrl, privacyPolicyUrl } = context.experience
  const { application } = context.consent ?? {}
  const { account } = context.consent ?? context.organizationChoice ?? {}
  const policy = {
    nonce,
    formTargets: formTargets ?? findFormTargets(context.interaction),
    // A preview contains no user data and receives its settings later.
    ...(preview
      ? {}
      : { images: collectImageSources(context.experience, [application?.logo, account?.avatar]) }),
    frames: toOriginSources([termsOfUseUrl, privacyPolicyUrl]),
    ancestors: preview ? ["'self'", ...preview.origins] : [],
  }
  const headers = new Headers(createSecurityHeaders(policy))
  headers.set('content-language', context.language)
  for (const cookie of collectPageCookies(context)) headers.append('set-cookie', cookie)
  return new Response(body, { status, headers })
}

/** Only a page of the sign-in itself has the line. */
const applicationLineOf = (context: PageContext, boot: BootData): string =>
  boot.preview || boot.onward || !findPageToShow(boot)
    ? ''
    : renderApplicationLine(context, context.url.pathname)

/** If the page shows a problem, the response has an error status. */
const statusOf = ({ url }: PageContext) => (url.pathname === UNKNOWN_SESSION_PATH ? 400 : 200)

function renderWithMarks(context: PageContext, marks: PageValues, nonce: string): Promise<Response> {
  const { url, interaction } = context
  const userBoot = createBootData(context)
  const boot = {
    ...userBoot,
    interaction: interaction && marks.interaction,
    search: interaction ? url.search.replace(interaction.uid, marks.interaction) : url.search,
    restartUrl: interaction && marks.restart,
    country: userBoot.country === undefined ? undefined : marks.country,
  }
  // The URL is inserted into JSON, not into HTML.
  const options = { nonce, formTargets: [], applicationLine: marks.application }
  return renderPage(context, boot, options, { ...boot, restartUrl: null })
}

/** Loads React when the first page is rendered. API calls, tokens and pages from templates do not need it. */
async function markupOf(boot: BootData): Promise<ReadableStream<Uint8Array>> {
  const { renderMarkup } = await import('./markup.tsx')
  return renderMarkup(boot)
}

function frameOf(
  { language, platform, experience, interaction }: PageContext,
  boot: BootData,
  {
    nonce,
    assets,
    applicationLine,
  }: { nonce: string; assets: PageOptions['assets'] | undefined; applicationLine: string },
) {
  const { styles, sheets, modules } = assets ?? { ...collectStyles(boot), modules: selectModules(boot) }
  return renderHtmlFrame({
    language,
    title: getDocumentTitle(boot),
    platform,
    nonce,
    // A preview receives custom CSS later, together with its settings.
    look: boot.preview ? { ...experience, customCss: null } : experience,
    // The line's styles depend on the interaction, like those of a template.
    styles: interaction?.cookie.newApplication && applicationLine ? styles + getApplicationStyles() : styles,
    sheets,
    applicationLine,
    ...(boot.onward ? { modules: [], boot: null } : { modules, boot: trimBootData(boot) }),
    nextUrl: boot.onward,
  })
}

/**
 * Returns a document's title. The document may show an error or a sign-out instead of the page at its path
 * (spec/pages#titles).
 */
export const getDocumentTitle = (boot: BootData): string => pageTitle(boot, replacementTitle(boot))

function replacementTitle({ error, logout, alreadySignedIn }: BootData): PhraseKey | null {
  if (alreadySignedIn) return 'vestibule.already_signed_in'
  if (error)
    return endsInteraction(error) || isExpiredLink(error)
      ? 'vestibule.expired_title'
      : 'vestibule.error_title'
  if (!logout) return null
  return logout.stage === 'done' ? 'vestibule.signed_out_title' : 'vestibule.sign_out_title'
}

export function collectPageCookies({ url, interaction, chosenLanguage }: PageContext): string[] {
  return [
    ...(chosenLanguage ? [languageCookie(url, chosenLanguage)] : []),
    ...(interaction?.nextNavigation
      ? [createNavigationCookie(url, interaction.uid, interaction.nextNavigation)]
      : []),
  ]
}

/**
 * Returns the cookie that remembers the chosen language, which is not part of links and forms
 * (spec/experience#language-choice).
 */
const languageCookie = (url: URL, language: string): string =>
  serialize(hostCookieName(LANGUAGE_COOKIE, url), language, {
    ...cookieAttributes(url),
    httpOnly: false,
    maxAge: LANGUAGE_COOKIE_SECONDS,
  })

/** Returns the cookie with an interaction's sealed navigation state (spec/pages#navigation-state). */
export const createNavigationCookie = (url: URL, uid: string, sealed: string): string =>
  formatSetCookie(navigationCookieName(uid), sealed, url, NAVIGATION_STATE_SECONDS)

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
