import type { BootData } from '../src/contract/boot.ts'
import type { Experience, SignInMethod } from '../src/contract/experience.ts'
import type { Identifier } from '../src/contract/identifiers.ts'
import type { Step } from '../src/contract/interaction.ts'
import { PRODUCT_NAME, SIGNED_IN_PAGE } from '../src/contract/product.ts'
import type { PageName } from './app/page-modules.tsx'
import { type PhraseKey, translator } from './app/phrases.ts'
import type { PageKind } from './layout/frame.tsx'

export type PageRow = {
  /** The last part may be anything where it begins with a colon. */
  path: string
  page: PageName
  kind: PageKind
  /** What a visitor must bring: an interaction, and for a step what the page before it learned (decision 5, 7). */
  needs: 'nothing' | 'interaction' | 'step'
  /** The page this one is a step of. */
  back?: string | ((step: Step | null) => string)
  /** Where visitors usually go from here: loaded ahead. */
  next?: readonly PageName[]
  /** False where the operator's settings leave the page nothing to do. */
  isOffered?: (experience: Experience) => boolean
  /** False where the settings leave it nothing to do with what the visitor brought. */
  suits?: (identifier: Identifier, experience: Experience) => boolean
  /** Where the operator's settings send everybody who comes here. */
  instead?: (experience: Experience) => string | null
}

const methodOf = ({ type }: Identifier, { signIn }: Experience): SignInMethod | undefined =>
  signIn.methods.find(
    ({ identifier, password, verificationCode }) => identifier === type && (password || verificationCode),
  )

/** Contract 10.4: the method has to be among those one signs in with. */
const isMethod: PageRow['suits'] = (identifier, experience) =>
  identifier.type !== 'username' && methodOf(identifier, experience) !== undefined

const canReset = ({ forgotPassword }: Experience) => forgotPassword.email || forgotPassword.phone
const asksFor = (...types: Identifier['type'][]): PageRow['isOffered'] => {
  return ({ signUp }) => types.every((type) => signUp.identifiers.includes(type))
}

/** What an account lacks is asked for on the way in, whichever way that is. */
const continued = {
  kind: 'step',
  needs: 'interaction',
  back: (step) => (step?.event === 'Register' ? '/register' : '/sign-in'),
} as const satisfies Partial<PageRow>

const codePage = {
  page: 'verification-code',
  kind: 'step',
  needs: 'step',
} as const satisfies Partial<PageRow>

export const pages: readonly PageRow[] = [
  {
    path: '/sign-in',
    page: 'sign-in',
    kind: 'landing',
    needs: 'interaction',
    next: ['register', 'sign-in-password', 'verification-code'],
    instead: ({ signInMode }) => (signInMode === 'Register' ? '/register' : null),
  },
  {
    path: '/sign-in/password',
    page: 'sign-in-password',
    kind: 'step',
    needs: 'step',
    back: '/sign-in',
    next: ['verification-code', 'forgot-password'],
    suits: (identifier, experience) => methodOf(identifier, experience)?.password === true,
  },
  {
    ...codePage,
    path: '/sign-in/verification-code',
    back: '/sign-in',
    next: ['sign-in-password'],
    suits: isMethod,
  },
  { path: '/sign-in/consent', page: 'consent', kind: 'passing', needs: 'interaction' },
  {
    path: '/sign-in/social/:connectorId',
    page: 'social-return',
    kind: 'passing',
    needs: 'interaction',
    back: '/sign-in',
  },
  {
    path: '/register',
    page: 'register',
    kind: 'landing',
    needs: 'interaction',
    next: ['sign-in', 'register-password', 'verification-code'],
    instead: ({ signInMode }) => (signInMode === 'SignIn' ? '/sign-in' : null),
  },
  {
    path: '/register/password',
    page: 'register-password',
    kind: 'step',
    needs: 'step',
    back: '/register',
    isOffered: ({ signInMode, signUp }) => signInMode !== 'SignIn' && signUp.identifiers.includes('username'),
  },
  { ...codePage, path: '/register/verification-code', back: '/register', suits: isMethod },
  {
    path: '/forgot-password',
    page: 'forgot-password',
    kind: 'step',
    needs: 'interaction',
    back: '/sign-in',
    next: ['verification-code'],
    isOffered: canReset,
  },
  {
    ...codePage,
    path: '/forgot-password/verification-code',
    back: '/forgot-password',
    next: ['forgot-password-reset'],
    isOffered: canReset,
    suits: ({ type }) => type !== 'username',
  },
  {
    path: '/forgot-password/reset',
    page: 'forgot-password-reset',
    kind: 'step',
    needs: 'interaction',
    back: '/forgot-password',
    next: ['sign-in'],
    isOffered: canReset,
  },
  {
    ...continued,
    path: '/continue/password',
    page: 'continue-password',
    isOffered: ({ signUp }) => signUp.password,
  },
  { ...continued, path: '/continue/username', page: 'continue-username', isOffered: asksFor('username') },
  { ...continued, path: '/continue/email', page: 'continue-address', isOffered: asksFor('email') },
  { ...continued, path: '/continue/phone', page: 'continue-address', isOffered: asksFor('phone') },
  {
    ...continued,
    path: '/continue/emailOrPhone',
    page: 'continue-address',
    isOffered: asksFor('email', 'phone'),
  },
  {
    ...codePage,
    path: '/continue/verification-code',
    back: (step) => `/continue/${step?.identifier?.type ?? 'email'}`,
    suits: isMethod,
  },
  // What it needs to know it asks for itself, in words of its own (product 2).
  {
    path: '/social/link/:connectorId',
    page: 'social-link',
    kind: 'step',
    needs: 'interaction',
    back: '/sign-in',
  },
  { path: '/unknown-session', page: 'unknown-session', kind: 'step', needs: 'nothing' },
  { path: SIGNED_IN_PAGE, page: 'logout-declined', kind: 'step', needs: 'nothing' },
]

/** The page at a path, whether or not the settings offer it. */
export const findPage = (path: string): PageRow | null =>
  pages.find((page) => page.path === path || partOf(path, page.path) !== null) ?? null

/** What stands in the place of a path's last part; without the part, nothing does. Null for another path. */
export function partOf(path: string, pattern: string): string | null {
  const [start = '', name] = pattern.split(':')
  const part = `${path}/`.startsWith(start) ? path.slice(start.length) : '/'
  return name === undefined || part.includes('/') ? null : part
}

/** The social connector that a page is about, by its address. */
export const connectorAt = (path: string): string => partOf(path, findPage(path)?.path ?? '') ?? ''

export type PageChoice =
  | { kind: 'page'; row: PageRow }
  | { kind: 'redirect'; path: string }
  | { kind: 'stepMissing'; row: PageRow }
  | { kind: 'notFound' }

/** Which page a path leads to, given the settings and what the visitor brought. The server answers it as 302, 200 or 404. */
export function choosePage(
  path: string,
  { experience, step }: Pick<BootData, 'experience' | 'step'>,
): PageChoice {
  const row = findPage(path)
  if (!row || row.isOffered?.(experience) === false) return { kind: 'notFound' }

  const elsewhere = row.instead?.(experience)
  if (elsewhere) return { kind: 'redirect', path: elsewhere }
  if (row.needs !== 'step') return { kind: 'page', row }
  if (!step?.identifier) return { kind: 'stepMissing', row }
  return row.suits?.(step.identifier, experience) === false ? { kind: 'notFound' } : { kind: 'page', row }
}

/** The page so many steps before this one, by the table: for visitors whose browser has no history of ours. */
export function pageBefore(path: string, steps: number, step: Step | null = null): string | null {
  const row = findPage(path)
  const back = typeof row?.back === 'function' ? row.back(step) : row?.back
  return back && steps > 1 ? (pageBefore(back, steps - 1, step) ?? back) : (back ?? null)
}

/** Product 2, Page titles: the first that the path starts with. */
const titles = [
  ['/sign-in', 'description.sign_in'],
  ['/callback', 'description.sign_in'],
  ['/consent', 'description.sign_in'],
  ['/register', 'description.create_account'],
  ['/social/link', 'description.create_account'],
  ['/forgot-password', 'description.reset_password'],
] as const satisfies readonly (readonly [string, PhraseKey])[]

/** Decision 12: a page that completes an account has the title of what it interrupts. */
const eventTitles = {
  SignIn: 'description.sign_in',
  Register: 'description.create_account',
} as const satisfies Record<NonNullable<Step['event']>, PhraseKey>

/** A page that comes back with an error says so first: without script nothing else announces it. */
export function pageTitle(
  page: Pick<BootData, 'path' | 'language' | 'phrases'> & Partial<Pick<BootData, 'notice' | 'step'>>,
): string {
  const t = translator(page)
  const event = page.path.startsWith('/continue/') ? (page.step?.event ?? 'SignIn') : null
  const key = event ? eventTitles[event] : titles.find(([start]) => page.path.startsWith(start))?.[1]
  const title = key ? t(key) : PRODUCT_NAME
  return page.notice ? t('vestibule.title_of_error', { title }) : title
}
