import { BACKUP_CODES_PATH, FACTOR_PATH, findPage, SET_UP_PATH } from '../../../client/app/routes.ts'
import { connectorIdFromPath, RECOVERY_PATH, SPRINGBOARD_PATH } from '../../../client/context/paths.ts'
import type { BootData, Phrases } from '../../contract/interactions/boot.ts'
import { NETWORK_PATH } from '../../contract/organisations/organizations.ts'
import { NEW_PASSKEY_PATH, SIGNED_IN_PAGE } from '../../contract/product.ts'
import { languageNames } from '../../domain/experience/language-names.ts'
import { hasTerms } from '../../domain/interactions/terms.ts'
import { noticeFromPreviousPage } from './form-answer.ts'
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
  alreadySignedIn?: BootData['alreadySignedIn']
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
  return {
    origin: context.url.origin,
    path: context.url.pathname,
    search: context.url.search,
    language: context.language,
    phrases: context.phrases,
    experience: context.experience,
    interaction: context.interaction?.uid ?? null,
    navigation: navigation && { ...navigation, problem: undefined, problemTone: undefined },
    languages: context.languages.length > 1 ? languageNames(context.languages) : [],
    preview: options.preview ?? null,
    country: context.country,
    platform: context.platform,
    notice: options.notice ?? noticeFromPreviousPage(navigation),
    values: options.values ?? {},
    restartUrl: restartOf(context, options),
    accountUrl: context.accountUrl,
    accounts: context.accounts,
    alreadySignedIn: options.alreadySignedIn,
    error: options.error ?? null,
    logout: options.logout ?? null,
    consent: context.consent ?? null,
    organizationChoice: context.organizationChoice,
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

/**
 * Patterns of phrase keys, each with the pages that use the phrases. The keys are those of `vestibule` or have a group.
 */
const conditionalPhrases: readonly [phrases: RegExp, isSaid: (boot: BootData) => boolean][] = [
  [/^consent_(?!title$|message$|account$|not_you$)/, ({ consent }) => consent !== null],
  [/^organization_/, ({ organizationChoice }) => organizationChoice !== undefined],
  [/^consent_(?:account|not_you)$/, (boot) => boot.consent !== null || boot.organizationChoice !== undefined],
  [/^last_used/, (boot) => boot.accounts !== undefined || boot.organizationChoice !== undefined],
  [/^(?:sign_out|stay_signed|signing_out|signed_out)/, ({ logout }) => logout !== null],
  [/^(?:terms_title|continuing_agrees)$/, ({ experience }) => hasTerms(experience)],
  [/^go_to_account$/, ({ accountUrl }) => accountUrl !== undefined],
  [/^sign_in_again$/, ({ logout }) => logout?.stage === 'done'],
  [/^(?:already_signed_in|continue_to)$/, ({ alreadySignedIn }) => alreadySignedIn !== undefined],
  [/^(?:contact_support|suspended_help)$/, ({ experience }) => Boolean(experience.supportContact)],
  [/^step_up$/, ({ search }) => search.includes('step_up')],
  [/^no_sign_in/, ({ experience }) => experience.signIn.methods.length === 0],
  [/^no_registration/, ({ experience }) => experience.signUp.identifiers.length === 0],
  [/^still_signed_in/, ({ path }) => path === SIGNED_IN_PAGE || path === SPRINGBOARD_PATH],
  [/^return_to_app/, ({ path }) => path === SPRINGBOARD_PATH],
  [
    /^(?:by_|did_you_mean|email_example|check_spam|open_mailbox|description\.(?:link_(?:email|phone)|reset_password|\w+_id_))/,
    takesAddresses,
  ],
  [
    /^(?:check_(?:email|phone)|description\.(?:enter_passcode|passcode_sent|resend_))/,
    (boot) => takesAddresses(boot) || /email|phone/.test(boot.path + boot.search),
  ],
  [
    /^(?:digit_of|resend_ready|verification_code)/,
    (boot) => takesAddresses(boot) || boot.path.startsWith(FACTOR_PATH),
  ],
  [
    /_code_instead/,
    ({ experience }) => experience.signIn.methods.some(({ verificationCode }) => verificationCode),
  ],
  [
    /^factor_(?:setup|scan|qr|key|later|put_offs|open|copy_key|other_device)/,
    ({ path }) => path === SET_UP_PATH,
  ],
  [
    /^factor_(?:codes(?!_(?:un)?copied)|download|print|written|app_works)/,
    ({ path }) => path === BACKUP_CODES_PATH,
  ],
  [/^factor_(?:codes_|step)/, ({ path }) => path === SET_UP_PATH || path === BACKUP_CODES_PATH],
  [
    /^factor_(?:title|other$|few|none|use|text|email|app$|passkey|backup|unusual|account|too_many)/,
    ({ path }) => path !== SET_UP_PATH && path !== BACKUP_CODES_PATH,
  ],
  // Only the factors that the query or the path names are offered.
  [/^factor_(?:text|use_phone)/, ({ path, search }) => /phone/.test(path + search)],
  [/^factor_(?:email|use_email)/, ({ path, search }) => /email/.test(path + search)],
  [/^factor_too_many/, ({ path, search }) => /phone|email/.test(path + search)],
  [/^factor_(?:passkey|use_(?:key|script))/, ({ path, search }) => /passkey/.test(path + search)],
  [/^factor_few/, ({ search }) => search.includes('backupCodesLeft')],
  [/^factor_unusual/, ({ search }) => search.includes('unusual')],
  [/^factor_remember/, ({ path }) => path !== SET_UP_PATH],
  [/^factor_totp_hint/, ({ path }) => path !== BACKUP_CODES_PATH],
  [/^factor_/, ({ path }) => path.startsWith(FACTOR_PATH)],
  [/^recovery_/, ({ path }) => path === RECOVERY_PATH],
  [/^factor_(?!other$|account$)/, ({ path }) => path !== RECOVERY_PATH],
  [/^network_/, ({ path }) => path === NETWORK_PATH],
  [/^unknown_session/, ({ path }) => path === UNKNOWN_SESSION_PATH],
  // Only the server returns a page again with an error. Scripts announce errors and keep the title.
  [/^title_of_error/, () => false],
  [/^sign_in_to/, ({ experience }) => experience.branding.name !== undefined],
  [
    /^(?:welcome_back|use_another|forget_account|account_ended|choose_account|continue_with_app)/,
    ({ accounts }) => accounts !== undefined,
  ],
  // The line stands outside the hydrated markup.
  [/^signing_in_to/, () => false],
  // Only the account centre says this.
  [/^passkey_offer_hint/, () => false],
  [/^passkey_offer/, ({ path }) => path === NEW_PASSKEY_PATH],
  [/^passkey_(?!offer)/, ({ path, experience }) => experience.passkeys === true && path !== NEW_PASSKEY_PATH],
  [
    /^(?:social_link_|action\.(?:link_another_|create_account_without)|description\.social_(?:link|bind|create)_)/,
    mayLinkAccount,
  ],
  [
    /^(?:(?:description\.)?social_|connector_missing|related_account|description\.bind_|action\.(?:bind|link_another))/,
    (boot) => boot.experience.socialConnectors.length > 0 || mayLinkAccount(boot),
  ],
]

/** Checks whether the sign-in pages ask for addresses, to which codes are sent. A social account may bring one. */
function takesAddresses({ experience }: BootData): boolean {
  const { signIn, signUp, forgotPassword, socialConnectors } = experience
  const types = [...signUp.identifiers, ...signIn.methods.map(({ identifier }) => identifier)]
  return (
    types.some((type) => type !== 'username') ||
    forgotPassword.email ||
    forgotPassword.phone ||
    socialConnectors.length > 0
  )
}

/**
 * Checks whether the page links an account, or whether the user may come to the page that does without loading a
 * document.
 */
function mayLinkAccount({ path }: BootData): boolean {
  return connectorIdFromPath(path) !== '' || path.startsWith('/continue/')
}

function phrasesFor(boot: BootData): Phrases {
  // No page uses the phrases of this group.
  const { secondary: _, ...phrases } = boot.phrases
  const unused = conditionalPhrases.filter(([, isSaid]) => !isSaid(boot)).map(([keys]) => keys)
  return Object.fromEntries(
    Object.entries(phrases).map(([group, part]) => [
      group,
      typeof part === 'string' ? part : usedIn(group, part),
    ]),
  )

  function usedIn(group: string, part: Phrases): Phrases {
    const prefix = group === 'vestibule' ? '' : `${group}.`
    return Object.fromEntries(
      Object.entries(part).filter(([name]) => !unused.some((keys) => keys.test(prefix + name))),
    )
  }
}
