import { serialize } from 'hono/utils/cookie'
import { findPage, pageTitle } from '../../client/routes.ts'
import type { BootData, Phrases } from '../contract/boot.ts'
import type { Experience } from '../contract/experience.ts'
import { INTERACTION_PARAM } from '../contract/interaction.ts'
import { LANGUAGE_COOKIE } from '../contract/languages.ts'
import { languageNames } from '../domain/language-names.ts'
import { assets } from './assets.ts'
import { escapeJson, frame } from './frame.ts'
import { navigationCookie } from './navigation-cookie.ts'
import type { PageContext } from './page-context.ts'
import { guardPage } from './page-guard.ts'
import { answerFromTemplate, makePageTemplate, type PageTemplate, type PageValues } from './page-template.ts'
import { restartUrl } from './restart.ts'
import { formTarget, newNonce, origins, securityHeaders } from './security-headers.ts'

const YEAR_SECONDS = 365 * 24 * 60 * 60

/** What a page has to say besides what it always says. */
export type Said = {
  status?: number
  notice?: BootData['notice']
  values?: BootData['values']
  error?: BootData['error']
  logout?: BootData['logout']
  /** Instead of where this interaction may begin again; null where that would be no help. */
  restartUrl?: string | null
  /** Instead of where this interaction's application waits: CSP sources. */
  formTargets?: readonly string[]
  preview?: BootData['preview']
  /** Goes on there by itself. Such a page has nothing to run. */
  onward?: string
}

/** A page of the experience as an answer: frame and markup, with its boot data. */
export async function page(context: PageContext, said: Said = {}): Promise<Response> {
  if (Object.keys(said).length === 0 && isShared(context)) {
    return answerFromTemplate(await templateOf(context), own(context), formTargets(context))
  }
  const nonce = newNonce()
  const boot = bootData(context, said)
  const { head, tail } = framed(context, boot, nonce)
  // A preview shows nothing before it is told what to show (contract 10.6).
  const body = boot.preview ? head + tail : streamed(head, await drawn(boot), tail)
  return answer(context, body, { nonce, ...said })
}

/**
 * The page that shows everybody the same, if it was shown before: whoever sees it now may see it, because all that decides that
 * is what it is remembered by. Null for every other.
 */
export function cachedPage(context: PageContext): Response | null {
  const template = isShared(context) && templatesOf(context).get(templateKey(context))
  if (!template) return null
  return answerFromTemplate(template, own(context), formTargets(context))
}

function answer(
  context: PageContext,
  body: BodyInit,
  { nonce, status = 200, preview, ...said }: Said & { nonce: string },
) {
  const { termsOfUseUrl, privacyPolicyUrl } = context.experience
  const policy = {
    nonce,
    formTargets: said.formTargets ?? formTargets(context),
    frames: origins([termsOfUseUrl, privacyPolicyUrl]),
    ancestors: preview ? ["'self'", ...preview.origins] : [],
  }
  const headers = new Headers(securityHeaders(context.url, policy))
  headers.set('content-language', context.language)
  for (const cookie of cookies(context)) headers.append('set-cookie', cookie)
  return new Response(body, { status, headers })
}

/** Whether the page of a visit has nothing of its own to say, but for what a plate has gaps for. */
function isShared({ url: { search }, interaction }: PageContext): boolean {
  const isPlain = search === '' || search === `?${INTERACTION_PARAM}=${interaction?.uid}`
  return isPlain && !interaction?.navigation && !interaction?.isOver
}

/** Drawn once for as long as the settings are remembered (design 5). */
async function templateOf(context: PageContext): Promise<PageTemplate> {
  const known = templatesOf(context)
  const key = templateKey(context)
  const template =
    known.get(key) ?? (await makePageTemplate((placeholders, nonce) => proof(context, placeholders, nonce)))
  // What is in the path of some pages is the visitor's to choose, and a plate is some 100 kB.
  const isOneOfAll = findPage(context.url.pathname)?.path === context.url.pathname
  if (isOneOfAll && known.size < MOST_TEMPLATES && guardPage(context).kind === 'enter')
    known.set(key, template)
  return template
}

async function proof(context: PageContext, placeholders: PageValues, nonce: string): Promise<Response> {
  const { url, interaction } = context
  const boot = {
    ...bootData(context),
    interaction: interaction && placeholders.interaction,
    search: interaction ? url.search.replace(interaction.uid, placeholders.interaction) : url.search,
    restartUrl: interaction && placeholders.restart,
  }
  const { head, tail } = framed(context, boot, nonce)
  const body = streamed(head, await drawn({ ...boot, restartUrl: null }), tail)
  return answer({ ...context, chosenLanguage: null }, body, { nonce, formTargets: [] })
}

/** React comes with the first page that has to be drawn: calls, tokens and pages from a plate need none. */
async function drawn(boot: BootData): Promise<ReadableStream<Uint8Array>> {
  const { renderMarkup } = await import('./markup.tsx')
  return renderMarkup(boot)
}

const own = ({ interaction }: PageContext): PageValues => ({
  interaction: interaction?.uid ?? '',
  restart: escapeJson(restartUrl(interaction) ?? '').slice(1, -1),
})

/** More than one tenant's visitors see in one language: pages, with and without an interaction, on two platforms. */
const MOST_TEMPLATES = 60

/** Settings and phrases that were read anew are other objects, so what was drawn with the old ones is forgotten with them. */
const templates = new WeakMap<Experience, WeakMap<Phrases, Map<string, PageTemplate>>>()

function templatesOf({ experience, phrases }: PageContext): Map<string, PageTemplate> {
  const byPhrases = templates.get(experience) ?? new WeakMap<Phrases, Map<string, PageTemplate>>()
  templates.set(experience, byPhrases)
  const known = byPhrases.get(phrases) ?? new Map<string, PageTemplate>()
  byPhrases.set(phrases, known)
  return known
}

function templateKey({ url, language, languages, platform, interaction }: PageContext): string {
  const shape = `${interaction ? 1 : 0}${url.search ? 1 : 0}`
  return [shape, language, languages, platform, url.origin, url.pathname].join(' ')
}

function framed({ language, platform, experience }: PageContext, boot: BootData, nonce: string) {
  return frame({
    language,
    title: pageTitle(boot),
    platform,
    nonce,
    // A preview has CSS of its own, as soon as it is told.
    look: boot.preview ? { ...experience, customCss: null } : experience,
    styles: assets.css,
    ...(boot.onward ? { modules: [], boot: null } : { modules: modulesFor(boot), boot }),
    onward: boot.onward,
  })
}

/** A landing page is to be read and filled in before it calls anything; the others call at once, or are nearly ready to. */
function modulesFor({ path }: BootData): readonly string[] {
  const row = findPage(path)
  const page = (row && assets.pages[row.page]) ?? []
  const journeys = row?.journeys && row.kind !== 'landing' ? assets.journeys : []
  return [...new Set([assets.entry, ...assets.preload, ...page, ...journeys])]
}

function cookies({ url, interaction, chosenLanguage }: PageContext): string[] {
  return [
    ...(chosenLanguage ? [languageCookie(url, chosenLanguage)] : []),
    ...(interaction?.navigationOnward
      ? [navigationCookie({ url, uid: interaction.uid, sealed: interaction.navigationOnward })]
      : []),
  ]
}

/** No link and no form of ours carries the choice on: the browser does. */
function languageCookie(url: URL, chosen: string): string {
  return serialize(LANGUAGE_COOKIE, chosen, {
    path: '/',
    maxAge: YEAR_SECONDS,
    sameSite: 'Lax',
    secure: url.protocol === 'https:',
  })
}

/** What the page is drawn from, here and again in the browser. */
export function bootData(context: PageContext, said: Said = {}): BootData {
  const navigation = context.interaction?.navigation ?? null
  return {
    origin: context.url.origin,
    path: context.url.pathname,
    search: context.url.search,
    language: context.language,
    phrases: context.phrases,
    experience: context.experience,
    interaction: context.interaction?.uid ?? null,
    navigation: navigation && { ...navigation, problem: undefined },
    languages: context.languages.length > 1 ? languageNames(context.languages) : [],
    preview: said.preview ?? null,
    platform: context.platform,
    notice:
      said.notice ??
      (navigation?.problem ? { kind: 'inline', field: null, message: navigation.problem } : null),
    values: said.values ?? {},
    restartUrl: said.restartUrl === undefined ? restartUrl(context.interaction) : said.restartUrl,
    error: said.error ?? null,
    logout: said.logout ?? null,
    onward: said.onward ?? null,
  }
}

/** Chromium holds every redirect after a form to `form-action`, and the last one leads to the application. */
function formTargets({ interaction }: PageContext): readonly string[] {
  const address = interaction?.cookie.request?.redirect_uri ?? interaction?.cookie.redirectUri
  if (address === undefined) return NOWHERE_ELSE
  const known = targets.get(address) ?? formTarget(address)
  if (targets.size < MOST_TARGETS) targets.set(address, known)
  return known
}

/** By the address where an application waits: everybody who comes from there has the same. */
const targets = new Map<string, readonly string[]>()
const MOST_TARGETS = 1_000
const NOWHERE_ELSE: readonly string[] = []

function streamed(
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
