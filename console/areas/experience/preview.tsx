import { useMemo, useState } from 'react'
import { phrases, useT } from '../../phrases.ts'
import { Select, Switch } from '../../ui/fields.tsx'
import { SegmentedControl } from '../../ui/segments.tsx'
import type { PageLanguage } from './languages-of-pages.ts'
import { PreviewFrame } from './preview-frame.tsx'
import type { PreviewData, PreviewState } from './preview-message.ts'
import { type Screen, screenPhrases, screens } from './preview-screens.ts'

const texts = phrases({
  en: {
    preview: 'Preview',
    lead: 'This is the real page with your changes. It doesn’t accept input.',
    screen: 'Screen',
    language: 'Page language',
    desktop: 'Desktop',
    phone: 'Phone',
    mode: 'Page theme',
    native: 'In an app',
  },
  de: {
    preview: 'Vorschau',
    lead: 'Das ist die echte Seite mit Ihren Änderungen. Sie nimmt keine Eingaben an.',
    screen: 'Seite',
    language: 'Sprache der Seiten',
    desktop: 'Computer',
    phone: 'Telefon',
    mode: 'Erscheinungsbild der Seiten',
    native: 'In einer App',
  },
})

/** The page that the preview shows and its options, except for the language. */
type Look = Omit<PreviewState, 'hasFailed' | 'language'> & { screen: Screen }

/** Remembers the options after the preview is closed. On phones, the preview starts in phone view. */
export function usePreviewLook() {
  return useState<Look>(() => ({
    screen: 'signIn',
    device: window.matchMedia('(width < 52rem)').matches ? 'phone' : 'desktop',
    mode: 'light',
    isNative: false,
  }))
}

export type PreviewProps = {
  pages: PageLanguage
  /** The settings to preview, or null while they are loading. */
  previewData: PreviewData | null
  look: Look
  onLookChange: (look: Look) => void
  /** Called when the user presses Escape inside the page. */
  onEscape?: () => void
}

/** Shows the real pages in a frame. Every change appears immediately. */
export function Preview({ pages, previewData, look, onLookChange, onEscape }: PreviewProps) {
  const t = useT(texts, screenPhrases)
  const { language, languages, onLanguage } = pages
  const { screen, device, isNative } = look
  // If there is no dark theme, the pages are always light.
  const hasDark = previewData?.settings.color.isDarkModeEnabled ?? false
  const mode = hasDark ? look.mode : 'light'
  const show = (changes: Partial<Look>) => onLookChange({ ...look, ...changes })
  return (
    <section className="preview" aria-label={t('preview')}>
      <div className="preview-tools">
        <SegmentedControl
          label={t('device')}
          value={device}
          options={(['desktop', 'phone'] as const).map((value) => ({ value, label: t(value) }))}
          onChange={(chosen) => show({ device: chosen })}
        />
        {hasDark && (
          <SegmentedControl
            label={t('mode')}
            value={mode}
            options={(['light', 'dark'] as const).map((value) => ({ value, label: t(value) }))}
            onChange={(chosen) => show({ mode: chosen })}
          />
        )}
        <Switch label={t('native')} isSelected={isNative} onChange={(isOn) => show({ isNative: isOn })} />
      </div>
      <div className="preview-tools">
        <Select
          label={t('screen')}
          value={screen}
          options={(Object.keys(screens) as Screen[]).map((value) => ({ value, label: t(value) }))}
          onChange={(chosen) => show({ screen: chosen })}
        />
        <Select label={t('language')} value={language} options={languages} onChange={onLanguage} />
      </div>
      <p className="hint">{t('lead')}</p>
      <PreviewFrame
        key={screen}
        title={`${t('preview')}: ${t(screen)}`}
        path={screens[screen]}
        view={useMemo(
          () => ({ device, mode, isNative, language, hasFailed: screen === 'error' }),
          [device, mode, isNative, language, screen],
        )}
        previewData={previewData}
        onEscape={onEscape}
      />
    </section>
  )
}
