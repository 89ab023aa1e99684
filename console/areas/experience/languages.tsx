import { phrases, useT } from '../../phrases.ts'
import { Select, Switch } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { CustomPhrases } from './custom-phrases.tsx'
import { bindSetting, type PartProps } from './settings.ts'

export const languagePhrases = phrases({
  en: {
    title: 'Languages',
    'languageInfo.autoDetect': 'Use the language of the user’s browser',
    detectHint: 'If this is off, every user gets the language below.',
    'languageInfo.fallbackLanguage': 'Language for everyone else',
  },
  de: {
    title: 'Sprachen',
    'languageInfo.autoDetect': 'Browsersprache des Benutzers verwenden',
    detectHint: 'Sonst bekommt jeder Benutzer die Sprache unten.',
    'languageInfo.fallbackLanguage': 'Sprache für alle anderen',
  },
})

/**
 * Edits which language pages use, and the operator's custom phrases (spec/experience#languages,
 * spec/experience#custom-phrases).
 */
export function LanguageSettings(part: PartProps) {
  const t = useT(languagePhrases)
  const { settings, isReadOnly, texts, pages } = part
  const fields = bindSetting(part, 'languageInfo')
  return (
    <>
      <Card title={t('title')}>
        <Switch label={t('languageInfo.autoDetect')} hint={t('detectHint')} {...fields.flag('autoDetect')} />
        <Select
          label={t('languageInfo.fallbackLanguage')}
          {...fields.choice('fallbackLanguage')}
          options={pages.languages}
        />
      </Card>
      <CustomPhrases
        pages={pages}
        fallback={settings.languageInfo.fallbackLanguage}
        brand={settings.branding.name}
        form={texts}
        isReadOnly={isReadOnly}
      />
    </>
  )
}
