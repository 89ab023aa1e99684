import type { z } from 'zod'
import type { CustomPhrasesSchema } from '../../../src/contract/custom-phrases.schema.ts'
import { builtInLanguages } from '../../../src/contract/languages.ts'
import { languageNames } from '../../../src/domain/language-names.ts'
import { useApi } from '../../api/queries.ts'
import { phrases, useT } from '../../phrases.ts'
import { Select, Switch } from '../../ui/fields.tsx'
import { Card } from '../../ui/page.tsx'
import { CustomPhrases } from './custom-phrases.tsx'
import type { SettingsForm } from './settings.ts'

const texts = phrases({
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

export type PhrasesOfLanguage = z.infer<typeof CustomPhrasesSchema>

/** Which language a page has, and texts of the operator (spec/experience#languages, spec/experience#custom-phrases). */
export function LanguageSettings({ settings: { languageInfo }, change, problems, isReadOnly }: SettingsForm) {
  const t = useT(texts)
  const { data } = useApi<PhrasesOfLanguage[]>('/custom-phrases')
  const added = (data?.data ?? []).map(({ languageTag }) => languageTag)
  const tags = [...new Set([...builtInLanguages, ...added, languageInfo.fallbackLanguage])]
  const options = languageNames(tags).map(({ tag, name }) => ({ value: tag, label: name }))
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
          options={options}
          problem={problems['languageInfo.fallbackLanguage']}
          isDisabled={isReadOnly}
          onChange={(fallbackLanguage) => change({ languageInfo: { ...languageInfo, fallbackLanguage } })}
        />
      </Card>
      {data && <CustomPhrases languages={options} stored={data.data} isReadOnly={isReadOnly} />}
    </>
  )
}
