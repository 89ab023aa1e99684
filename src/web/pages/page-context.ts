import type { PageRequest } from '../../application/applications/oidc-pages.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { isAboveFreshReads } from '../../application/network-limit.ts'
import type { Experience } from '../../contract/experience/experience.ts'
import { LANGUAGE_COOKIE } from '../../contract/experience/languages.ts'
import type { ConsentQuestion, Phrases } from '../../contract/interactions/boot.ts'
import type { NavigationState } from '../../contract/interactions/interaction.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import type { PhraseBook } from '../../storage/experience/phrase-book.ts'
import {
  type InteractionCookie,
  interactionCookieName,
  navigationCookieName,
} from '../../storage/interactions/interactions.ts'
import { pageLanguage } from './page-language.ts'
import { interactionNamedBy, type PageQuery, pageQuery } from './page-query.ts'

/** What a page depends on: read from the request and from caches, never from the database (spec/pages#guard). */
export type PageContext = {
  url: URL
  interaction: PageInteraction | null
  experience: Experience
  language: string
  /** The languages that users can choose from, the present one included; empty without a choice (spec/experience#languages). */
  languages: readonly string[]
  /** The language that the address asks for, to be remembered. */
  chosenLanguage: string | null
  /** The phrases of the language, with the operator's own. */
  phrases: Phrases
  platform: 'web' | 'mobile'
  /** The upper-case ISO code of the country that the request came from; empty where that is unknown. */
  country: string
  /** Read from the database, for the consent page of a third party alone (`consent-question.ts`). */
  consent?: ConsentQuestion
  /** On `/unknown-session` and errors of the provider alone: where the user begins a new sign-in (`new-sign-in.ts`). */
  wayOn?: string | null
}

export type PageInteraction = {
  uid: string
  cookie: InteractionCookie
  /** It has expired or was finished: it can only start again (spec/pages#start-again). */
  isOver: boolean
  /** What the pages before this one learned (spec/pages#navigation-state). */
  navigation: NavigationState | null
  /** The sealed navigation state for the pages after this one, where it has a flash message that is shown once. */
  navigationOnward: string | null
}

export type PageContextSources = {
  interactions: Dependencies['interactions']
  experience: Pick<Dependencies['experience'], 'get'>
  phrases: Pick<PhraseBook, 'languages' | 'phrases'>
  floodLimits: Dependencies['floodLimits']
  now: Dependencies['now']
}

export type RequestedPage = PageRequest & {
  /** Parsed, where the facts of the request are known. */
  url?: URL
  /** The interaction that a form names in its hidden field. A page is named by its query, else by the cookie. */
  interaction?: string | null | undefined
}

/** Past the cache where the address asks for it. Above the limit of such reads the page is one of the cache. */
export async function readPageContext(
  sources: PageContextSources,
  requested: RequestedPage,
): Promise<PageContext> {
  const { request, url = new URL(request.url) } = requested
  const ip = request.headers.get('cf-connecting-ip') ?? undefined
  const fresh = pageQuery(url).has('no_cache') && !(await isAboveFreshReads(sources, ip))
  return pageContext(sources, requested, { fresh })
}

/** What errors are shown with: a refused request must not cost what it was refused. */
export const readCachedPageContext = (
  sources: PageContextSources,
  requested: RequestedPage,
): Promise<PageContext> => pageContext(sources, requested, { fresh: false })

async function pageContext(
  sources: PageContextSources,
  { tenantId, request, url = new URL(request.url), interaction: named }: RequestedPage,
  { fresh }: { fresh: boolean },
): Promise<PageContext> {
  const cookies = requestCookies(request)
  const query = pageQuery(url)
  const uid = named || interactionNamedBy(url, query) || cookies[INTERACTION_COOKIE]
  const [interaction, experience, languages] = await Promise.all([
    uid ? openInteraction(sources, { tenantId, uid, cookies }) : null,
    sources.experience.get(tenantId, { fresh }),
    sources.phrases.languages(tenantId, { fresh }),
  ])
  const context = contextWithoutPhrases(
    {
      url,
      query,
      interaction,
      languageCookie: cookies[LANGUAGE_COOKIE],
      acceptLanguage: request.headers.get('accept-language'),
      platform: platformOf(request.headers.get('user-agent')),
      country: countryOf(request),
    },
    experience,
    languages,
  )
  const { translation } = await sources.phrases.phrases(tenantId, context.language, { fresh })
  return { ...context, phrases: translation }
}

type PageFacts = Pick<PageContext, 'url' | 'interaction' | 'platform' | 'country'> & {
  query?: PageQuery
  languageCookie: string | undefined
  acceptLanguage: string | null
}

/** The context but for the phrases, which are those of its language. */
export function contextWithoutPhrases(
  { url, query = pageQuery(url), interaction, platform, country, ...hints }: PageFacts,
  experience: Experience,
  languages: readonly string[],
): Omit<PageContext, 'phrases'> {
  const uiLocales = interaction?.cookie.request?.ui_locales
  const { language, chosen } = pageLanguage({ ...hints, query, uiLocales }, experience, languages)
  return {
    url,
    interaction,
    experience,
    language,
    languages: experience.languageInfo.autoDetect ? languages : [],
    chosenLanguage: chosen,
    platform,
    country,
  }
}

/** The provider's own cookie names the latest interaction. */
export const INTERACTION_COOKIE = '_interaction'

async function openInteraction(
  { interactions: store, now }: PageContextSources,
  { tenantId, uid, cookies }: { tenantId: string; uid: string; cookies: Readonly<Record<string, string>> },
): Promise<PageInteraction | null> {
  const interactions = store.of(tenantId)
  const cookie = await interactions.openCookieOfAnyAge(uid, cookies[interactionCookieName(uid)])
  if (!cookie) return null
  const navigation = await interactions.openNavigationState(uid, cookies[navigationCookieName(uid)], now())
  const navigationOnward =
    navigation?.flash || navigation?.problem
      ? await interactions.sealNavigationState(
          uid,
          { ...navigation, flash: undefined, problem: undefined },
          now(),
        )
      : null
  return { ...pageInteraction(uid, cookie, now()), navigation, navigationOnward }
}

/** An interaction whose cookie was opened, without navigation state. */
export function pageInteraction(uid: string, cookie: InteractionCookie, now: number): PageInteraction {
  const isOver = cookie.isConcluded === true || cookie.exp * 1000 <= now
  return { uid, cookie, isOver, navigation: null, navigationOnward: null }
}

/** As Cloudflare locates the network address. Letters alone: the code of Tor is `T1`. */
export function countryOf({ cf }: Request & { cf?: { country?: unknown } }): string {
  const country = cf?.country
  return typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : ''
}

/** Which of the two layouts the page has (spec/pages#css-classes). */
export function platformOf(userAgent: string | null): 'web' | 'mobile' {
  return /Mobi|Android|iPhone|iPad|iPod/i.test(userAgent ?? '') ? 'mobile' : 'web'
}
