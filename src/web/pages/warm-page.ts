import { pageTable } from '../../../client/app/routes.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { LANGUAGE_COOKIE } from '../../contract/experience/languages.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import { decideByAddress, strictTransport } from '../../domain/tenants/hosts.ts'
import { interactionCookieName, navigationCookieName } from '../../storage/interactions/interactions.ts'
import { answerShared, knownTemplate } from './page.ts'
import {
  contextWithoutPhrases,
  countryOf,
  INTERACTION_COOKIE,
  type PageContext,
  pageInteraction,
  platformOf,
} from './page-context.ts'
import { isPlainQuery } from './page-query.ts'

/**
 * Answers a page that is alike for all users and was rendered before (ADR-0045), in front of all routes. What is not plain, or
 * would have to be read, is left to the routes: null. They answer the same.
 *
 * On this path microseconds count (spec/budgets#throughput; docs/benchmarks.md says what each costs). It waits for nothing but
 * the decryption of the cookie; it makes no `URL` and passes no router and no middleware; settings are values of the caches,
 * which say when they are too old.
 */
export function warmPages(sources: WarmSources): WarmPages {
  const places = new BoundedMap<string, Place>(MOST_PLACES)

  return (request) => {
    if (request.method !== 'GET') return null
    const page = warmAddress(request.url)
    const place = page && placeOf(page.origin)
    if (!place || !sources.tenants.isKnown(place.tenantId)) return null
    // The routes fail in the same way, and answer it.
    return warmPage(sources, request, { ...page, ...place }).catch(() => null)
  }

  /** The tenant of an origin never changes while a Worker runs. */
  function placeOf(origin: string): Place | null {
    const known = places.get(origin)
    if (known) return known
    const url = URL.parse(origin)
    if (url?.origin !== origin) return null
    const { hosting } = sources.settings
    const decision = decideByAddress(url, hosting)
    if (decision.kind !== 'tenant') return null
    const place = { tenantId: decision.tenantId, transport: strictTransport(url, hosting.hosts) }
    places.set(origin, place)
    return place
  }
}

export type WarmPages = (request: Request) => Promise<Response | null> | null

type WarmSources = Pick<
  Dependencies,
  'settings' | 'tenants' | 'interactions' | 'experience' | 'phrases' | 'now'
>

/** Any host may be asked for in development. */
const MOST_PLACES = 1_000

type Place = { tenantId: string; transport: string | null }

type Address = { origin: string; path: string; uid: string | undefined }

const paths = new Set(pageTable.map(({ path }) => path))

/** An address of a page that names an interaction or nothing (`page-query.ts`), in its parts. */
function warmAddress(url: string): Address | null {
  const pathAt = url.indexOf('/', url.indexOf('//') + 2)
  const queryAt = url.indexOf('?', pathAt)
  const path = queryAt < 0 ? url.slice(pathAt) : url.slice(pathAt, queryAt)
  if (pathAt < 0 || !paths.has(path)) return null
  const search = queryAt < 0 ? '' : url.slice(queryAt)
  if (!isPlainQuery(search)) return null
  return {
    origin: url.slice(0, pathAt),
    path,
    uid: search === '' ? undefined : search.slice(search.indexOf('=') + 1),
  }
}

async function warmPage(
  sources: WarmSources,
  request: Request,
  { origin, path, uid: named, tenantId, transport }: Address & Place,
): Promise<Response | null> {
  const { url, headers } = request
  const cookies = requestCookies(request)
  // With a navigation state the page is one user's own.
  if (Object.keys(cookies).some((name) => name.startsWith(NAVIGATION_PREFIX))) return null
  const uid = named ?? cookies[INTERACTION_COOKIE]
  const opened =
    uid &&
    (await sources.interactions.of(tenantId).openCookieOfAnyAge(uid, cookies[interactionCookieName(uid)]))
  const interaction = uid && opened ? pageInteraction(uid, opened, sources.now()) : null
  // Named, but not this browser's; or over; or with a page that is read from the database.
  if ((named && !interaction) || interaction?.isOver || interaction?.cookie.asksConsent) return null

  const experience = sources.experience.peek(tenantId)
  const languages = sources.phrases.peekLanguages(tenantId)
  if (!experience || !languages) return null
  const hints = {
    languageCookie: cookies[LANGUAGE_COOKIE],
    uiLocales: interaction?.cookie.request?.ui_locales,
    acceptLanguage: headers.get('accept-language'),
  }
  const platform = platformOf(headers.get('user-agent'))
  const shape = `${interaction ? 1 : 0}${named ? 1 : 0}${platform}`
  const { languageCookie, uiLocales, acceptLanguage } = hints
  const key = [shape, origin, path, languageCookie, uiLocales, acceptLanguage].join('\n')
  const known = choicesOf(experience, languages)
  const choice = known.get(key) ?? choose()
  // Phrases that were read anew are another object, and the template was made with the old ones.
  if (!choice || sources.phrases.peekPhrases(tenantId, choice.language) !== choice.phrases) return null
  if (key.length <= KEY_MAX_LENGTH) known.set(key, choice)
  // Read where the page has a place for it.
  const country = choice.template.placeholders.includes('country') ? countryOf(request) : ''
  const requestId = crypto.randomUUID()
  return answerShared(choice.template, { interaction, country }, { requestId, transport })

  function choose(): Choice | null {
    if (!experience || !languages) return null
    const asked = { url: new URL(url), interaction, platform, country: '', ...hints }
    const context = contextWithoutPhrases(asked, experience, languages)
    const phrases = sources.phrases.peekPhrases(tenantId, context.language)
    const template = phrases && knownTemplate({ ...context, phrases })
    return template ? { language: context.language, phrases, template } : null
  }
}

const NAVIGATION_PREFIX = navigationCookieName('')

/** What a request leads to by its address, its interaction's existence and its language. */
type Choice = Pick<PageContext, 'language' | 'phrases'> & {
  template: NonNullable<ReturnType<typeof knownTemplate>>
}
type Choices = { languages: readonly string[]; byRequest: BoundedMap<string, Choice> }

/** Settings that were read anew are another object, so the choices of the old ones go with them. */
const choices = new WeakMap<PageContext['experience'], Choices>()

function choicesOf(
  experience: PageContext['experience'],
  languages: readonly string[],
): BoundedMap<string, Choice> {
  const known = choices.get(experience)
  if (known?.languages === languages) return known.byRequest
  const byRequest = new BoundedMap<string, Choice>(MOST_CHOICES)
  choices.set(experience, { languages, byRequest })
  return byRequest
}

const MOST_CHOICES = 1_000
/** No browser sends longer hints, and they are not kept. */
const KEY_MAX_LENGTH = 500
