import { parse } from 'hono/utils/cookie'
import type { Phrases } from '../contract/boot.ts'
import type { Experience } from '../contract/experience.ts'
import { INTERACTION_PARAM, type Step } from '../contract/interaction.ts'
import { LANGUAGE_COOKIE, LANGUAGE_PARAM } from '../contract/languages.ts'
import { interactionOfState } from '../domain/social-state.ts'
import { chosenLanguage, visitorLanguage } from '../domain/visitor-language.ts'
import type { Services } from '../env.ts'
import { type InteractionCookie, interactionCookieName, stepCookieName } from '../storage/interactions.ts'
import type { PhraseBook } from '../storage/phrase-book.ts'

/** Who looks at a page, and how: read from the request and from caches, never from the database (decision 5). */
export type Visit = {
  url: URL
  interaction: VisitedInteraction | null
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

export type VisitedInteraction = {
  uid: string
  cookie: InteractionCookie
  /** Its hour has passed, or it was finished: it can only be begun again (decision 6). */
  isOver: boolean
  /** What the pages before this one learned, if this one needs it (decision 7). */
  step: Step | null
  /** The cookie of the same step for the pages after this one: what was told was told once. */
  stepOnward: string | null
}

export type VisitSources = {
  interactions: Services['interactions']
  experience: Pick<Services['experience'], 'get'>
  phrases: Pick<PhraseBook, 'languages' | 'phrases'>
  now: Services['now']
}

/** `named` is the interaction a form names in its hidden field; a page is named by its query, else by the cookie. */
export async function readVisit(
  services: VisitSources,
  tenantId: string,
  request: Request,
  named?: string | null,
): Promise<Visit> {
  const url = new URL(request.url)
  const cookies = parse(request.headers.get('cookie') ?? '')
  const uid = named || namedBy(url) || cookies[INTERACTION_COOKIE]
  const fresh = url.searchParams.has('no_cache')
  const [interaction, experience, languages] = await Promise.all([
    uid ? openInteraction(services, tenantId, uid, cookies) : null,
    services.experience.get(tenantId, { fresh }),
    services.phrases.languages(tenantId, { fresh }),
  ])
  const query = url.searchParams.get(LANGUAGE_PARAM)
  const language = visitorLanguage(
    {
      query,
      cookie: cookies[LANGUAGE_COOKIE],
      request: interaction?.cookie.request?.ui_locales?.split(' ') ?? [],
      browser: request.headers.get('accept-language'),
    },
    experience.languageInfo,
    languages,
  )
  const { translation } = await services.phrases.phrases(tenantId, language, { fresh })
  const platform = platformOf(request.headers.get('user-agent'))
  return {
    url,
    interaction,
    experience,
    language,
    languages: experience.languageInfo.autoDetect ? languages : [],
    chosenLanguage: chosenLanguage(query, experience.languageInfo, languages),
    phrases: translation,
    platform,
  }
}

/** An app that was handed the answer of a social provider sends it here itself: then only its state says whose it is. */
function namedBy({ pathname, searchParams }: URL): string | null {
  const isAnswer = pathname.startsWith(SOCIAL_RETURN)
  return (
    searchParams.get(INTERACTION_PARAM) || (isAnswer ? interactionOfState(searchParams.get('state')) : null)
  )
}

const SOCIAL_RETURN = '/sign-in/social/'

/** The provider's own cookie: which interaction came last. */
const INTERACTION_COOKIE = '_interaction'

async function openInteraction(
  { interactions: store, now }: VisitSources,
  tenantId: string,
  uid: string,
  cookies: Record<string, string>,
): Promise<VisitedInteraction | null> {
  const interactions = store.of(tenantId)
  const cookie = await interactions.openCookieOfAnyAge(uid, cookies[interactionCookieName(uid)])
  if (!cookie) return null
  const isOver = cookie.isConcluded === true || cookie.exp * 1000 <= now()
  const step = await interactions.openStep(uid, cookies[stepCookieName(uid)], now())
  const stepOnward =
    step?.told || step?.problem
      ? await interactions.sealStep(uid, { ...step, told: undefined, problem: undefined }, now())
      : null
  return { uid, cookie, isOver, step, stepOnward }
}

/** Which of the two layouts the operator's CSS is told about (contract 10.1). */
export function platformOf(userAgent: string | null): 'web' | 'mobile' {
  return /Mobi|Android|iPhone|iPad|iPod/i.test(userAgent ?? '') ? 'mobile' : 'web'
}
