import { parse } from 'hono/utils/cookie'
import type { Dependencies } from '../application/dependencies.ts'
import type { Phrases } from '../contract/boot.ts'
import type { Experience } from '../contract/experience.ts'
import { INTERACTION_PARAM, type NavigationState } from '../contract/interaction.ts'
import { LANGUAGE_COOKIE, LANGUAGE_PARAM } from '../contract/languages.ts'
import { interactionOfState } from '../domain/social-state.ts'
import { chosenLanguage, userLanguage } from '../domain/user-language.ts'
import { type InteractionCookie, interactionCookieName, stepCookieName } from '../storage/interactions.ts'
import type { PhraseBook } from '../storage/phrase-book.ts'

/** Who looks at a page, and how: read from the request and from caches, never from the database (decision 5). */
export type PageContext = {
  url: URL
  interaction: PageInteraction | null
  experience: Experience
  language: string
  /** What visitors may choose from, this one among them (decision 33). */
  languages: readonly string[]
  /** What the address asks for, to be remembered. */
  chosenLanguage: string | null
  /** What is said in this language, with the operator's own words. */
  phrases: Phrases
  platform: 'web' | 'mobile'
}

export type PageInteraction = {
  uid: string
  cookie: InteractionCookie
  /** Its hour has passed, or it was finished: it can only be begun again (decision 6). */
  isOver: boolean
  /** What the pages before this one learned, if this one needs it (decision 7). */
  navigation: NavigationState | null
  /** The cookie of the same step for the pages after this one: what was told was told once. */
  navigationOnward: string | null
}

export type PageContextSources = {
  interactions: Dependencies['interactions']
  experience: Pick<Dependencies['experience'], 'get'>
  phrases: Pick<PhraseBook, 'languages' | 'phrases'>
  now: Dependencies['now']
}

/** `named` is the interaction a form names in its hidden field; a page is named by its query, else by the cookie. */
export async function readPageContext(
  dependencies: PageContextSources,
  tenantId: string,
  request: Request,
  named?: string | null,
  url = new URL(request.url),
): Promise<PageContext> {
  const cookies = parse(request.headers.get('cookie') ?? '')
  const query = queryOf(url)
  const uid = named || namedBy(url, query) || cookies[INTERACTION_COOKIE]
  const fresh = query.has('no_cache')
  const [interaction, experience, languages] = await Promise.all([
    uid ? openInteraction(dependencies, tenantId, uid, cookies) : null,
    dependencies.experience.get(tenantId, { fresh }),
    dependencies.phrases.languages(tenantId, { fresh }),
  ])
  const wanted = query.get(LANGUAGE_PARAM)
  const hints = {
    query: wanted,
    cookie: cookies[LANGUAGE_COOKIE],
    request: interaction?.cookie.request?.ui_locales?.split(' ') ?? [],
    browser: request.headers.get('accept-language'),
  }
  const language = languageOf(hints, experience.languageInfo, languages)
  const { translation } = await dependencies.phrases.phrases(tenantId, language, { fresh })
  const platform = platformOf(request.headers.get('user-agent'))
  return {
    url,
    interaction,
    experience,
    language,
    languages: experience.languageInfo.autoDetect ? languages : [],
    chosenLanguage: chosenLanguage(wanted, experience.languageInfo, languages),
    phrases: translation,
    platform,
  }
}

/** Browsers ask for few things in many ways, and all of them are read anew for every page: so answers are remembered. */
function languageOf(...asked: Parameters<typeof userLanguage>): string {
  const key = JSON.stringify(asked)
  if (key.length > LONGEST_ASKED) return userLanguage(...asked)
  const known = languagesAsked.get(key) ?? userLanguage(...asked)
  if (languagesAsked.size >= MOST_ASKED) languagesAsked.clear()
  languagesAsked.set(key, known)
  return known
}

const languagesAsked = new Map<string, string>()
const MOST_ASKED = 1_000
/** Longer ones are no browser's, and are not kept. */
const LONGEST_ASKED = 500

/** An app that was handed the answer of a social provider sends it here itself: then only its state says whose it is. */
function namedBy({ pathname }: URL, query: Query): string | null {
  const isAnswer = pathname.startsWith(SOCIAL_RETURN)
  return query.get(INTERACTION_PARAM) || (isAnswer ? interactionOfState(query.get('state')) : null)
}

type Query = Pick<URLSearchParams, 'get' | 'has'>

/** Most addresses name an interaction and nothing else. URLSearchParams would be a tenth of the time their page takes. */
function queryOf(url: URL): Query {
  if (!isPlainQuery(url.search)) return url.searchParams
  const uid = url.search.slice(PLAIN.length) || null
  const isNamed = (name: string) => name === INTERACTION_PARAM
  return { get: (name) => (isNamed(name) ? uid : null), has: (name) => isNamed(name) && uid !== null }
}

const PLAIN = `?${INTERACTION_PARAM}=`

/** Whether an address names an interaction and nothing else, or nothing at all. */
export const isPlainQuery = (search: string) =>
  search === '' || (search.startsWith(PLAIN) && /^[\w-]+$/.test(search.slice(PLAIN.length)))

const SOCIAL_RETURN = '/sign-in/social/'

/** The provider's own cookie: which interaction came last. */
const INTERACTION_COOKIE = '_interaction'

async function openInteraction(
  { interactions: store, now }: PageContextSources,
  tenantId: string,
  uid: string,
  cookies: Record<string, string>,
): Promise<PageInteraction | null> {
  const interactions = store.of(tenantId)
  const cookie = await interactions.openCookieOfAnyAge(uid, cookies[interactionCookieName(uid)])
  if (!cookie) return null
  const isOver = cookie.isConcluded === true || cookie.exp * 1000 <= now()
  const navigation = await interactions.openStep(uid, cookies[stepCookieName(uid)], now())
  const navigationOnward =
    navigation?.flash || navigation?.problem
      ? await interactions.sealStep(uid, { ...navigation, flash: undefined, problem: undefined }, now())
      : null
  return { uid, cookie, isOver, navigation, navigationOnward }
}

/** Which of the two layouts the operator's CSS is told about (contract 10.1). */
export function platformOf(userAgent: string | null): 'web' | 'mobile' {
  return /Mobi|Android|iPhone|iPad|iPod/i.test(userAgent ?? '') ? 'mobile' : 'web'
}
