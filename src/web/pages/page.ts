import { serialize } from 'hono/utils/cookie'
import { findPage } from '../../../client/app/routes.ts'
import { hostCookie } from '../../contract/cookie-names.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import { LANGUAGE_COOKIE } from '../../contract/experience/languages.ts'
import type { BootData, Phrases } from '../../contract/interactions/boot.ts'
import { INTERACTION_PARAM } from '../../contract/interactions/interaction.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import { formTarget, imageSources, newNonce, originsOf, securityHeaders } from '../security-headers.ts'
import { bootData, type PageOptions, sentBoot } from './boot-data.ts'
import { documentTitle } from './document-title.ts'
import { escapeJson, htmlFrame } from './frame.ts'
import { navigationCookie } from './navigation-cookie.ts'
import { modulesFor, stylesOf } from './page-assets.ts'
import type { PageContext, PageInteraction } from './page-context.ts'
import { guardPage, UNKNOWN_SESSION } from './page-guard.ts'
import {
  answerFromTemplate,
  makePageTemplate,
  type OuterHeaders,
  type PageTemplate,
  type PageValues,
} from './page-template.ts'
import { restartUrl } from './restart.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** A page of the experience: frame and markup, with its boot data. */
export async function pageResponse(context: PageContext, options: PageOptions = {}): Promise<Response> {
  if (Object.keys(options).length === 0 && isShared(context)) {
    return answerShared(await templateOf(context), context)
  }
  const nonce = newNonce()
  const boot = bootData(context, options)
  const { head, tail } = frameOf(context, boot, { nonce, ...options })
  // A preview is empty until it gets its settings (spec/experience#preview).
  const body = boot.preview ? head + tail : streamOf(head, await markupOf(boot), tail)
  return uncachedResponse(context, body, { nonce, ...options })
}

/**
 * The template of a page, if it was rendered before. Its key holds all that decides whether the page may be shown, so the guard
 * is not asked again. The context is that of a shared page.
 */
export function knownTemplate(context: PageContext): PageTemplate | undefined {
  return templatesOf(context).get(templateKey(context))
}

/** A page from its template, with the values of one user. */
export function answerShared(
  template: PageTemplate,
  { interaction, country }: Pick<PageContext, 'interaction' | 'country'>,
  outerHeaders?: OuterHeaders,
): Response {
  return answerFromTemplate(template, {
    values: valuesOf(interaction, country),
    formTargets: formTargetsOf(interaction),
    ...outerHeaders,
  })
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

/** Whether the page is alike for all users, but for what a template has placeholders for. */
function isShared({ url: { search, pathname }, interaction }: PageContext): boolean {
  // It leads to an address of the application or the tenant, with which no template is forgotten.
  if (pathname === UNKNOWN_SESSION) return false
  const isPlain = search === '' || search === `?${INTERACTION_PARAM}=${interaction?.uid}`
  return isPlain && !interaction?.navigation && !interaction?.isOver && !interaction?.cookie.asksConsent
}

/** Rendered once for as long as the settings are cached (ADR-0045). */
async function templateOf(context: PageContext): Promise<PageTemplate> {
  const known = templatesOf(context)
  const key = templateKey(context)
  const template =
    known.get(key) ?? (await makePageTemplate((marks, nonce) => renderWithMarks(context, marks, nonce)))
  // A path with a parameter is the client's to choose, and a template is some 100 kB.
  const isWholePath = findPage(context.url.pathname)?.path === context.url.pathname
  if (isWholePath && guardPage(context).kind === 'enter') known.set(key, template)
  return template
}

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
  return uncachedResponse({ ...context, chosenLanguage: null }, body, { nonce, formTargets: [] })
}

/** React is loaded with the first page that is rendered: calls, tokens and pages from templates need none of it. */
async function markupOf(boot: BootData): Promise<ReadableStream<Uint8Array>> {
  const { renderMarkup } = await import('./markup.tsx')
  return renderMarkup(boot)
}

const valuesOf = (interaction: PageInteraction | null, country: string): PageValues => ({
  interaction: interaction?.uid ?? '',
  restart: escapeJson(restartUrl(interaction) ?? '').slice(1, -1),
  country,
})

/** More than the pages of one tenant in one language, with and without an interaction, on two platforms. */
const MOST_TEMPLATES = 60

type Templates = BoundedMap<string, PageTemplate>

/** Settings and phrases that were read anew are other objects, so the templates of the old ones go with them. */
const templates = new WeakMap<Experience, WeakMap<Phrases, Templates>>()

function templatesOf({ experience, phrases }: PageContext): Templates {
  const byPhrases = templates.get(experience) ?? new WeakMap<Phrases, Templates>()
  templates.set(experience, byPhrases)
  const known = byPhrases.get(phrases) ?? new BoundedMap<string, PageTemplate>(MOST_TEMPLATES)
  byPhrases.set(phrases, known)
  return known
}

function templateKey({ url, language, languages, platform, interaction }: PageContext): string {
  const shape = `${interaction ? 1 : 0}${url.search ? 1 : 0}`
  return [shape, language, languages, platform, url.origin, url.pathname].join(' ')
}

function frameOf(
  { language, platform, experience }: PageContext,
  boot: BootData,
  { nonce, assets }: Pick<PageOptions, 'assets'> & { nonce: string },
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
    onward: boot.onward,
  })
}

export function cookiesOf({ url, interaction, chosenLanguage }: PageContext): string[] {
  return [
    ...(chosenLanguage ? [languageCookie(url, chosenLanguage)] : []),
    ...(interaction?.navigationOnward
      ? [navigationCookie({ url, uid: interaction.uid, sealed: interaction.navigationOnward })]
      : []),
  ]
}

/** No link and no form carries the choice on: the cookie does (spec/experience#language-choice). */
function languageCookie(url: URL, chosen: string): string {
  return serialize(hostCookie(LANGUAGE_COOKIE, url), chosen, {
    path: '/',
    maxAge: YEAR_SECONDS,
    sameSite: 'Lax',
    secure: url.protocol === 'https:',
  })
}

/** Chromium applies `form-action` to every redirect after a form, and the last one leads to the application. */
function formTargetsOf(interaction: PageInteraction | null): readonly string[] {
  const address = interaction?.cookie.request?.redirect_uri ?? interaction?.cookie.redirectUri
  if (address === undefined) return NO_TARGETS
  const targets = targetsByAddress.get(address) ?? formTarget(address)
  targetsByAddress.set(address, targets)
  return targets
}

/** By the redirect URI: the same list for all users of an application, whose headers are then made once. */
const targetsByAddress = new BoundedMap<string, readonly string[]>(1_000)
const NO_TARGETS: readonly string[] = []

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
