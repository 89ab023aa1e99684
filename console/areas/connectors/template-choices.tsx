import { isMailOnly, usageTypes } from '../../../src/contract/connectors/message-types.ts'
import { builtInLanguages } from '../../../src/contract/experience/languages.ts'
import { languageNames } from '../../../src/domain/experience/language-names.ts'
import { useT } from '../../phrases.ts'
import { Select } from '../../ui/fields.tsx'
import { isTemplateFor, type Template, type TemplateName } from './template-list.ts'
import { texts } from './template-phrases.ts'

type TemplateChoicesProps = {
  isMail: boolean
  name: TemplateName
  templates: readonly Template[]
  onChange: (name: TemplateName) => void
}

/** Chooses a type of message and a language, and marks those that have a text of the operator's. */
export function TemplateChoices({ isMail, name, templates, onChange }: TemplateChoicesProps) {
  const t = useT(texts)
  // Invitations are only sent by email.
  const types = usageTypes.filter((type) => isMail || !isMailOnly(type))
  const ofType = templates.filter(({ usageType }) => usageType === name.usageType)
  const tags = new Set([...builtInLanguages, ...ofType.flatMap(({ language }) => language || [])])
  const languages = [
    { value: '', label: t('allLanguages') },
    ...languageNames([...tags]).map(({ tag, name }) => ({ value: tag, label: name })),
  ]
  const mark = (label: string, hasOwn: boolean) => (hasOwn ? t('hasOwn', { name: label }) : label)
  return (
    <>
      <Select
        label={t('type')}
        value={name.usageType}
        options={types.map((type) => ({
          value: type,
          label: mark(
            t(type),
            templates.some(({ usageType }) => usageType === type),
          ),
        }))}
        onChange={(usageType) => onChange({ ...name, usageType })}
      />
      <Select
        label={t('language')}
        value={name.language}
        options={languages.map(({ value, label }) => ({
          value,
          label: mark(label, ofType.some(isTemplateFor({ ...name, language: value }))),
        }))}
        onChange={(language) => onChange({ ...name, language })}
      />
    </>
  )
}
