import type { ReactNode } from 'react'
import type { AccountPhraseKey } from '../../../src/contract/account/account-catalogue.ts'
import { findCountry, listCountries } from '../../../src/domain/account/countries.ts'
import {
  type Continent,
  continents,
  formatTimeZone,
  listTimeZones,
} from '../../../src/domain/account/time-zones.ts'
import { toStandardTag } from '../../../src/domain/experience/standard-tag.ts'
import { useBoot } from '../../context/boot.tsx'
import { FieldFrame } from '../../ui/field.tsx'
import { useProblem, useTexts } from '../account-view.tsx'

type Choice = { value: string; hasInitialFocus?: boolean }

/** Lets users choose one of the tenant's languages, each listed under its own name. */
export function LanguageSelect(choice: Choice) {
  const { languages } = useBoot()
  const t = useTexts()
  return (
    <Select
      {...choice}
      name="locale"
      label={t('language')}
      hint={t('language_hint')}
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

/** Lets users choose a time zone by its city. */
export function TimeZoneSelect({ now, ...choice }: Choice & { now: number }) {
  const { language } = useBoot()
  const t = useTexts()
  const zones = listTimeZones(now)
  const { compare } = new Intl.Collator(toStandardTag(language))
  const groups = continents
    .map((continent) => ({ name: t(continentPhrases[continent]), zones: zones.get(continent) ?? [] }))
    .sort((a, b) => compare(a.name, b.name))
  return (
    <Select
      {...choice}
      name="zoneinfo"
      label={t('time_zone')}
      options={groups.flatMap(({ zones }) => zones.map(({ id }) => id))}
      nameOf={(zone) => formatTimeZone(zone, now)}
    >
      {groups.map(({ name, zones }) => (
        <optgroup key={name} label={name} dir="ltr">
          {zones.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  )
}

const continentPhrases = {
  africa: 'continent_africa',
  america: 'continent_america',
  asia: 'continent_asia',
  europe: 'continent_europe',
  oceania: 'continent_oceania',
} as const satisfies Record<Continent, AccountPhraseKey>

/** Lets users choose a country. A stored name that means a country of the list stays as it is stored. */
export function CountrySelect({ value, ...choice }: Choice) {
  const { language } = useBoot()
  const t = useTexts()
  const tag = toStandardTag(language)
  const stored = findCountry(value, tag)
  const countries = listCountries(tag).map(({ code, name }) => ({ name, id: code === stored ? value : code }))
  return (
    <Select
      {...choice}
      name="address.country"
      label={t('country')}
      value={value}
      autoComplete="country"
      options={countries.map(({ id }) => id)}
    >
      {countries.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
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
  autoComplete?: string
  hasInitialFocus?: boolean
  options: readonly string[]
  /** Returns the text of a stored value that is not one of the options. */
  nameOf?: (value: string) => string
  children: ReactNode
}

/** A select element that also offers the stored value if it is not one of the regular options. */
export function Select({
  name,
  label,
  hint,
  required,
  autoComplete,
  hasInitialFocus,
  value,
  options,
  nameOf = (text) => text,
  children,
}: SelectProps) {
  const t = useTexts()
  const problem = useProblem(name)
  return (
    <FieldFrame name={name} label={label} problem={problem} hint={hint}>
      {(attributes) => (
        <select
          name={name}
          defaultValue={value}
          required={required}
          autoComplete={autoComplete}
          {...((problem || hasInitialFocus) && { autoFocus: true })}
          {...attributes}
        >
          <option value="">{t('not_chosen')}</option>
          {value !== '' && !options.includes(value) && <option value={value}>{nameOf(value)}</option>}
          {children}
        </select>
      )}
    </FieldFrame>
  )
}
