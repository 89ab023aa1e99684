import { describe, expect, it } from 'vitest'
import { activityTrends, dayNumber, dayToDate } from '../../../src/domain/tenants/activity.ts'

describe('user activity', () => {
  const today = 20_000

  it('is zero for each of thirty days without active users', () => {
    const { dauCurve, ...trends } = activityTrends([], today)
    expect(trends).toEqual({
      dau: { count: 0, delta: 0 },
      wau: { count: 0, delta: 0 },
      mau: { count: 0, delta: 0 },
    })
    expect([dauCurve.length, dauCurve.at(-1)]).toEqual([30, { date: '2024-10-04', count: 0 }])
  })

  it('includes a daily user once per week and once per month', () => {
    const daily = Array.from({ length: 60 }, (_, ago) => ({ day: today - ago, gap: 1, count: 5 }))
    const first = daily.map((row, index) => (index === 59 ? { ...row, gap: 30 } : row))
    expect(activityTrends(first, today)).toMatchObject({
      dau: { count: 5, delta: 0 },
      wau: { count: 5, delta: 0 },
      mau: { count: 5, delta: 0 },
    })
  })

  it.each([
    { gap: 6, ago: 0, week: 0 },
    { gap: 7, ago: 0, week: 3 },
    { gap: 1, ago: 6, week: 3 },
    { gap: 1, ago: 7, week: 0 },
    { gap: 30, ago: 0, week: 3 },
  ])(
    'includes $week users for the week if three users returned $ago days ago after $gap days of absence',
    ({ gap, ago, week }) => {
      expect(activityTrends([{ day: today - ago, gap, count: 3 }], today).wau.count).toBe(week)
    },
  )
})

it.each([
  { time: 0, day: 0, date: '1970-01-01' },
  { time: 86_399_999, day: 0, date: '1970-01-01' },
  { time: 86_400_000, day: 1, date: '1970-01-02' },
  { time: -1, day: -1, date: '1969-12-31' },
])('the timestamp $time falls on day $day, $date', ({ time, day, date }) => {
  expect([dayNumber(time), dayToDate(day)]).toEqual([day, date])
})
