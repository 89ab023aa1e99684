import type { ReactNode } from 'react'
import { useBoot } from '../context/boot.tsx'
import { FieldFrame } from '../ui/field.tsx'
import { useProblem, useTexts } from './account-view.tsx'

/**
 * Lets users choose one of the tenant's languages, each listed under its own name. Renders nothing if users cannot
 * choose a language.
 */
export function LanguageSelect({ value }: { value: string }) {
  const { languages } = useBoot()
  const t = useTexts()
  if (languages.length === 0) return null
  return (
    <Select
      name="locale"
      label={t('language')}
      hint={t('language_hint')}
      value={value}
      options={languages.map(({ tag }) => tag)}
    >
      {languages.map(({ tag, name, lang = tag }) => (
        <option key={tag} value={tag} lang={lang}>
          {name}
        </option>
      ))}
    </Select>
  )
}

/** Offers the time zones by their names in the time zone database, which are the same in every language. */
export function TimeZoneSelect({ value }: { value: string }) {
  const t = useTexts()
  const zones = Intl.supportedValuesOf('timeZone')
  return (
    <Select name="zoneinfo" label={t('time_zone')} value={value} options={zones}>
      {zones.map((zone) => (
        <option key={zone}>{zone}</option>
      ))}
    </Select>
  )
}

type SelectProps = {
  name: string
  value: string
  label: string
  hint?: string
  required?: boolean
  options: readonly string[]
  children: ReactNode
}

/** A select element that also offers the stored value if it is not one of the regular options. */
export function Select({ name, label, hint, required, value, options, children }: SelectProps) {
  const t = useTexts()
  const problem = useProblem(name)
  return (
    <FieldFrame name={name} label={label} problem={problem} hint={hint}>
      {(attributes) => (
        <select
          name={name}
          defaultValue={value}
          required={required}
          {...(problem && { autoFocus: true })}
          {...attributes}
        >
          <option value="">{t('not_chosen')}</option>
          {value !== '' && !options.includes(value) && <option>{value}</option>}
          {children}
        </select>
      )}
    </FieldFrame>
  )
}
