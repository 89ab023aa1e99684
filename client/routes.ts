import type { BootData } from '../src/contract/boot.ts'
import type { Experience, SignInMethod } from '../src/contract/experience.ts'
import type { Identifier } from '../src/contract/identifiers.ts'
import type { NavigationState } from '../src/contract/interaction.ts'
import { PRODUCT_NAME, SIGNED_IN_PAGE } from '../src/contract/product.ts'
import type { LoadPage } from './app/loaded-pages.tsx'
import { lastPart } from './app/path-pattern.ts'
import { type PhraseKey, translator } from './app/phrases.ts'
import type { FormJourney, PageJourneys } from './journeys/journey.ts'
import type { PageKind } from './layout/frame.tsx'
import { SOCIAL_LINK, SOCIAL_RETURN } from './social/connector-path.ts'

type AllJourneys = typeof import('./journeys/all.ts')['journeys']

export type PageRow = {
  /** The last part is a parameter where it begins with a colon. */
  path: string
  /** The name of its file in `pages/`, under which the build lists the modules that it needs. */
  page: string
  load: LoadPage
  /** What its forms do, by intent: run in the browser, and on the server for forms that were posted without script. */
  journeys?: keyof AllJourneys
  kind: PageKind
  /** What a request must bring: an interaction, or also what the page before it learned (spec/pages#guard). */
  needs: 'nothing' | 'interaction' | 'navigation'
  /** The path of the page before this one. */
  back?: string | ((navigation: NavigationState | null) => string)
  /** The paths that most users go to from here: their pages are loaded ahead. */
  next?: readonly string[]
  /** False where the operator's settings leave the page nothing to do. */
  isOffered?: (experience: Experience) => boolean
  /** False where the settings do not allow the page for this identifier. */
  suits?: (identifier: Identifier, experience: Experience) => boolean
  /** The path to which the operator's settings redirect this page. */
  instead?: (experience: Experience) => string | null
}

const methodOf = ({ type }: Identifier, { signIn }: Experience): SignInMethod | undefined =>
  signIn.methods.find(
    ({ identifier, password, verificationCode }) => identifier === type && (password || verificationCode),
  )

/** The sign-in methods have to include it (spec/pages#verification-code). */
const isMethod: PageRow['suits'] = (identifier, experience) =>
  identifier.type !== 'username' && methodOf(identifier, experience) !== undefined

const canReset = ({ forgotPassword }: Experience) => forgotPassword.email || forgotPassword.phone
const asksFor = (...types: Identifier['type'][]): PageRow['isOffered'] => {
  return ({ signUp }) => types.every((type) => signUp.identifiers.includes(type))
}

/** What an account lacks is asked for during sign-in and registration alike. */
const continued = {
  kind: 'step',
  needs: 'interaction',
  back: (navigation) => (navigation?.event === 'Register' ? '/register' : '/sign-in'),
} as const satisfies Partial<PageRow>

const addressPage = {
  ...continued,
  page: 'continue-address',
  load: () => import('./pages/continue-address.tsx'),
  journeys: 'continueAddress',
} as const satisfies Partial<PageRow>

const codePage = {
  page: 'verification-code',
  load: () => import('./pages/verification-code.tsx'),
  kind: 'step',
  needs: 'navigation',
} as const satisfies Partial<PageRow>

/** Passes by for a first party; the user of a third party decides here (spec/pages#consent). */
export const CONSENT_PATH = '/sign-in/consent'

export const pages: readonly PageRow[] = [
  {
    path: '/sign-in',
    page: 'sign-in',
    load: () => import('./pages/sign-in.tsx'),
    journeys: 'signIn',
    kind: 'landing',
    needs: 'interaction',
    next: ['/register', '/sign-in/password', '/sign-in/verification-code'],
    instead: ({ signInMode }) => (signInMode === 'Register' ? '/register' : null),
  },
  {
    path: '/sign-in/password',
    page: 'sign-in-password',
    load: () => import('./pages/sign-in-password.tsx'),
    journeys: 'signInPassword',
    kind: 'step',
    needs: 'navigation',
    back: '/sign-in',
    next: ['/sign-in/verification-code', '/forgot-password'],
    suits: (identifier, experience) => methodOf(identifier, experience)?.password === true,
  },
  {
    ...codePage,
    path: '/sign-in/verification-code',
    journeys: 'signInCode',
    back: '/sign-in',
    next: ['/sign-in/password'],
    suits: isMethod,
  },
  {
    path: CONSENT_PATH,
    page: 'consent',
    load: () => import('./pages/consent.tsx'),
    journeys: 'consent',
    kind: 'passing',
    needs: 'interaction',
  },
  {
    path: SOCIAL_RETURN,
    page: 'social-return',
    load: () => import('./pages/social-return.tsx'),
    journeys: 'socialReturn',
    kind: 'passing',
    needs: 'interaction',
    back: '/sign-in',
  },
  {
    path: '/register',
    page: 'register',
    load: () => import('./pages/register.tsx'),
    journeys: 'register',
    kind: 'landing',
    needs: 'interaction',
    next: ['/sign-in', '/register/password', '/register/verification-code'],
    instead: ({ signInMode }) => (signInMode === 'SignIn' ? '/sign-in' : null),
  },
  {
    path: '/register/password',
    page: 'register-password',
    load: () => import('./pages/register-password.tsx'),
    journeys: 'registerPassword',
    kind: 'step',
    needs: 'navigation',
    back: '/register',
    isOffered: ({ signInMode, signUp }) => signInMode !== 'SignIn' && signUp.identifiers.includes('username'),
  },
  {
    ...codePage,
    path: '/register/verification-code',
    journeys: 'registerCode',
    back: '/register',
    suits: isMethod,
  },
  {
    path: '/forgot-password',
    page: 'forgot-password',
    load: () => import('./pages/forgot-password.tsx'),
    journeys: 'forgotPassword',
    kind: 'step',
    needs: 'interaction',
    back: '/sign-in',
    next: ['/forgot-password/verification-code'],
    isOffered: canReset,
  },
  {
    ...codePage,
    path: '/forgot-password/verification-code',
    journeys: 'forgotPasswordCode',
    back: '/forgot-password',
    next: ['/forgot-password/reset'],
    isOffered: canReset,
    suits: ({ type }) => type !== 'username',
  },
  {
    path: '/forgot-password/reset',
    page: 'forgot-password-reset',
    load: () => import('./pages/forgot-password-reset.tsx'),
    journeys: 'resetPassword',
    kind: 'step',
    needs: 'interaction',
    back: '/forgot-password',
    next: ['/sign-in'],
    isOffered: canReset,
  },
  {
    ...continued,
    path: '/continue/password',
    page: 'continue-password',
    load: () => import('./pages/continue-password.tsx'),
    journeys: 'continuePassword',
    isOffered: ({ signUp }) => signUp.password,
  },
  {
    ...continued,
    path: '/continue/username',
    page: 'continue-username',
    load: () => import('./pages/continue-username.tsx'),
    journeys: 'continueUsername',
    isOffered: asksFor('username'),
  },
  { ...addressPage, path: '/continue/email', isOffered: asksFor('email') },
  { ...addressPage, path: '/continue/phone', isOffered: asksFor('phone') },
  { ...addressPage, path: '/continue/emailOrPhone', isOffered: asksFor('email', 'phone') },
  {
    ...codePage,
    path: '/continue/verification-code',
    journeys: 'continueCode',
    back: (navigation) => `/continue/${navigation?.identifier?.type ?? 'email'}`,
    suits: isMethod,
  },
  // The page has messages of its own for what it needs to know (spec/pages#social-link).
  {
    path: SOCIAL_LINK,
    page: 'social-link',
    load: () => import('./pages/social-link.tsx'),
    journeys: 'socialLink',
    kind: 'step',
    needs: 'interaction',
    back: '/sign-in',
  },
  {
    path: '/unknown-session',
    page: 'unknown-session',
    load: () => import('./pages/unknown-session.tsx'),
    kind: 'step',
    needs: 'nothing',
  },
  {
    path: SIGNED_IN_PAGE,
    page: 'logout-declined',
    load: () => import('./pages/logout-declined.tsx'),
    kind: 'step',
    needs: 'nothing',
  },
]

/** The page at a path, also where the settings do not offer it. */
export const findPage = (path: string): PageRow | null =>
  pages.find((page) => page.path === path || lastPart(path, page.path) !== null) ?? null

/** The journeys of all pages come together, with the first call: they are small, and share most of what they need. */
export async function loadJourneys(row: PageRow | null): Promise<PageJourneys | null> {
  return row?.journeys ? (await import('./journeys/all.ts')).journeys[row.journeys] : null
}

/** What a form does, by the path of its page and its intent. Null for a form that no page has. */
export async function findJourney(path: string, intent: string): Promise<FormJourney | null> {
  const journeys = await loadJourneys(findPage(path))
  return (journeys && Object.hasOwn(journeys, intent) && journeys[intent]) || null
}

export type PageChoice =
  | { kind: 'page'; row: PageRow }
  | { kind: 'redirect'; path: string }
  | { kind: 'navigationMissing' }
  | { kind: 'notFound' }

/** Which page a path leads to, by the settings and the navigation state. The server answers it as 302, 200 or 404. */
export function choosePage(
  path: string,
  { experience, navigation }: Pick<BootData, 'experience' | 'navigation'>,
): PageChoice {
  const row = findPage(path)
  if (!row || row.isOffered?.(experience) === false) return { kind: 'notFound' }

  const elsewhere = row.instead?.(experience)
  if (elsewhere) return { kind: 'redirect', path: elsewhere }
  if (row.needs !== 'navigation') return { kind: 'page', row }
  if (!navigation?.identifier) return { kind: 'navigationMissing' }
  return row.suits?.(navigation.identifier, experience) === false
    ? { kind: 'notFound' }
    : { kind: 'page', row }
}

/** The path so many pages before this one by the table, for a browser whose history does not have them. */
export function pathBefore(
  path: string,
  steps: number,
  navigation: NavigationState | null = null,
): string | null {
  const row = findPage(path)
  const back = typeof row?.back === 'function' ? row.back(navigation) : row?.back
  return back && steps > 1 ? (pathBefore(back, steps - 1, navigation) ?? back) : (back ?? null)
}

/** The title of the first row that the path starts with (spec/pages#titles). */
const titles = [
  ['/sign-in', 'description.sign_in'],
  ['/callback', 'description.sign_in'],
  ['/consent', 'description.sign_in'],
  ['/register', 'description.create_account'],
  ['/social/link', 'description.create_account'],
  ['/forgot-password', 'description.reset_password'],
] as const satisfies readonly (readonly [string, PhraseKey])[]

/** A page that completes an account has the title of the event that it interrupts. */
const eventTitles = {
  SignIn: 'description.sign_in',
  Register: 'description.create_account',
} as const satisfies Record<NonNullable<NavigationState['event']>, PhraseKey>

/** The title of a page with an error begins with that: without script nothing else announces it. */
export function pageTitle(
  page: Pick<BootData, 'path' | 'language' | 'phrases'> & Partial<Pick<BootData, 'notice' | 'navigation'>>,
): string {
  const t = translator(page)
  const event = page.path.startsWith('/continue/') ? (page.navigation?.event ?? 'SignIn') : null
  const key = event ? eventTitles[event] : titles.find(([start]) => page.path.startsWith(start))?.[1]
  const title = key ? t(key) : PRODUCT_NAME
  return page.notice ? t('vestibule.title_of_error', { title }) : title
}
