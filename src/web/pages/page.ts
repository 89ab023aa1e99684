import { type CookieOptions, serialize } from 'hono/utils/cookie'
import { hostCookie } from '../../contract/cookie-names.ts'
import { LANGUAGE_COOKIE } from '../../contract/experience/languages.ts'
import type { BootData } from '../../contract/interactions/boot.ts'
import { NAVIGATION_STATE_SECONDS, navigationCookieName } from '../../storage/interactions/interactions.ts'
import { imageSources, newNonce, originsOf, securityHeaders } from '../security-headers.ts'
import { bootData, documentTitle, type PageOptions, sentBoot } from './boot-data.ts'
import { htmlFrame } from './frame.ts'
import { modulesFor, stylesFileFor, stylesFor } from './page-assets.ts'
import { formTargetsOf, pageFromCache } from './page-cache.ts'
import type { PageContext } from './page-context.ts'
import { UNKNOWN_SESSION } from './page-guard.ts'
import type { PageValues } from './page-template.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** A page of the experience: frame and markup, with its boot data. */
export async function pageResponse(context: PageContext, options: PageOptions = {}): Promise<Response> {
  const isPlain = Object.keys(options).length === 0
  const shared = isPlain
    ? await pageFromCache(context, (...marks) => renderWithMarks(context, ...marks))
    : null
  if (shared) return shared
  const nonce = newNonce()
  const boot = bootData(context, options)
  const { head, tail } = frameOf(context, boot, { nonce, ...options })
  // A preview is empty until it gets its settings (spec/experience#preview).
  const body = boot.preview ? head + tail : streamOf(head, await markupOf(boot), tail)
  return uncachedResponse(context, body, { nonce, ...options })
}

function uncachedResponse(
  context: PageContext,
  body: BodyInit,
  { nonce, status = statusOf(context), preview, formTargets }: PageOptions & { nonce: string },
) {
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

async function renderWithMarks(context: PageContext, marks: PageValues, nonce: string): Promise<Response> {
  const { url, interaction } = context
  const shared = bootData(context)
  const boot = {
    ...shared,
    interaction: interaction && marks.interaction,
    search: interaction ? url.search.replace(interaction.uid, marks.interaction) : url.search,
    restartUrl: interaction && marks.restart,
    country: shared.country === undefined ? undefined : marks.country,
  }
  const { head, tail } = frameOf(context, boot, { nonce })
  const body = streamOf(head, await markupOf({ ...boot, restartUrl: null }), tail)
  return uncachedResponse(context, body, { nonce, formTargets: [] })
}

/** React is loaded with the first page that is rendered: calls, tokens and pages from templates need none of it. */
async function markupOf(boot: BootData): Promise<ReadableStream<Uint8Array>> {
  const { renderMarkup } = await import('./markup.tsx')
  return renderMarkup(boot)
}

function frameOf(
  { language, platform, experience }: PageContext,
  boot: BootData,
  { nonce, assets }: Pick<PageOptions, 'assets'> & { nonce: string },
) {
  const { styles, modules } = assets ?? { styles: stylesFor(boot), modules: modulesFor(boot) }
  return htmlFrame({
    language,
    title: documentTitle(boot),
    platform,
    nonce,
    // A preview gets the CSS of its settings.
    look: boot.preview ? { ...experience, customCss: null } : experience,
    styles,
    stylesFile: stylesFileFor(boot),
    ...(boot.onward ? { modules: [], boot: null } : { modules, boot: sentBoot(boot) }),
    onward: boot.onward,
  })
}

export function cookiesOf({ url, interaction, chosenLanguage }: PageContext): string[] {
  return [
    ...(chosenLanguage ? [languageCookie(url, chosenLanguage)] : []),
    ...(interaction?.navigationOnward
      ? [navigationCookie(url, interaction.uid, interaction.navigationOnward)]
      : []),
  ]
}

/** No link and no form carries the choice on: the cookie does (spec/experience#language-choice). */
const languageCookie = (url: URL, language: string) =>
  pageCookie(url, LANGUAGE_COOKIE, language, { maxAge: YEAR_SECONDS })

/** The sealed navigation state of an interaction (spec/pages#navigation-state). */
export const navigationCookie = (url: URL, uid: string, sealed: string): string =>
  pageCookie(url, navigationCookieName(uid), sealed, { maxAge: NAVIGATION_STATE_SECONDS, httpOnly: true })

function pageCookie(url: URL, name: string, value: string, options: CookieOptions): string {
  const secure = url.protocol === 'https:'
  return serialize(hostCookie(name, url), value, { path: '/', sameSite: 'Lax', secure, ...options })
}

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
