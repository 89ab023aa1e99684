import type { Experience, SignInMethod } from '../../src/contract/experience/experience.ts'
import type { Identifier } from '../../src/contract/interactions/identifiers.ts'
import { NETWORK_PATH, ORGANIZATION_PATH } from '../../src/contract/organisations/organizations.ts'
import { NEW_PASSKEY_PATH, SIGNED_IN_PAGE } from '../../src/contract/product.ts'
import { RETURNING_PATH } from '../../src/contract/sessions/remembered-accounts.ts'
import {
  extractLastSegment,
  isPasswordChange,
  RECOVERY_PATH,
  SOCIAL_LINK_PATH,
  SOCIAL_RETURN_PATH,
  SPRINGBOARD_PATH,
} from '../context/paths.ts'
import type { PageRow } from './page-row.ts'

const methodOf = ({ type }: Identifier, { signIn }: Experience): SignInMethod | undefined =>
  signIn.methods.find(
    ({ identifier, password, verificationCode }) => identifier === type && (password || verificationCode),
  )

/**
 * Checks whether the identifier is an address that belongs to a sign-in method. A method with only a password is
 * enough, because sign-up also sends codes to addresses (spec/pages#verification-code).
 */
const isMethod: PageRow['allowsIdentifier'] = (identifier, experience) =>
  identifier.type !== 'username' && methodOf(identifier, experience) !== undefined

const canReset = ({ forgotPassword }: Experience) => forgotPassword.email || forgotPassword.phone
const asksFor = (...types: Identifier['type'][]): PageRow['isOffered'] => {
  return ({ signUp }) => types.every((type) => signUp.identifiers.includes(type))
}

/** The properties shared by the pages that ask for missing account data, during both sign-in and registration. */
const continued = {
  kind: 'step',
  needs: 'interaction',
  back: (navigation) => (navigation?.event === 'Register' ? '/register' : '/sign-in'),
} as const satisfies Partial<PageRow>

const missingPage = {
  ...continued,
  page: 'continue-identifier',
  load: () => import('../pages/continue-identifier.tsx'),
  journeys: 'continueAddress',
} as const satisfies Partial<PageRow>

const newPasswordPage = {
  page: 'new-password',
  load: () => import('../pages/new-password.tsx'),
  kind: 'step',
} as const satisfies Partial<PageRow>

const codePage = {
  page: 'verification-code',
  load: () => import('../pages/verification-code.tsx'),
  kind: 'step',
  needs: 'navigation',
} as const satisfies Partial<PageRow>

/**
 * The path of the consent page. The page continues automatically for first-party applications; users of third-party
 * applications have to decide (spec/pages#consent).
 */
export const CONSENT_PATH = '/sign-in/consent'

/** The path of the second-factor pages, which use phrases that no other page needs. */
export const FACTOR_PATH = '/second-factor'

const factorPage = {
  ...continued,
  page: 'second-factor',
  load: () => import('../pages/second-factor.tsx'),
  journeys: 'own',
  heading: 'vestibule.factor_title',
} as const satisfies Partial<PageRow>

/** The paths of the pages that set up an authenticator app. */
export const SET_UP_PATH = `${FACTOR_PATH}/set-up`
export const BACKUP_CODES_PATH = `${FACTOR_PATH}/backup-codes`

export const pageTable: readonly PageRow[] = [
  {
    path: '/sign-in',
    page: 'sign-in',
    load: () => import('../pages/sign-in.tsx'),
    journeys: 'signIn',
    kind: 'landing',
    needs: 'interaction',
    next: ['/register', '/sign-in/password', '/sign-in/verification-code'],
    redirectTo: ({ signInMode }) => (signInMode === 'Register' ? '/register' : null),
  },
  // Without a remembered account, the server leads to /sign-in.
  {
    path: RETURNING_PATH,
    page: 'returning',
    load: () => import('../pages/returning.tsx'),
    journeys: 'own',
    kind: 'landing',
    needs: 'interaction',
    next: ['/sign-in/password', '/sign-in/verification-code'],
    redirectTo: ({ signInMode }) => (signInMode === 'Register' ? '/register' : null),
  },
  {
    path: '/sign-in/password',
    page: 'sign-in-password',
    load: () => import('../pages/sign-in-password.tsx'),
    journeys: 'signInPassword',
    kind: 'step',
    needs: 'navigation',
    back: '/sign-in',
    next: ['/sign-in/verification-code', '/forgot-password'],
    allowsIdentifier: (identifier, experience) => methodOf(identifier, experience)?.password === true,
  },
  {
    ...codePage,
    path: '/sign-in/verification-code',
    journeys: 'signInCode',
    back: '/sign-in',
    next: ['/sign-in/password'],
    allowsIdentifier: (identifier, experience) => methodOf(identifier, experience)?.verificationCode === true,
  },
  ...['', '/passkey', '/app', '/phone', '/email'].map((page) => ({
    ...factorPage,
    path: FACTOR_PATH + page,
  })),
  { ...factorPage, path: `${FACTOR_PATH}/choose`, heading: 'vestibule.factor_other' },
  { ...factorPage, path: RECOVERY_PATH, heading: 'vestibule.recovery_title' },
  { ...factorPage, path: SET_UP_PATH, heading: 'vestibule.factor_setup_title' },
  { ...factorPage, path: BACKUP_CODES_PATH, heading: 'vestibule.factor_codes_title' },
  { ...factorPage, path: `${FACTOR_PATH}/backup-code`, back: FACTOR_PATH },
  {
    ...factorPage,
    path: NEW_PASSKEY_PATH,
    page: 'passkey',
    load: () => import('../pages/passkey.tsx'),
    kind: 'question',
  },
  {
    path: CONSENT_PATH,
    page: 'consent',
    load: () => import('../pages/consent.tsx'),
    journeys: 'consent',
    kind: 'passing',
    needs: 'interaction',
  },
  {
    path: ORGANIZATION_PATH,
    page: 'organization',
    load: () => import('../pages/organization.tsx'),
    journeys: 'own',
    kind: 'landing',
    heading: 'vestibule.organization_title',
    needs: 'interaction',
  },
  {
    path: NETWORK_PATH,
    page: 'network',
    load: () => import('../pages/network.tsx'),
    journeys: 'own',
    kind: 'question',
    needs: 'interaction',
  },
  {
    path: SOCIAL_RETURN_PATH,
    page: 'social-return',
    load: () => import('../pages/social-return.tsx'),
    journeys: 'own',
    kind: 'passing',
    needs: 'interaction',
    back: '/sign-in',
  },
  {
    path: '/register',
    page: 'register',
    load: () => import('../pages/register.tsx'),
    journeys: 'register',
    kind: 'landing',
    needs: 'interaction',
    next: ['/sign-in', '/register/password', '/register/verification-code'],
    redirectTo: ({ signInMode }) => (signInMode === 'SignIn' ? '/sign-in' : null),
  },
  {
    ...newPasswordPage,
    path: '/register/password',
    journeys: 'registerPassword',
    needs: 'navigation',
    back: '/register',
    isOffered: ({ signInMode, signUp }) => signInMode !== 'SignIn' && signUp.identifiers.includes('username'),
  },
  {
    ...codePage,
    path: '/register/verification-code',
    journeys: 'registerCode',
    back: '/register',
    allowsIdentifier: isMethod,
  },
  {
    path: '/forgot-password',
    page: 'forgot-password',
    load: () => import('../pages/forgot-password.tsx'),
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
    allowsIdentifier: ({ type }) => type !== 'username',
  },
  {
    ...newPasswordPage,
    path: '/forgot-password/reset',
    journeys: 'resetPassword',
    needs: 'interaction',
    back: '/forgot-password',
    next: ['/sign-in'],
    isOffered: canReset,
  },
  {
    ...continued,
    ...newPasswordPage,
    path: '/continue/password',
    journeys: 'continuePassword',
    isOffered: ({ signUp }) => signUp.password,
  },
  {
    ...missingPage,
    path: '/continue/username',
    journeys: 'continueUsername',
    isOffered: asksFor('username'),
  },
  { ...missingPage, path: '/continue/email', isOffered: asksFor('email') },
  { ...missingPage, path: '/continue/phone', isOffered: asksFor('phone') },
  { ...missingPage, path: '/continue/emailOrPhone', isOffered: asksFor('email', 'phone') },
  {
    ...codePage,
    path: '/continue/verification-code',
    journeys: 'continueCode',
    back: (navigation) => `/continue/${navigation?.identifier?.type ?? 'email'}`,
    allowsIdentifier: isMethod,
  },
  // This page has its own messages for missing information (spec/pages#social-link).
  {
    path: SOCIAL_LINK_PATH,
    page: 'social-link',
    load: () => import('../pages/social-link.tsx'),
    journeys: 'own',
    kind: 'step',
    needs: 'interaction',
    back: '/sign-in',
  },
  {
    path: '/unknown-session',
    page: 'unknown-session',
    load: () => import('../pages/unknown-session.tsx'),
    kind: 'step',
    heading: 'vestibule.unknown_session_title',
    needs: 'nothing',
  },
  {
    path: SPRINGBOARD_PATH,
    page: 'springboard',
    load: () => import('../pages/springboard.tsx'),
    kind: 'step',
    heading: 'vestibule.return_to_app',
    needs: 'nothing',
  },
  {
    path: SIGNED_IN_PAGE,
    page: 'logout-declined',
    load: () => import('../pages/logout-declined.tsx'),
    kind: 'step',
    heading: (search) =>
      isPasswordChange(search) ? 'vestibule.consent_title' : 'vestibule.still_signed_in_title',
    needs: 'nothing',
  },
]

/** Finds the page at a path, even if the settings disable it. */
export const findPage = (path: string): PageRow | null =>
  pageTable.find((page) => page.path === path || extractLastSegment(path, page.path) !== null) ?? null
