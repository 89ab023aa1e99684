import { phrases, useT } from '../../phrases.ts'
import { Select, Switch } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { CustomPhrases } from './custom-phrases.tsx'
import type { PartProps } from './settings.ts'

export const languageTexts = phrases({
  en: {
    title: 'Languages',
    detect: 'Follow the browser of the user',
    detectHint: 'Otherwise every user gets the language below.',
    fallback: 'Language for everyone else',
  },
  de: {
    title: 'Sprachen',
    detect: 'Dem Browser des Benutzers folgen',
    detectHint: 'Sonst bekommt jeder Benutzer die Sprache unten.',
    fallback: 'Sprache für alle anderen',
  },
})

/** Which language a page has, and texts of the operator (spec/experience#languages, spec/experience#custom-phrases). */
export function LanguageSettings({ settings, change, problems, isReadOnly, texts: form, pages }: PartProps) {
  const t = useT(languageTexts)
  const { languageInfo } = settings
  return (
    <>
      <Card title={t('title')}>
        <Switch
          label={t('detect')}
          hint={t('detectHint')}
          isSelected={languageInfo.autoDetect}
          isDisabled={isReadOnly}
          onChange={(autoDetect) => change({ languageInfo: { ...languageInfo, autoDetect } })}
        />
        <Select
          label={t('fallback')}
          value={languageInfo.fallbackLanguage}
          options={pages.languages}
          problem={problems['languageInfo.fallbackLanguage']}
          isDisabled={isReadOnly}
          onChange={(fallbackLanguage) => change({ languageInfo: { ...languageInfo, fallbackLanguage } })}
        />
      </Card>
      <CustomPhrases
        pages={pages}
        fallback={languageInfo.fallbackLanguage}
        brand={settings.branding.name}
        form={form}
        isReadOnly={isReadOnly}
      />
    </>
  )
}
