import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/contract/time.ts'
import { countDaysBetween, describeAge } from '../../src/domain/relative-time.ts'

const now = Date.UTC(2026, 10, 27, 1, 0)

describe('the age of a time', () => {
  it.each([
    { age: -5 * SECOND, text: 'just now' },
    { age: 59 * SECOND, text: 'just now' },
    { age: 2 * MINUTE, text: '2 minutes ago' },
    { age: 23 * HOUR, text: '23 hours ago' },
    { age: DAY, text: 'yesterday' },
    // On Wednesday at 23:00
    { age: 26 * HOUR, text: '2 days ago' },
    { age: 29 * DAY, text: '29 days ago' },
    { age: 45 * DAY, text: 'last month' },
    { age: 90 * DAY, text: '3 months ago' },
    { age: 800 * DAY, text: '2 years ago' },
  ])('is “$text” after $age ms', ({ age, text }) => {
    expect(describeAge(now - age, { now, timeZone: null, languageTag: 'en', justNow: 'just now' })).toBe(text)
  })

  it('counts days in the time zone of the reader', () => {
    const at = Date.UTC(2026, 10, 25, 23, 0)
    expect(describeAge(at, { now, timeZone: 'Europe/Berlin', languageTag: 'de', justNow: 'eben' })).toBe(
      'gestern',
    )
    expect(describeAge(at, { now, timeZone: 'America/New_York', languageTag: 'de', justNow: 'eben' })).toBe(
      'gestern',
    )
    expect(describeAge(at, { now, timeZone: 'UTC', languageTag: 'de', justNow: 'eben' })).toBe('vorgestern')
  })
})

it('counts the days between two times across midnight and the end of summer time', () => {
  const zone = 'Europe/Berlin'
  expect(countDaysBetween(Date.UTC(2026, 9, 24, 21, 59), Date.UTC(2026, 9, 24, 22, 0), zone)).toBe(1)
  expect(countDaysBetween(Date.UTC(2026, 9, 24, 22, 0), Date.UTC(2026, 9, 25, 22, 59), zone)).toBe(0)
})
