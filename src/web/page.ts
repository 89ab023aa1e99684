import { serialize } from 'hono/utils/cookie'
import { findPage, pageTitle } from '../../client/routes.ts'
import type { BootData } from '../contract/boot.ts'
import { LANGUAGE_COOKIE } from '../contract/languages.ts'
import { languageNames } from '../domain/language-names.ts'
import { assets } from './assets.ts'
import { frame } from './frame.ts'
import { draw, drawShared } from './markup.tsx'
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
  const boot = bootData(visit, said)
  const nonce = newNonce()
  const { experience } = visit
  const { head, tail } = frame({
    language: visit.language,
    title: pageTitle(boot),
    platform: visit.platform,
    nonce,
    // A preview has CSS of its own, as soon as it is told.
    look: boot.preview ? { ...experience, customCss: null } : experience,
    styles: assets.css,
    ...(boot.onward ? { modules: [], boot: null } : { modules: modulesFor(boot), boot }),
    onward: boot.onward,
  })
  const policy = {
    nonce,
    formTargets: said.formTargets ?? formTargets(visit),
    frames: origins([experience.termsOfUseUrl, experience.privacyPolicyUrl]),
    ancestors: boot.preview ? ["'self'", ...boot.preview.origins] : [],
  }
  const headers = new Headers(securityHeaders(visit.url, policy))
  headers.set('content-language', visit.language)
  for (const cookie of cookies(visit)) headers.append('set-cookie', cookie)

  // A preview shows nothing before it is told what to show (contract 10.6).
  const whole = boot.preview ? '' : await drawShared(boot)
  const body = whole === null ? streamed(head, await draw(boot), tail) : head + whole + tail
  return new Response(body, { status: said.status ?? 200, headers })
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
function formTargets({ interaction }: Visit): string[] {
  return formTarget(interaction?.cookie.request?.redirect_uri ?? interaction?.cookie.redirectUri)
}

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
