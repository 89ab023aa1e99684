import { DAY, HOUR, MINUTE } from '../contract/time.ts'

type Reader = {
  now: number
  /** The IANA name of the reader's time zone, or null for UTC. */
  timeZone: string | null
  languageTag: string
  /** The text for less than a minute ago. */
  justNow: string
}

/**
 * Describes how long ago a time was, in the largest unit that fits: “2 hours ago”, “yesterday”. From 24 hours on, the
 * days, months and years are those of the calendar in the reader's time zone.
 */
export function describeAge(at: number, { now, timeZone, languageTag, justNow }: Reader): string {
  const format = new Intl.RelativeTimeFormat(languageTag, { numeric: 'auto' })
  // Clocks differ a little, so a time may be in the future.
  const age = Math.max(0, now - at)
  if (age < MINUTE) return justNow
  if (age < HOUR) return format.format(-Math.floor(age / MINUTE), 'minute')
  if (age < DAY) return format.format(-Math.floor(age / HOUR), 'hour')
  const days = countDaysBetween(at, now, timeZone)
  if (days < 30) return format.format(-days, 'day')
  if (days < 365) return format.format(-Math.floor(days / 30), 'month')
  return format.format(-Math.floor(days / 365), 'year')
}

/** Returns the number of calendar days from one time to a later one: 0 if both are on the same day. */
export const countDaysBetween = (from: number, to: number, timeZone: string | null): number =>
  calendarDay(to, timeZone) - calendarDay(from, timeZone)

/** Returns the number of the calendar day on which a time is. */
function calendarDay(at: number, timeZone: string | null): number {
  // The Swedish format of a date is that of ISO 8601.
  const date = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone: timeZone ?? 'UTC' }).format(at)
  return Date.parse(date) / DAY
}
