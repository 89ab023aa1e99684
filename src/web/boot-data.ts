import { findPage } from '../../client/routes.ts'
import type { BootData, Phrases } from '../contract/boot.ts'
import { acceptsPhones } from '../domain/experience-rules.ts'
import { languageNames } from '../domain/language-names.ts'
import type { PageContext } from './page-context.ts'
import { restartUrl } from './restart.ts'

/** What a page shows besides what its context gives. */
export type PageOptions = {
  status?: number
  notice?: BootData['notice']
  values?: BootData['values']
  error?: BootData['error']
  logout?: BootData['logout']
  /** In place of where this interaction can start again; null where that would not help. */
  restartUrl?: string | null
  /** In place of the addresses of this interaction's application: CSP sources. */
  formTargets?: readonly string[]
  preview?: BootData['preview']
  /** Where the browser goes on by itself (spec/pages#onward). Such a page has no script. */
  onward?: string
}

/** What the page is rendered from, here and again in the browser (spec/pages#boot-data). */
export function bootData(context: PageContext, options: PageOptions = {}): BootData {
  const navigation = context.interaction?.navigation ?? null
  const problem = navigation?.problem
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
    preview: options.preview ?? null,
    country: acceptsPhones(context.experience) ? context.country : undefined,
    platform: context.platform,
    notice: options.notice ?? (problem ? { kind: 'inline', field: null, message: problem } : null),
    values: options.values ?? {},
    restartUrl: restartOf(context, options),
    error: options.error ?? null,
    logout: options.logout ?? null,
    consent: context.consent ?? null,
    onward: options.onward ?? null,
  }
}

function restartOf({ wayOn, interaction }: PageContext, options: PageOptions): string | null {
  if (options.restartUrl !== undefined) return options.restartUrl
  return wayOn === undefined ? restartUrl(interaction) : wayOn
}

/**
 * Without what the browser does not need. It reads the languages from the list of the page, where there is one. A question
 * for consent is always a page of its own, so the others have none of its phrases.
 */
export function sentBoot(boot: BootData): Partial<BootData> {
  if (boot.preview) return boot
  const phrases = boot.consent ? boot.phrases : withoutConsent(boot.phrases)
  return findPage(boot.path)?.kind === 'passing'
    ? { ...boot, phrases }
    : { ...boot, phrases, languages: undefined }
}

const OF_CONSENT = /^consent_(?!title$|message$)/

function withoutConsent({ vestibule, ...phrases }: Phrases): Phrases {
  if (typeof vestibule !== 'object') return phrases
  const others = Object.entries(vestibule).filter(([name]) => !OF_CONSENT.test(name))
  return { ...phrases, vestibule: Object.fromEntries(others) }
}
