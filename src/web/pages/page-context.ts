import type { PageRequest } from '../../application/applications/oidc-pages.ts'
import type { Dependencies } from '../../application/dependencies.ts'
import { exceedsFreshReadLimit } from '../../application/network-limit.ts'
import type { RequestFacts } from '../../application/request.ts'
import { DEFAULT_EXPERIENCE, type Experience } from '../../contract/experience/experience.ts'
import { LANGUAGE_COOKIE, LANGUAGE_PARAM } from '../../contract/experience/languages.ts'
import type { ConsentQuestion, OrganizationChoice, Phrases } from '../../contract/interactions/boot.ts'
import { INTERACTION_PARAM, type NavigationState } from '../../contract/interactions/interaction.ts'
import { requestCookies } from '../../contract/request-cookies.ts'
import { RETURNING_PATH, type ReturningAccount } from '../../contract/sessions/remembered-accounts.ts'
import { BoundedMap } from '../../domain/bounded-map.ts'
import { acceptsPhones } from '../../domain/experience/experience-rules.ts'
import { chosenLanguage, userLanguage } from '../../domain/experience/user-language.ts'
import { parseInteractionState } from '../../domain/social/social-state.ts'
import { builtInPhrases, type PhraseBook } from '../../storage/experience/phrase-book.ts'
import {
  type InteractionCookie,
  interactionCookieName,
  navigationCookieName,
} from '../../storage/interactions/interaction-cookies.ts'

/**
 * Everything on which a page depends. It comes only from the request and from caches, never from the database
 * (spec/pages#guard).
 */
export type PageContext = {
  url: URL
  interaction: PageInteraction | null
  experience: Experience
  language: string
  /**
   * The languages that users can choose from, including the current one. Empty if there is no choice
   * (spec/experience#languages).
   */
  languages: readonly string[]
  /** The language requested in the URL. It is remembered in a cookie. */
  chosenLanguage: string | null
  /** The phrases in the current language, including the operator's changes. */
  phrases: Phrases
  platform: 'web' | 'mobile'
  /**
   * The upper-case ISO code of the country from which the request came, or an empty string if the country is unknown.
   * Undefined on pages without a phone field.
   */
  country: string | undefined
  /**
   * The decision that the user has to make on a third-party application's consent page. It is read from the database
   * (`consent-question.ts`).
   */
  consent?: ConsentQuestion
  /** The choices on the page that asks for an organisation (`organization-choice.ts`). */
  organizationChoice?: OrganizationChoice
  /**
   * The URL for starting over. Set only on `/unknown-session` and for errors of the OpenID Provider (`new-sign-in.ts`).
   */
  continueUrl?: string | null
  /** The accounts that the browser remembers. Only their own page has them (spec/pages#returning). */
  accounts?: readonly ReturningAccount[]
  /** The URL of the account centre. Set only on final pages (`account-url.ts`). */
  accountUrl?: string | undefined
}

/** Everything on which a page depends besides its URL. */
export type PageFacts = Omit<PageContext, 'url'>

export type PageInteraction = {
  uid: string
  cookie: InteractionCookie
  /**
   * True if the interaction has expired or been completed, and can therefore only be restarted
   * (spec/pages#start-again).
   */
  isOver: boolean
  /** The state that previous pages have saved (spec/pages#navigation-state). */
  navigation: NavigationState | null
  /**
   * The sealed navigation state without its flash message, which is shown only once. Set only if there was a
   * flash message.
   */
  nextNavigation: string | null
}

export type PageContextSources = {
  interactions: Dependencies['interactions']
  seals: Dependencies['seals']
  experience: Pick<Dependencies['experience'], 'get'>
  organizationExperiences: Pick<Dependencies['organizationExperiences'], 'apply'>
  phrases: Pick<PhraseBook, 'languages' | 'phrases'>
  floodLimits: Dependencies['floodLimits']
  now: Dependencies['now']
}

export type RequestedPage = PageRequest & {
  /** The request's URL, if the caller has parsed it. */
  url?: URL
  /**
   * The interaction id from a form's hidden field. If it is not set, the id comes from the query or else from the
   * cookie.
   */
  interaction?: string | null | undefined
}

/** Reads the context. The URL can ask to bypass the settings cache, unless the limit for such reads is exceeded. */
export async function readPageContext(
  sources: PageContextSources,
  pageRequest: RequestedPage,
): Promise<PageContext> {
  const { request, url = new URL(request.url) } = pageRequest
  const ip = request.headers.get('cf-connecting-ip') ?? undefined
  const fresh = url.searchParams.has('no_cache') && !(await exceedsFreshReadLimit(sources, ip))
  return readCachedPageContext(sources, pageRequest, { fresh })
}

/**
 * Reads the context from caches only. Used for error pages, because rejecting a request must be cheaper than serving
 * it.
 */
export async function readCachedPageContext(
  sources: PageContextSources,
  { tenantId, request, url = new URL(request.url), interaction: formInteraction }: RequestedPage,
  freshness = { fresh: false },
): Promise<PageContext> {
  const uid = formInteraction || interactionNamedBy(url)
  const languageParam = url.searchParams.get(LANGUAGE_PARAM)
  const facts = await readPageFacts(sources, { tenantId, request, uid, languageParam }, freshness)
  if (url.pathname !== RETURNING_PATH) return { url, ...facts }
  const { readAccounts } = await import('./returning-accounts.ts')
  const settings = { cookie: facts.interaction?.cookie, experience: facts.experience }
  return { url, ...facts, accounts: await readAccounts(sources, { tenantId, request }, settings) }
}

/**
 * Returns the interaction id that a URL contains. When an app forwards a social provider's response, only the
 * state contains the id.
 */
function interactionNamedBy({ pathname, searchParams }: URL): string | null {
  const isSocialReturn = pathname.startsWith(SOCIAL_RETURN)
  return (
    searchParams.get(INTERACTION_PARAM) ||
    (isSocialReturn ? parseInteractionState(searchParams.get('state')) : null)
  )
}

const SOCIAL_RETURN = '/sign-in/social/'

/** The request whose page could not be shown. `tenantId` is absent if no tenant has the host. */
export type FailedPage = Omit<RequestedPage, 'tenantId'> &
  Partial<Pick<RequestFacts, 'tenantId' | 'requestId'>>

/**
 * Reads the context of an error page, which must not depend on anything that may just have failed. If the settings
 * cannot be read, the page uses the defaults of a new tenant. The cache is never bypassed, so that rejected requests
 * remain cheap.
 */
export async function readErrorPageContext(
  sources: PageContextSources,
  { tenantId = NO_TENANT, ...requested }: FailedPage,
): Promise<PageContext> {
  const builtIn = {
    ...sources,
    experience: { get: async () => BUILT_IN },
    organizationExperiences: { apply: async (experience: Experience) => experience },
    phrases: builtInPhrases,
  }
  const page = { ...requested, tenantId }
  if (tenantId === NO_TENANT) return readCachedPageContext(builtIn, page)
  try {
    return await readCachedPageContext(sources, page)
  } catch {
    return readCachedPageContext(builtIn, page)
  }
}

/** No tenant has this id, so it cannot decrypt any cookie. */
const NO_TENANT = ''

const BUILT_IN: Experience = {
  ...DEFAULT_EXPERIENCE,
  socialConnectors: [],
  forgotPassword: { email: false, phone: false },
}

/**
 * Reads the part of the context that does not depend on the URL, except for the interaction id and the requested
 * language.
 */
export async function readPageFacts(
  sources: PageContextSources,
  {
    tenantId,
    request,
    uid: requestedUid,
    languageParam,
  }: PageRequest & { uid: string | null | undefined; languageParam: string | null },
  { fresh } = { fresh: false },
): Promise<PageFacts> {
  const cookies = requestCookies(request)
  const uid = requestedUid || cookies[INTERACTION_COOKIE]
  const [interaction, ofTenant, languages] = await Promise.all([
    uid ? openInteraction(sources, { tenantId, uid, cookies }) : null,
    sources.experience.get(tenantId, { fresh }),
    sources.phrases.languages(tenantId, { fresh }),
  ])
  const organization = interaction?.cookie.organization
  const experience = organization
    ? await sources.organizationExperiences.apply(ofTenant, { tenantId, organization, fresh })
    : ofTenant
  const { languageInfo } = experience
  const hints = {
    query: languageParam,
    cookie: cookies[LANGUAGE_COOKIE],
    request: interaction?.cookie.request?.ui_locales?.split(' ') ?? [],
    browser: request.headers.get('accept-language'),
  }
  const language = languageOf(hints, languageInfo, languages)
  const { translation } = await sources.phrases.phrases(tenantId, language, { fresh })
  return {
    interaction,
    experience,
    language,
    languages: languageInfo.autoDetect ? languages : [],
    chosenLanguage: chosenLanguage(languageParam, languageInfo, languages),
    phrases: translation,
    platform: detectPlatform(request.headers.get('user-agent')),
    country: acceptsPhones(experience) ? countryOf(request) : undefined,
  }
}

/** The OpenID Provider's own cookie. It contains the id of the latest interaction. */
const INTERACTION_COOKIE = '_interaction'

async function openInteraction(
  { interactions: store, now }: PageContextSources,
  { tenantId, uid, cookies }: { tenantId: string; uid: string; cookies: Readonly<Record<string, string>> },
): Promise<PageInteraction | null> {
  const interactions = store.of(tenantId)
  const cookie = await interactions.openCookieOfAnyAge(uid, cookies[interactionCookieName(uid)])
  if (!cookie) return null
  const navigation = await interactions.openNavigationState(uid, cookies[navigationCookieName(uid)], now())
  const nextNavigation =
    navigation?.flash || navigation?.problem
      ? await interactions.sealNavigationState(
          uid,
          { ...navigation, flash: undefined, problem: undefined, problemTone: undefined },
          now(),
        )
      : null
  const isOver = cookie.isConcluded === true || cookie.exp * 1000 <= now()
  return { uid, cookie, isOver, navigation, nextNavigation }
}

/** The language is cached for each combination of preferences, because browsers send only a few different ones. */
function languageOf(...choice: Parameters<typeof userLanguage>): string {
  const key = JSON.stringify(choice)
  if (key.length > KEY_MAX_LENGTH) return userLanguage(...choice)
  const language = languageByHints.get(key) ?? userLanguage(...choice)
  languageByHints.set(key, language)
  return language
}

const languageByHints = new BoundedMap<string, string>(1_000)
/** The maximum length of a cache key. Browsers do not send longer language preferences. */
const KEY_MAX_LENGTH = 500

/**
 * Returns the country that Cloudflare derives from the IP address. Only codes that consist of letters are
 * accepted, because Cloudflare uses `T1` for Tor.
 */
function countryOf({ cf }: Request & { cf?: { country?: unknown } }): string {
  const country = cf?.country
  return typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : ''
}

/** Determines which of its two layouts the page uses (spec/pages#css-classes). */
export function detectPlatform(userAgent: string | null): 'web' | 'mobile' {
  return /Mobi|Android|iPhone|iPad|iPod/i.test(userAgent ?? '') ? 'mobile' : 'web'
}
