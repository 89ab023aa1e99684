import { useEffect, useMemo, useRef, useState } from 'react'
import type { SignInExperience } from '../../../src/contract/experience.ts'
import { builtInLanguages } from '../../../src/contract/languages.ts'
import { languageNames } from '../../../src/domain/language-names.ts'
import { phrases, useT } from '../../phrases.ts'
import { apiOrigin } from '../../session/place.ts'
import { Select, Switch } from '../../ui/fields.tsx'
import { Segments } from '../../ui/segments.tsx'
import { type PreviewView, previewMessage, validColor } from './preview-message.ts'
import type { Connector } from './settings.ts'

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

/** In CSS pixels: what a user's window has. */
const sizes = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 780 } } as const

const languages = languageNames(builtInLanguages)

/** The real pages in a frame, which shows each change as soon as it is made. */
export function Preview({
  settings,
  connectors,
}: {
  settings: SignInExperience
  connectors: readonly Connector[] | null
}) {
  const t = useT(texts)
  const [screen, setScreen] = useState<Screen>('signIn')
  const [view, setView] = useState<Omit<PreviewView, 'hasFailed'>>({
    device: 'desktop',
    mode: 'light',
    language: settings.languageInfo.fallbackLanguage,
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
        <Select
          label={t('language')}
          value={view.language}
          options={languages.map(({ tag, name }) => ({ value: tag, label: name }))}
          onChange={(language) => show({ language })}
        />
      </div>
      <PreviewFrame
        key={screen}
        title={`${t('preview')}: ${t(screen)}`}
        path={screens[screen]}
        {...{ settings, connectors }}
        view={useMemo(() => ({ ...view, hasFailed: screen === 'error' }), [view, screen])}
      />
      <p className="hint">{t('lead')}</p>
    </section>
  )
}

type FrameProps = {
  title: string
  path: string
  settings: SignInExperience
  connectors: readonly Connector[] | null
  view: PreviewView
}

function PreviewFrame({ title, path, settings, connectors, view }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const lastColor = useRef(settings.color)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const listen = ({ source, origin, data }: MessageEvent<unknown>) => {
      const isOurs = source === frame.current?.contentWindow && origin === apiOrigin
      if (isOurs && isReadyMessage(data)) setReady(true)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [])
  useEffect(() => {
    if (!isReady) return
    const message = previewMessage(settings, connectors, view, lastColor.current)
    lastColor.current = validColor(settings.color, lastColor.current)
    frame.current?.contentWindow?.postMessage(message, apiOrigin)
  }, [isReady, settings, connectors, view])

  const { width, height } = sizes[view.device]
  const [place, scale] = useScale(width)
  return (
    <div ref={place} className={`preview-place ${view.device}`} style={{ blockSize: height * scale }}>
      <iframe
        ref={frame}
        title={title}
        src={`${apiOrigin}${path}?preview=true`}
        style={{ inlineSize: width, blockSize: height, transform: `scale(${scale})` }}
      />
    </div>
  )
}

const isReadyMessage = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'sender' in data && data.sender === 'vestibule_preview_ready'

/** By how much a window of this width is drawn smaller, so that it fits its place. */
function useScale(width: number) {
  const place = useRef<HTMLDivElement>(null)
  const [available, setAvailable] = useState(0)
  useEffect(() => {
    if (!place.current) return
    const observer = new ResizeObserver(([entry]) => setAvailable(entry?.contentRect.width ?? 0))
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return [place, Math.min(1, available / width)] as const
}
