import { FACTOR_PATH, findPage } from '../../../client/app/routes.ts'
import { connectorIdFromPath, SPRINGBOARD_PATH } from '../../../client/context/paths.ts'
import type { BootData, Phrases } from '../../contract/interactions/boot.ts'
import { NEW_PASSKEY_PATH, SIGNED_IN_PAGE } from '../../contract/product.ts'
import { languageNames } from '../../domain/experience/language-names.ts'
import { hasTerms } from '../../domain/interactions/terms.ts'
import type { PageContext } from './page-context.ts'
import { UNKNOWN_SESSION_PATH } from './page-guard.ts'
import { restartUrl } from './restart.ts'

/** The parts of a page's data that the page context does not contain. */
export type PageOptions = {
  status?: number
  notice?: BootData['notice']
  values?: BootData['values']
  error?: BootData['error']
  logout?: BootData['logout']
  /** Overrides the URL that restarts the interaction. Null if restarting would not help. */
  restartUrl?: string | null
  /** Overrides the CSP sources to which the page's forms may redirect. */
  formTargets?: readonly string[]
  preview?: BootData['preview']
  /** Overrides the styles and modules of the sign-in pages. */
  assets?: { styles: string; sheets: readonly string[]; modules: readonly string[] }
  /** The URL to which the page redirects automatically (spec/pages#onward). Pages that redirect have no script. */
  nextUrl?: string
}

/**
 * Returns the data with which the page is rendered: first on the server, then in the browser (spec/pages#boot-data).
 */
export function createBootData(context: PageContext, options: PageOptions = {}): BootData {
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
 * Removes data that the browser does not need. The list of languages is omitted if the script can read it from the
 * page. Phrases for pages that are always loaded as a new document, such as the consent page, are included only in
 * these pages. Phrases for social provider errors are included only if the tenant has social providers.
 */
export function trimBootData(boot: BootData): Partial<BootData> {
  if (boot.preview) return boot
  const phrases = phrasesFor(boot)
  return findPage(boot.path)?.kind === 'passing'
    ? { ...boot, phrases }
    : { ...boot, phrases, languages: undefined }
}

const SET_UP = `${FACTOR_PATH}/set-up`
const BACKUP_CODES = `${FACTOR_PATH}/backup-codes`

/** Patterns of phrase keys, each with the pages that use the phrases. */
const conditionalPhrases: readonly [phrases: RegExp, isSaid: (boot: BootData) => boolean][] = [
  [/^consent_(?!title$|message$)/, ({ consent }) => consent !== null],
  [/^(?:sign_out|stay_signed|signing_out|signed_out)/, ({ logout }) => logout !== null],
  [/^(?:terms_title|continuing_agrees)$/, ({ experience }) => hasTerms(experience)],
  [/^still_signed_in/, ({ path }) => path === SIGNED_IN_PAGE || path === SPRINGBOARD_PATH],
  [/^return_to_app/, ({ path }) => path === SPRINGBOARD_PATH],
  [/^factor_(?:use|other|few)/, ({ path }) => path !== SET_UP && path !== BACKUP_CODES],
  [/^factor_(?:setup|scan|qr|key|later|put_offs)/, ({ path }) => path === SET_UP],
  [/^factor_use_(?:key|script)/, ({ path, search }) => /passkey/.test(path + search)],
  [/^factor_few/, ({ search }) => search.includes('backupCodesLeft')],
  [/^factor_unusual/, ({ search }) => search.includes('unusual')],
  [/^factor_remember/, ({ path }) => path !== SET_UP],
  [/^factor_codes/, ({ path }) => path === BACKUP_CODES],
  [/^factor_/, ({ path }) => path.startsWith(FACTOR_PATH)],
  [/^unknown_session/, ({ path }) => path === UNKNOWN_SESSION_PATH],
  // Only the server returns a page again with an error. Scripts announce errors and keep the title.
  [/^title_of_error/, () => false],
  [/^sign_in_to/, ({ experience }) => experience.branding.name !== undefined],
  // Only the account centre says this.
  [/^passkey_offer_hint/, () => false],
  [/^passkey_offer/, ({ path }) => path === NEW_PASSKEY_PATH],
  [/^passkey_(?!offer)/, ({ path, experience }) => experience.passkeys === true && path !== NEW_PASSKEY_PATH],
  [
    /^social_link_/,
    // The pages from which the user may come to the page that links an account, without loading a document.
    ({ path }) => connectorIdFromPath(path) !== '' || path.startsWith('/continue/'),
  ],
  [
    /^(?:social_|connector_missing|related_account)/,
    ({ path, experience }) => experience.socialConnectors.length > 0 || connectorIdFromPath(path) !== '',
  ],
]

function phrasesFor(boot: BootData): Phrases {
  // No page uses the phrases of this group.
  const { vestibule, secondary: _, ...phrases } = boot.phrases
  if (typeof vestibule !== 'object') return phrases
  const unusedNames = conditionalPhrases.filter(([, isSaid]) => !isSaid(boot)).map(([names]) => names)
  const usedPhrases = Object.entries(vestibule).filter(
    ([name]) => !unusedNames.some((names) => names.test(name)),
  )
  return { ...phrases, vestibule: Object.fromEntries(usedPhrases) }
}
