import type { BootData } from '../../src/contract/boot.ts'
import type { Experience } from '../../src/contract/experience.ts'
import { adaIdentifier, bootExperience, withTerms } from './boot-data.ts'

const withEveryMethod: Experience = {
  ...bootExperience,
  signIn: {
    methods: (['username', 'email', 'phone'] as const).map((identifier) => ({
      ...{ identifier, password: true, isPasswordPrimary: false },
      verificationCode: identifier !== 'username',
    })),
  },
  signUp: { identifiers: ['username', 'email', 'phone'], password: true, verify: true },
  forgotPassword: { email: true, phone: true },
}

/** With the navigation state that the page before has left. */
const toAda = {
  experience: withEveryMethod,
  navigation: { identifier: { type: 'email', value: 'ada@example.com' } },
} as const

/** Every page of the table, and what is shown without a row, for the rules that hold for all markup. */
export const everyPage: (Partial<BootData> & { name: string })[] = [
  { name: 'sign-in', path: '/sign-in', experience: withTerms },
  {
    name: 'sign-in in dark',
    experience: { ...bootExperience, color: { ...bootExperience.color, isDarkModeEnabled: true } },
  },
  { name: 'register', path: '/register', experience: withTerms },
  { name: 'register/password', path: '/register/password', navigation: adaIdentifier },
  { name: 'register/password without its step', path: '/register/password' },
  { name: 'sign-in/password', path: '/sign-in/password', navigation: adaIdentifier },
  { name: 'sign-in/verification-code', path: '/sign-in/verification-code', ...toAda },
  { name: 'register/verification-code', path: '/register/verification-code', ...toAda },
  { name: 'forgot-password', path: '/forgot-password', ...toAda },
  { name: 'forgot-password/verification-code', path: '/forgot-password/verification-code', ...toAda },
  { name: 'forgot-password/reset', path: '/forgot-password/reset', ...toAda },
  { name: 'continue/password', path: '/continue/password', ...toAda },
  { name: 'continue/username', path: '/continue/username', ...toAda },
  { name: 'continue/email', path: '/continue/email', ...toAda },
  { name: 'continue/phone', path: '/continue/phone', ...toAda },
  { name: 'continue/emailOrPhone', path: '/continue/emailOrPhone', ...toAda },
  { name: 'continue/verification-code', path: '/continue/verification-code', ...toAda },
  { name: 'consent', path: '/sign-in/consent' },
  {
    name: 'consent of a third party',
    path: '/sign-in/consent',
    consent: {
      application: { name: 'Shop', logo: 'https://shop.example/logo.png' },
      destination: 'shop.example',
      account: { label: 'ada', avatar: null },
      scopes: ['openid', 'offline_access'],
      resources: [{ indicator: 'urn:x', name: 'API', scopes: [{ name: 'read', description: null }] }],
    },
  },
  { name: 'sign-in/social', path: '/sign-in/social/github', search: '?code=a&interaction=uid' },
  { name: 'social/link without its step', path: '/social/link/github' },
  {
    name: 'social/link',
    path: '/social/link/github',
    navigation: { registeredSocialIdentity: { email: 'a***@example.com' } },
  },
  { name: 'unknown-session', path: '/unknown-session', interaction: null },
  { name: 'not found', path: '/nowhere', interaction: null },
  { name: 'error', error: { code: 'oidc.provider_error', message: 'No.' } },
  {
    name: 'expired',
    error: { code: 'session.not_found', message: 'Over.' },
    restartUrl: '/oidc/auth?client_id=x',
  },
  {
    name: 'an alert',
    path: '/register/password',
    navigation: adaIdentifier,
    notice: { kind: 'alert', message: 'Taken', back: 1 },
  },
  {
    name: 'consent that failed',
    path: '/sign-in/consent',
    notice: { kind: 'inline', field: null, message: 'Not now.' },
  },
  { name: 'still signed in', path: '/signed-in', interaction: null },
  {
    name: 'sign-out',
    logout: { stage: 'asking', formAction: '/oidc/session/end/confirm', xsrf: 'x', needsQuestion: true },
  },
  {
    name: 'signing out',
    logout: { stage: 'asking', formAction: '/oidc/session/end/confirm', xsrf: 'x', needsQuestion: false },
  },
  { name: 'signed out', logout: { stage: 'done' } },
]
