import { FACTOR_PATH, findPage } from '../../../client/app/routes.ts'
import { connectorIdFromPath } from '../../../client/context/paths.ts'
import type { BootData, Phrases } from '../../contract/interactions/boot.ts'
import { NEW_PASSKEY_PATH, SIGNED_IN_PAGE } from '../../contract/product.ts'
import { languageNames } from '../../domain/experience/language-names.ts'
import { needsTerms } from '../../domain/interactions/terms.ts'
import type { PageContext } from './page-context.ts'
import { UNKNOWN_SESSION } from './page-guard.ts'
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
  /** In place of the styles and modules of a page of the sign-in. */
  assets?: { styles: string; sheets: readonly string[]; modules: readonly string[] }
  /** Where the browser goes on by itself (spec/pages#onward). Such a page has no script. */
  nextUrl?: string
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
    country: context.country,
    platform: context.platform,
    notice: options.notice ?? (problem ? { kind: 'inline', field: null, message: problem } : null),
    values: options.values ?? {},
    restartUrl: restartOf(context, options),
    error: options.error ?? null,
    logout: options.logout ?? null,
    consent: context.consent ?? null,
    onward: options.nextUrl ?? null,
  }
}

function restartOf({ continueUrl, interaction }: PageContext, options: PageOptions): string | null {
  if (options.restartUrl !== undefined) return options.restartUrl
  return continueUrl === undefined ? restartUrl(interaction) : continueUrl
}

/**
 * Without what the browser does not need. It reads the languages from the list of the page, where there is one. What is always
 * a document of its own, as a question for consent is, says what no other page says; without social providers none fails.
 */
export function sentBoot(boot: BootData): Partial<BootData> {
  if (boot.preview) return boot
  const phrases = phrasesFor(boot)
  return findPage(boot.path)?.kind === 'passing'
    ? { ...boot, phrases }
    : { ...boot, phrases, languages: undefined }
}

const SET_UP = `${FACTOR_PATH}/set-up`
const BACKUP_CODES = `${FACTOR_PATH}/backup-codes`

/** Phrases by their names, and the pages that say them. */
const phrasesOfSome: readonly [phrases: RegExp, isSaid: (boot: BootData) => boolean][] = [
  [/^consent_(?!title$|message$)/, ({ consent }) => consent !== null],
  [/^(?:sign_out|stay_signed|signing_out|signed_out)/, ({ logout }) => logout !== null],
  [/^(?:terms_title|continuing_agrees)$/, ({ experience }) => needsTerms(experience)],
  [/^still_signed_in/, ({ path }) => path === SIGNED_IN_PAGE],
  [/^factor_(?:use|other|few)/, ({ path }) => path !== SET_UP && path !== BACKUP_CODES],
  [/^factor_(?:setup|scan|qr|key|later|put_offs)/, ({ path }) => path === SET_UP],
  [/^factor_use_(?:key|script)/, ({ path, search }) => /passkey/.test(path + search)],
  [/^factor_few/, ({ search }) => search.includes('backupCodesLeft')],
  [/^factor_unusual/, ({ search }) => search.includes('unusual')],
  [/^factor_remember/, ({ path }) => path !== SET_UP],
  [/^factor_codes/, ({ path }) => path === BACKUP_CODES],
  [/^factor_/, ({ path }) => path.startsWith(FACTOR_PATH)],
  [/^unknown_session/, ({ path }) => path === UNKNOWN_SESSION],
  [/^passkey_offer/, ({ path }) => path === NEW_PASSKEY_PATH],
  [/^passkey_(?!offer)/, ({ experience }) => experience.passkeys === true],
  [
    /^(?:social_|connector_missing|related_account)/,
    ({ path, experience }) => experience.socialConnectors.length > 0 || connectorIdFromPath(path) !== '',
  ],
]

function phrasesFor(boot: BootData): Phrases {
  const { vestibule, ...phrases } = boot.phrases
  if (typeof vestibule !== 'object') return phrases
  const unsaid = phrasesOfSome.filter(([, isSaid]) => !isSaid(boot)).map(([names]) => names)
  const said = Object.entries(vestibule).filter(([name]) => !unsaid.some((names) => names.test(name)))
  return { ...phrases, vestibule: Object.fromEntries(said) }
}
