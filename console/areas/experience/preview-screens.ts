import { phrases } from '../../phrases.ts'

export const screenPhrases = phrases({
  en: {
    signIn: 'Sign in',
    password: 'Password',
    code: 'Code',
    register: 'Create account',
    forgot: 'Forgot password',
    reset: 'New password',
    factor: 'Second factor',
    passkey: 'Create a passkey',
    consent: 'Consent',
    account: 'Account',
    accountProfile: 'Account: profile',
    accountSignIn: 'Account: sign-in and security',
    accountActivity: 'Account: activity',
    error: 'Error',
    unknown: 'Session not found',
    notFound: 'Page not found',
  },
  de: {
    signIn: 'Anmelden',
    password: 'Passwort',
    code: 'Code',
    register: 'Konto erstellen',
    forgot: 'Passwort vergessen',
    reset: 'Neues Passwort',
    factor: 'Zweiter Faktor',
    passkey: 'Passkey erstellen',
    consent: 'Einwilligung',
    account: 'Konto',
    accountProfile: 'Konto: Profil',
    accountSignIn: 'Konto: Anmeldung und Sicherheit',
    accountActivity: 'Konto: Aktivität',
    error: 'Fehler',
    unknown: 'Sitzung nicht gefunden',
    notFound: 'Seite nicht gefunden',
  },
})

/** The pages of the sign-in experience, in the order in which users see them. */
export const screens = {
  signIn: '/sign-in',
  password: '/sign-in/password',
  code: '/sign-in/verification-code',
  register: '/register',
  forgot: '/forgot-password',
  reset: '/forgot-password/reset',
  factor: '/second-factor/app',
  passkey: '/sign-in/passkey',
  consent: '/sign-in/consent',
  account: '/account',
  accountProfile: '/account/profile',
  accountSignIn: '/account/sign-in',
  accountActivity: '/account/activity',
  error: '/sign-in',
  unknown: '/unknown-session',
  notFound: '/no-such-page',
} as const
export type Screen = keyof typeof screens

export const findScreen = (path: string): Screen | undefined =>
  (Object.keys(screens) as Screen[]).find((screen) => screens[screen] === path)
