import type { Experience } from '../../src/contract/experience/experience.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { adaIdentifier, bootExperience, returningAccounts, withTerms } from './boot-data.ts'

const withEveryMethod: Experience = {
  ...bootExperience,
  signIn: {
    methods: (['username', 'email', 'phone'] as const).map((identifier) => ({
      identifier,
      password: true,
      isPasswordPrimary: false,
      verificationCode: identifier !== 'username',
    })),
  },
  signUp: { identifiers: ['username', 'email', 'phone'], password: true, verify: true },
  forgotPassword: { email: true, phone: true },
}

/** The navigation state stored by the previous page. */
const toAda = {
  experience: withEveryMethod,
  navigation: { identifier: { type: 'email', value: 'ada@example.com' } },
} as const

/** Every page in the page table and every page outside it, for tests of the rules that all markup must follow. */
export const everyPage: (Partial<BootData> & { name: string })[] = [
  { name: 'sign-in', path: '/sign-in', experience: withTerms },
  {
    name: 'sign-in in dark',
    experience: { ...bootExperience, color: { ...bootExperience.color, isDarkModeEnabled: true } },
  },
  { name: 'register', path: '/register', experience: withTerms },
  { name: 'register/password', path: '/register/password', navigation: adaIdentifier },
  { name: 'register/password without its step', path: '/register/password' },
  { name: 'sign-in/account', path: '/sign-in/account', accounts: returningAccounts.slice(0, 1) },
  { name: 'sign-in/account with several', path: '/sign-in/account', accounts: returningAccounts },
  { name: 'sign-in/password', path: '/sign-in/password', navigation: adaIdentifier },
  { name: 'sign-in/verification-code', path: '/sign-in/verification-code', ...toAda },
  { name: 'register/verification-code', path: '/register/verification-code', ...toAda },
  { name: 'second-factor', path: '/second-factor' },
  {
    name: 'second-factor/backup-code',
    path: '/second-factor/backup-code',
    search: '?factors=totp,backupCode&backupCodesLeft=2',
  },
  {
    name: 'second-factor/choose',
    path: '/second-factor/choose',
    search: '?factors=passkey,totp,phone,email,backupCode&backupCodesLeft=1',
  },
  {
    name: 'second-factor/passkey',
    path: '/second-factor/passkey',
    search: '?factors=passkey,totp,backupCode',
  },
  { name: 'second-factor/app', path: '/second-factor/app', search: '?factors=totp&unusual=true' },
  { name: 'second-factor/phone', path: '/second-factor/phone', search: '?factors=phone,email' },
  {
    name: 'second-factor/email',
    path: '/second-factor/email',
    navigation: { factorCode: { channel: 'email', sentTo: 'anna****@example.com' }, codeSentAt: 1 },
  },
  {
    name: 'second-factor/recovery',
    path: '/second-factor/recovery',
    search: '?factors=totp,backupCode',
    experience: { ...bootExperience, supportContact: 'help@northwind.example' },
    navigation: {
      secondFactor: { account: { type: 'email', value: 'anna@example.com' }, targets: {}, requestedAt: 1 },
    },
  },
  { name: 'second-factor/set-up', path: '/second-factor/set-up' },
  {
    name: 'second-factor/set-up with its secret',
    path: '/second-factor/set-up',
    navigation: { totp: { secret: 'ABCDEFGH', address: 'otpauth://totp/x?secret=ABCDEFGH' } },
  },
  {
    name: 'second-factor/backup-codes',
    path: '/second-factor/backup-codes',
    navigation: { backupCodes: ['0123-4567-89AB-CDEF'] },
  },
  { name: 'sign-in/passkey', path: '/sign-in/passkey' },
  {
    name: 'sign-in/network',
    path: '/sign-in/network',
    experience: { ...bootExperience, branding: { name: 'Northwind' } },
  },
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
      application: {
        name: 'Shop',
        logo: 'https://shop.example/logo.png',
        termsUrl: 'https://shop.example/terms',
        policyUrl: 'https://shop.example/privacy',
      },
      unregistered: null,
      isSelfRegistered: false,
      device: null,
      organization: null,
      destination: 'shop.example',
      account: { label: 'ada', avatar: null, switchUrl: '/restart?interaction=uid&prompt=login' },
      asked: {
        scopes: ['openid', 'offline_access'],
        claims: [],
        resources: [{ indicator: 'urn:x', name: 'API', scopes: [{ name: 'read', description: null }] }],
      },
      granted: { scopes: [], claims: [], resources: [] },
    },
  },
  {
    name: 'consent for more than before',
    path: '/sign-in/consent',
    consent: {
      application: { name: 'Shop', logo: null, termsUrl: null, policyUrl: null },
      unregistered: null,
      isSelfRegistered: true,
      device: null,
      organization: null,
      destination: 'shop.example',
      account: { label: 'ada', avatar: 'https://shop.example/ada.png', switchUrl: null },
      asked: { scopes: ['email'], claims: ['birthdate', 'locale', 'zoneinfo'], resources: [] },
      granted: { scopes: ['openid'], claims: ['picture'], resources: [] },
    },
  },
  {
    name: 'consent of a client that is not registered',
    path: '/sign-in/consent',
    consent: {
      application: { name: 'Agent', logo: null, termsUrl: null, policyUrl: null },
      unregistered: { host: 'agent.example', isLocal: true },
      isSelfRegistered: false,
      device: null,
      organization: null,
      destination: 'localhost:33418',
      account: { label: 'ada', avatar: null, switchUrl: null },
      asked: { scopes: ['openid'], claims: [], resources: [] },
      granted: { scopes: [], claims: [], resources: [] },
    },
  },
  {
    name: 'organization',
    path: '/organization',
    organizationChoice: {
      application: 'Shop',
      account: { label: 'ada', avatar: null, switchUrl: '/restart?interaction=uid&prompt=login' },
      organizations: Array.from({ length: 12 }, (_, index) => ({ id: `o${index}`, name: `Acme ${index}` })),
      lastUsedId: 'o0',
      allowsPersonal: true,
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
  { name: 'springboard', path: '/springboard', interaction: null },
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
