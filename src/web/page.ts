import { serialize } from 'hono/utils/cookie'
import { pageTitle } from '../../client/routes.ts'
import type { BootData } from '../contract/boot.ts'
import { LANGUAGE_COOKIE } from '../contract/languages.ts'
import { assets } from './assets.ts'
import { frame } from './frame.ts'
import { draw, drawShared } from './markup.tsx'
import { restartUrl } from './restart.ts'
import { formTarget, newNonce, securityHeaders } from './security-headers.ts'
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
}

/** A page of the experience as an answer: frame and markup, with its boot data. */
export async function page(visit: Visit, said: Said = {}): Promise<Response> {
  const boot = bootData(visit, said)
  const nonce = newNonce()
  const { head, tail } = frame({
    language: visit.language,
    title: pageTitle(boot),
    platform: visit.platform,
    nonce,
    look: visit.experience,
    styles: assets.css,
    modules: [assets.entry, ...assets.preload],
    boot,
  })
  const headers = {
    ...securityHeaders(visit.url, { nonce, formTargets: said.formTargets ?? formTargets(visit) }),
    'content-language': visit.language,
    ...languageCookie(visit),
  }

  const shared = await drawShared(boot)
  const body = shared === null ? streamed(head, await draw(boot), tail) : head + shared + tail
  return new Response(body, { status: said.status ?? 200, headers })
}

/** No link and no form of ours carries the choice on: the browser does. */
function languageCookie({ url, chosenLanguage: chosen }: Visit): { 'set-cookie'?: string } {
  if (!chosen) return {}
  return {
    'set-cookie': serialize(LANGUAGE_COOKIE, chosen, {
      path: '/',
      maxAge: YEAR_SECONDS,
      sameSite: 'Lax',
      secure: url.protocol === 'https:',
    }),
  }
}

/** What the page is drawn from, here and again in the browser. */
export function bootData(visit: Visit, said: Said = {}): BootData {
  return {
    origin: visit.url.origin,
    path: visit.url.pathname,
    search: visit.url.search,
    language: visit.language,
    phrases: visit.phrases,
    experience: visit.experience,
    interaction: visit.interaction?.uid ?? null,
    step: visit.interaction?.step ?? null,
    platform: visit.platform,
    notice: said.notice ?? null,
    values: said.values ?? {},
    restartUrl: said.restartUrl === undefined ? restartUrl(visit.interaction) : said.restartUrl,
    error: said.error ?? null,
    logout: said.logout ?? null,
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
