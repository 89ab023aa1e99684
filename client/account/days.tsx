import type { ReactNode } from 'react'
import { toStandardTag } from '../../src/domain/experience/standard-tag.ts'
import { countDaysBetween } from '../../src/domain/relative-time.ts'
import { useBoot } from '../context/boot.tsx'
import { useTexts, useView } from './account-view.tsx'
import { EmptyList } from './empty-list.tsx'
import { ActivityIcon } from './icons.tsx'
import { Pager } from './parts.tsx'
import { Rows } from './rows.tsx'

/** Lists entries by day, with links to newer and older ones. */
export function Days<E extends { at: number }>({
  entries,
  older,
  isFirst,
  children,
}: {
  entries: readonly E[]
  /** The cursor of the next page, or null on the last one. */
  older: string | null
  isFirst: boolean
  children: (entry: E) => ReactNode
}) {
  const t = useTexts()
  const { now, timeZone } = useView()
  const nameOf = useDayFormatter()
  const days = new Map<number, E[]>()
  for (const entry of entries) {
    // Clocks differ a little, so an entry may be from tomorrow.
    const age = Math.max(0, countDaysBetween(entry.at, now, timeZone))
    days.set(age, [...(days.get(age) ?? []), entry])
  }
  return (
    <>
      {entries.length === 0 && <EmptyList icon={<ActivityIcon />} text={t('no_activity')} />}
      {[...days].map(([age, ofDay]) => (
        <Rows key={age} title={nameOf(age, ofDay[0]?.at ?? now)}>
          {ofDay.map(children)}
        </Rows>
      ))}
      <Pager older={older} isFirst={isFirst} />
    </>
  )
}

export function TimeOfDay({ at }: { at: number }) {
  const { language } = useBoot()
  const { timeZone } = useView()
  const format = new Intl.DateTimeFormat(toStandardTag(language), {
    hour: 'numeric',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
    ...(timeZone === null && { timeZoneName: 'short' }),
  })
  return (
    <time className="account-time" dateTime={new Date(at).toISOString()}>
      {format.format(at)}
    </time>
  )
}

/** Returns a function that names a day by its age in days and a time on it: “Today”, “Yesterday” or a date. */
function useDayFormatter() {
  const { language } = useBoot()
  const { now, timeZone } = useView()
  const tag = toStandardTag(language)
  const zone = { timeZone: timeZone ?? 'UTC' }
  const yearOf = new Intl.DateTimeFormat('en', { ...zone, year: 'numeric' })
  return (age: number, at: number): string => {
    if (age <= 1)
      return capitalize(new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }).format(-age, 'day'), tag)
    const isThisYear = yearOf.format(at) === yearOf.format(now)
    const date = { weekday: 'long', month: 'long', day: 'numeric' } as const
    const format = new Intl.DateTimeFormat(tag, { ...zone, ...date, ...(!isThisYear && { year: 'numeric' }) })
    return capitalize(format.format(at), tag)
  }
}

/** Begins a heading with a capital letter, in languages that have them. */
function capitalize(text: string, tag: string): string {
  const [first = '', ...rest] = text
  return first.toLocaleUpperCase(tag) + rest.join('')
}
