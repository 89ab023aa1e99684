import type { ReactNode } from 'react'
import { splitBirthdate } from '../../../src/domain/account/birthdate.ts'
import { getCountryName } from '../../../src/domain/account/countries.ts'
import { formatTimeZone } from '../../../src/domain/account/time-zones.ts'
import { toStandardTag } from '../../../src/domain/experience/standard-tag.ts'
import { useBoot } from '../../context/boot.tsx'
import { useTexts } from '../account-view.tsx'
import { genderPhrase, type ProfileFieldName } from './profile-fields.ts'

/** A field and its value, in a list of them. */
export function ProfileRow({ name, children }: { name: string; children: ReactNode }) {
  const t = useTexts()
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children || <span className="account-quiet">{t('not_chosen')}</span>}</dd>
    </div>
  )
}

/** The value of a field as users read it. */
export function ProfileValue({ name, value, now }: { name: ProfileFieldName; value: string; now: number }) {
  const { language, languages } = useBoot()
  const t = useTexts()
  const tag = toStandardTag(language)
  switch (name) {
    case 'birthdate':
      return <bdi>{formatBirthdate(value, tag)}</bdi>
    case 'gender': {
      const phrase = genderPhrase(value)
      return <bdi>{phrase ? t(phrase) : value}</bdi>
    }
    case 'locale': {
      const chosen = languages.find(({ tag }) => tag === value)
      return <bdi lang={chosen?.lang ?? value}>{chosen?.name ?? value}</bdi>
    }
    case 'zoneinfo':
      return <bdi dir="ltr">{formatTimeZone(value, now)}</bdi>
    case 'website':
      return <bdi dir="ltr">{value.replace(/^https?:\/\/|\/$/g, '')}</bdi>
    case 'address.country':
      return <bdi>{getCountryName(value, tag)}</bdi>
    default:
      return <bdi>{value}</bdi>
  }
}

/** Formats a date of birth as far as it is known, in the calendar of the three fields in which it is entered. */
function formatBirthdate(value: string, tag: string): string {
  const { day, month, year } = splitBirthdate(value)
  if (month === '') return year
  const format = new Intl.DateTimeFormat(tag, {
    calendar: 'gregory',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
    ...(year && { year: 'numeric' }),
  })
  // 2000 has a 29 February.
  return format.format(Date.parse(`${year || '2000'}-${month}-${day.padStart(2, '0')}`))
}
