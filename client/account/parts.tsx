import type { ComponentProps, ReactNode } from 'react'
import type { AccountPhraseKey } from '../../src/contract/account/account-catalogue.ts'
import { toStandardTag } from '../../src/domain/experience/standard-tag.ts'
import { getPlaceNames, type Place } from '../../src/domain/place.ts'
import { useBoot } from '../context/boot.tsx'
import type { PhraseKey } from '../context/phrases.ts'
import { Field } from '../ui/field.tsx'
import { AlertIcon } from '../ui/icons.tsx'
import { useProblem, useTexts, useView } from './account-view.tsx'

/**
 * Shows what a form changed or why it was rejected. A problem with a single field is shown next to that field
 * instead.
 */
export function StatusMessage() {
  const { flash, problem } = useView()
  const t = useTexts()
  if (problem && problem.field === null) {
    return (
      <div className="form-problem" role="alert">
        <AlertIcon />
        <p>{problem.message}</p>
      </div>
    )
  }
  if (!flash) return null
  return (
    <p className="account-flash" role="status">
      {t(flash.message as AccountPhraseKey | PhraseKey, flash.values)}
    </p>
  )
}

/** A form field with its error message, if there is one. */
export const Input = (field: ComponentProps<typeof Field>) => (
  <Field {...field} problem={useProblem(field.name)} />
)

/** A heading with a sentence below it. */
export function Heading({ title, lead }: { title: ReactNode; lead?: ReactNode }) {
  return (
    <div className="account-heading">
      <h1>{title}</h1>
      {lead && <p>{lead}</p>}
    </div>
  )
}

export const DetailList = ({ children }: { children: ReactNode }) => (
  <dl className="account-facts">{children}</dl>
)

/** A name and its value. Renders nothing if there is no value. */
export function Detail({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** A name and a point in time, such as the time of the last use. */
export const TimeDetail = ({ name, at }: { name: string; at: number | null }) => (
  <Detail name={name}>{at === null ? null : <Moment at={at} />}</Detail>
)

export const ActionLink = ({ to, children }: { to: string; children: string }) => (
  <a className="account-action" href={to}>
    {children}
  </a>
)

/** Links to older entries, unless this page has the last ones, and to the newest, unless this is the first page. */
export function Pager({ older, isFirst }: { older: string | null; isFirst: boolean }) {
  const t = useTexts()
  const { path } = useBoot()
  if (older === null && isFirst) return null
  return (
    <p className="account-pager">
      {!isFirst && <ActionLink to={path}>{t('newest')}</ActionLink>}
      {older && <ActionLink to={`${path}?before=${older}`}>{t('older')}</ActionLink>}
    </p>
  )
}

/** A form with one button that acts on one list item. `about` is the id of the element that names the item. */
export function ActionForm({
  intent,
  id,
  about,
  action,
  children,
}: {
  intent: string
  id?: string
  about?: string
  /** The URL to post to. Required if the page's own URL might not accept forms. */
  action?: string
  children: string
}) {
  return (
    <form method="post" action={action}>
      {id !== undefined && <input type="hidden" name="id" value={id} />}
      <button type="submit" className="account-action" name="intent" value={intent} aria-describedby={about}>
        {children}
      </button>
    </form>
  )
}

/**
 * Returns a function that formats a time in the page's language and in the user's time zone, or in UTC (and marked as
 * such) if that zone is unknown. With `hasZone`, the zone is always marked.
 */
export function useMomentFormatter(hasZone = false) {
  const { language } = useBoot()
  const { timeZone } = useView()
  const format = new Intl.DateTimeFormat(toStandardTag(language), {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: timeZone ?? 'UTC',
    ...((hasZone || timeZone === null) && { timeZoneName: 'short' }),
  })
  return (at: number): string => format.format(at)
}

export function Moment({ at, hasZone }: { at: number; hasZone?: boolean }) {
  return <time dateTime={new Date(at).toISOString()}>{useMomentFormatter(hasZone)(at)}</time>
}

/** Returns a function that formats a date without a time. */
export function useDateFormatter() {
  const { language } = useBoot()
  const { timeZone } = useView()
  const options = { dateStyle: 'long', timeZone: timeZone ?? 'UTC' } as const
  const format = new Intl.DateTimeFormat(toStandardTag(language), options)
  return (at: number): string => format.format(at)
}

export function FormattedDate({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{useDateFormatter()(at)}</time>
}

/** Returns a function that formats the name of a browser and its operating system. */
export function useDeviceFormatter() {
  const t = useTexts()
  return ({ browser, system }: { browser: string | null; system: string | null }): string =>
    browser && system ? t('device', { browser, system }) : (browser ?? system ?? t('unknown_device'))
}

/**
 * Returns a function that formats a location: the country in the page's language, and the city as the network
 * reports it.
 */
export function useLocationFormatter() {
  const { language } = useBoot()
  return (place: Place): string | null => getPlaceNames(place, toStandardTag(language)).join(', ') || null
}
