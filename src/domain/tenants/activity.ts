/** Active users, computed from a few numbers a day (ADR-0016). Days are counted from 1970-01-01 in UTC. */

import { DAY } from '../../contract/time.ts'

export const dayNumber = (time: number): number => Math.floor(time / DAY)
export const dayToDate = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10)

/**
 * On this day `count` users were active whose last activity was `gap` days before. A gap of 30 stands for 30 or more,
 * and for users never active before.
 */
type ActivityCount = { day: number; gap: number; count: number }

const WEEK = 7
const MONTH = 30

/** A month and the month before it. */
export const ACTIVITY_DAYS = 2 * MONTH

type Trend = { count: number; delta: number }
type Activity = {
  dauCurve: { date: string; count: number }[]
  dau: Trend
  wau: Trend
  mau: Trend
}

/**
 * Returns the trends of the day, week and month ending with `today`, each compared with the previous one
 * (spec/management#dashboard).
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
 * Counts each user once: on the first active day in this period, which is the one whose gap reaches back before the
 * period.
 */
function activeIn(counts: readonly ActivityCount[], last: number, days: number): number {
  const first = last - days + 1
  return counts
    .filter(({ day, gap }) => day >= first && day <= last && day - gap < first)
    .reduce((sum, { count }) => sum + count, 0)
}
