import { serialize } from 'hono/utils/cookie'
import { findPage, pageTitle } from '../../client/routes.ts'
import type { BootData, Phrases } from '../contract/boot.ts'
import type { Experience } from '../contract/experience.ts'
import { INTERACTION_PARAM } from '../contract/interaction.ts'
import { LANGUAGE_COOKIE } from '../contract/languages.ts'
import { languageNames } from '../domain/language-names.ts'
import { assets } from './assets.ts'
import { escapeJson, frame } from './frame.ts'
import { admit } from './page-guard.ts'
import { answerWith, makePlate, type Own, type Plate } from './plate.ts'
import { restartUrl } from './restart.ts'
import { formTarget, newNonce, origins, securityHeaders } from './security-headers.ts'
import { stepCookie } from './step-cookie.ts'
import type { Visit } from './visit.ts'

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
export async function page(visit: Visit, said: Said = {}): Promise<Response> {
  if (Object.keys(said).length === 0 && isShared(visit)) {
    return answerWith(await plateOf(visit), own(visit), formTargets(visit))
  }
  const nonce = newNonce()
  const boot = bootData(visit, said)
  const { head, tail } = framed(visit, boot, nonce)
  // A preview shows nothing before it is told what to show (contract 10.6).
  const body = boot.preview ? head + tail : streamed(head, await drawn(boot), tail)
  return answer(visit, body, { nonce, ...said })
}

/**
 * The page that shows everybody the same, if it was shown before: whoever sees it now may see it, because all that decides that
 * is what it is remembered by. Null for every other.
 */
export function pageShownBefore(visit: Visit): Response | null {
  const plate = isShared(visit) && platesOf(visit).get(plateKey(visit))
  if (!plate) return null
  return answerWith(plate, own(visit), formTargets(visit))
}

function answer(
  visit: Visit,
  body: BodyInit,
  { nonce, status = 200, preview, ...said }: Said & { nonce: string },
) {
  const { termsOfUseUrl, privacyPolicyUrl } = visit.experience
  const policy = {
    nonce,
    formTargets: said.formTargets ?? formTargets(visit),
    frames: origins([termsOfUseUrl, privacyPolicyUrl]),
    ancestors: preview ? ["'self'", ...preview.origins] : [],
  }
  const headers = new Headers(securityHeaders(visit.url, policy))
  headers.set('content-language', visit.language)
  for (const cookie of cookies(visit)) headers.append('set-cookie', cookie)
  return new Response(body, { status, headers })
}

/** Whether the page of a visit has nothing of its own to say, but for what a plate has gaps for. */
function isShared({ url: { search }, interaction }: Visit): boolean {
  const isPlain = search === '' || search === `?${INTERACTION_PARAM}=${interaction?.uid}`
  return isPlain && !interaction?.step && !interaction?.isOver
}

/** Drawn once for as long as the settings are remembered (design 5). */
async function plateOf(visit: Visit): Promise<Plate> {
  const known = platesOf(visit)
  const key = plateKey(visit)
  const plate = known.get(key) ?? (await makePlate((standIns, nonce) => proof(visit, standIns, nonce)))
  // What is in the path of some pages is the visitor's to choose, and a plate is some 100 kB.
  const isOneOfAll = findPage(visit.url.pathname)?.path === visit.url.pathname
  if (isOneOfAll && known.size < MOST_PLATES && admit(visit).kind === 'enter') known.set(key, plate)
  return plate
}

async function proof(visit: Visit, standIns: Own, nonce: string): Promise<Response> {
  const { url, interaction } = visit
  const boot = {
    ...bootData(visit),
    interaction: interaction && standIns.interaction,
    search: interaction ? url.search.replace(interaction.uid, standIns.interaction) : url.search,
    restartUrl: interaction && standIns.restart,
  }
  const { head, tail } = framed(visit, boot, nonce)
  const body = streamed(head, await drawn({ ...boot, restartUrl: null }), tail)
  return answer({ ...visit, chosenLanguage: null }, body, { nonce, formTargets: [] })
}

/** React comes with the first page that has to be drawn: calls, tokens and pages from a plate need none. */
async function drawn(boot: BootData): Promise<ReadableStream<Uint8Array>> {
  const { draw } = await import('./markup.tsx')
  return draw(boot)
}

const own = ({ interaction }: Visit): Own => ({
  interaction: interaction?.uid ?? '',
  restart: escapeJson(restartUrl(interaction) ?? '').slice(1, -1),
})

/** More than one tenant's visitors see in one language: pages, with and without an interaction, on two platforms. */
const MOST_PLATES = 60

/** Settings and phrases that were read anew are other objects, so what was drawn with the old ones is forgotten with them. */
const plates = new WeakMap<Experience, WeakMap<Phrases, Map<string, Plate>>>()

function platesOf({ experience, phrases }: Visit): Map<string, Plate> {
  const byPhrases = plates.get(experience) ?? new WeakMap<Phrases, Map<string, Plate>>()
  plates.set(experience, byPhrases)
  const known = byPhrases.get(phrases) ?? new Map<string, Plate>()
  byPhrases.set(phrases, known)
  return known
}

function plateKey({ url, language, languages, platform, interaction }: Visit): string {
  const shape = `${interaction ? 1 : 0}${url.search ? 1 : 0}`
  return [shape, language, languages, platform, url.origin, url.pathname].join(' ')
}

function framed({ language, platform, experience }: Visit, boot: BootData, nonce: string) {
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

function modulesFor({ path }: BootData): readonly string[] {
  const row = findPage(path)
  const screen = (row && assets.pages[row.page]) ?? []
  return [assets.entry, ...assets.preload, ...screen]
}

function cookies({ url, interaction, chosenLanguage }: Visit): string[] {
  return [
    ...(chosenLanguage ? [languageCookie(url, chosenLanguage)] : []),
    ...(interaction?.stepOnward
      ? [stepCookie({ url, uid: interaction.uid, sealed: interaction.stepOnward })]
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
export function bootData(visit: Visit, said: Said = {}): BootData {
  const step = visit.interaction?.step ?? null
  return {
    origin: visit.url.origin,
    path: visit.url.pathname,
    search: visit.url.search,
    language: visit.language,
    phrases: visit.phrases,
    experience: visit.experience,
    interaction: visit.interaction?.uid ?? null,
    step: step && { ...step, problem: undefined },
    languages: visit.languages.length > 1 ? languageNames(visit.languages) : [],
    preview: said.preview ?? null,
    platform: visit.platform,
    notice: said.notice ?? (step?.problem ? { kind: 'inline', field: null, message: step.problem } : null),
    values: said.values ?? {},
    restartUrl: said.restartUrl === undefined ? restartUrl(visit.interaction) : said.restartUrl,
    error: said.error ?? null,
    logout: said.logout ?? null,
    onward: said.onward ?? null,
  }
}

/** Chromium holds every redirect after a form to `form-action`, and the last one leads to the application. */
function formTargets({ interaction }: Visit): readonly string[] {
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
