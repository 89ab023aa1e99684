import { useMemo, useState } from 'react'
import { phrases, useT } from '../../phrases.ts'
import { Select, Switch } from '../../ui/fields.tsx'
import { Segments } from '../../ui/segments.tsx'
import type { LanguageOfPages } from './languages-of-pages.ts'
import { PreviewFrame } from './preview-frame.tsx'
import type { Previewed, PreviewView } from './preview-message.ts'

const texts = phrases({
  en: {
    preview: 'Preview',
    lead: 'The real page with your changes. It takes no input.',
    screen: 'Screen',
    language: 'Language of the pages',
    device: 'Device',
    desktop: 'Desktop',
    phone: 'Phone',
    mode: 'Theme of the pages',
    light: 'Light',
    dark: 'Dark',
    native: 'In an app',
    signIn: 'Sign in',
    password: 'Password',
    code: 'Code',
    register: 'Create account',
    forgot: 'Forgotten password',
    reset: 'New password',
    factor: 'Second factor',
    passkey: 'Offer of a passkey',
    consent: 'Consent',
    error: 'Error',
    unknown: 'Session not found',
    notFound: 'Page not found',
    account: 'Account',
    accountProfile: 'Account: profile',
    accountSignIn: 'Account: sign-in and security',
    accountActivity: 'Account: activity',
  },
  de: {
    preview: 'Vorschau',
    lead: 'Die echte Seite mit Ihren Änderungen. Sie nimmt keine Eingaben an.',
    screen: 'Seite',
    language: 'Sprache der Seiten',
    device: 'Gerät',
    desktop: 'Rechner',
    phone: 'Telefon',
    mode: 'Erscheinungsbild der Seiten',
    light: 'Hell',
    dark: 'Dunkel',
    native: 'In einer App',
    signIn: 'Anmelden',
    password: 'Passwort',
    code: 'Code',
    register: 'Konto anlegen',
    forgot: 'Passwort vergessen',
    reset: 'Neues Passwort',
    factor: 'Zweiter Faktor',
    passkey: 'Angebot eines Passkeys',
    consent: 'Zustimmung',
    error: 'Fehler',
    unknown: 'Sitzung nicht gefunden',
    notFound: 'Seite nicht gefunden',
    account: 'Konto',
    accountProfile: 'Konto: Profil',
    accountSignIn: 'Konto: Anmeldung und Sicherheit',
    accountActivity: 'Konto: Aktivität',
  },
})

/** Pages of the experience, in the order in which a user meets them. */
const screens = {
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
type Screen = keyof typeof screens

/** The real pages in a frame, which shows each change as soon as it is made. */
export function Preview({ pages, previewed }: { pages: LanguageOfPages; previewed: Previewed | null }) {
  const t = useT(texts)
  const { language, languages, onLanguage } = pages
  const [screen, setScreen] = useState<Screen>('signIn')
  const [view, setView] = useState<Omit<PreviewView, 'hasFailed' | 'language'>>({
    device: 'desktop',
    mode: 'light',
    isNative: false,
  })
  const show = (changes: Partial<typeof view>) => setView((before) => ({ ...before, ...changes }))
  return (
    <section className="preview" aria-label={t('preview')}>
      <div className="preview-tools">
        <Segments
          label={t('device')}
          value={view.device}
          options={(['desktop', 'phone'] as const).map((value) => ({ value, label: t(value) }))}
          onChange={(device) => show({ device })}
        />
        <Segments
          label={t('mode')}
          value={view.mode}
          options={(['light', 'dark'] as const).map((value) => ({ value, label: t(value) }))}
          onChange={(mode) => show({ mode })}
        />
        <Switch label={t('native')} isSelected={view.isNative} onChange={(isNative) => show({ isNative })} />
      </div>
      <div className="preview-tools">
        <Select
          label={t('screen')}
          value={screen}
          options={(Object.keys(screens) as Screen[]).map((value) => ({ value, label: t(value) }))}
          onChange={setScreen}
        />
        <Select label={t('language')} value={language} options={languages} onChange={onLanguage} />
      </div>
      <PreviewFrame
        key={screen}
        title={`${t('preview')}: ${t(screen)}`}
        path={screens[screen]}
        previewed={previewed}
        view={useMemo(() => ({ ...view, language, hasFailed: screen === 'error' }), [view, language, screen])}
      />
      <p className="hint">{t('lead')}</p>
    </section>
  )
}
