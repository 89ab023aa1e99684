import type { ReactNode } from 'react'
import { useBoot } from '../context/boot.tsx'
import { FieldFrame } from '../ui/field.tsx'
import { useTexts } from './account-view.tsx'

type Chosen = { value: string; problem: string | undefined }

/** Of the tenant, each under its own name; where users may not choose, there is nothing to select. */
export function LanguageSelect({ value, problem }: Chosen) {
  const { languages } = useBoot()
  const t = useTexts()
  if (languages.length === 0) return null
  return (
    <Select
      name="locale"
      label={t('language')}
      hint={t('language_hint')}
      value={value}
      problem={problem}
      known={languages.map(({ tag }) => tag)}
    >
      {languages.map(({ tag, name, lang = tag }) => (
        <option key={tag} value={tag} lang={lang}>
          {name}
        </option>
      ))}
    </Select>
  )
}

/** By the names of the database, which are alike in every language. */
export function TimeZoneSelect({ value, problem }: Chosen) {
  const t = useTexts()
  const zones = Intl.supportedValuesOf('timeZone')
  return (
    <Select name="zoneinfo" label={t('time_zone')} value={value} problem={problem} known={zones}>
      {zones.map((zone) => (
        <option key={zone}>{zone}</option>
      ))}
    </Select>
  )
}

type SelectProps = Chosen & {
  name: string
  label: string
  hint?: string
  required?: boolean
  known: readonly string[]
  children: ReactNode
}

/** A value that is not in the list stays. */
export function Select({ name, label, hint, required, value, problem, known, children }: SelectProps) {
  const t = useTexts()
  return (
    <FieldFrame {...{ name, label, problem, hint }}>
      {(stated) => (
        <select
          name={name}
          defaultValue={value}
          required={required}
          {...(problem && { autoFocus: true })}
          {...stated}
        >
          <option value="">{t('not_chosen')}</option>
          {value !== '' && !known.includes(value) && <option>{value}</option>}
          {children}
        </select>
      )}
    </FieldFrame>
  )
}
