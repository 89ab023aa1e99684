/**
 * Calculates the numbers of active users from a few stored counts per day (ADR-0016). Days are numbered from 1970-01-01
 * in UTC.
 */

import { DAY } from '../../contract/time.ts'

export const dayNumber = (time: number): number => Math.floor(time / DAY)
export const dayToDate = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)

/**
 * The number of users who were active on this day and whose previous active day was `gap` days earlier. A gap of 30
 * means 30 or more, and includes users who had never been active before.
 */
type ActivityCount = { day: number; gap: number; count: number }

const WEEK = 7
const MONTH = 30

/** The number of days for which counts are needed: a month and the month before it. */
export const ACTIVITY_DAYS = 2 * MONTH

type Trend = { count: number; delta: number }
type Activity = {
  dauCurve: { date: string; count: number }[]
  dau: Trend
  wau: Trend
  mau: Trend
}

/**
 * Returns the active users of the day, week and month ending with `today`, each with the difference from the period
 * before (spec/management#dashboard).
 */
export function activityTrends(counts: readonly ActivityCount[], today: number): Activity {
  const trend = (days: number): Trend => {
    const count = activeIn(counts, today, days)
    return { count, delta: count - activeIn(counts, today - days, days) }
  }
  const month = Array.from({ length: MONTH }, (_, index) => today - MONTH + 1 + index)
  return {
    dauCurve: month.map((day) => ({ date: dayToDate(day), count: activeIn(counts, day, 1) })),
    dau: trend(1),
    wau: trend(WEEK),
    mau: trend(MONTH),
  }
}

/**
 * Counts the users who were active in a period. Each user is counted on the first active day in the period, which is
 * the day whose gap reaches back to before the period.
 */
function activeIn(counts: readonly ActivityCount[], last: number, days: number): number {
  const first = last - days + 1
  return counts
    .filter(({ day, gap }) => day >= first && day <= last && day - gap < first)
    .reduce((sum, { count }) => sum + count, 0)
}
