import { describe, expect, it } from 'vitest'
import {
  extendedExpiry,
  findOfflineProblems,
  offlineLimits,
} from '../../../src/domain/applications/offline-access.ts'

const DAYS = 86_400
const operator = { registeredBy: 'operator', isBrowserOnly: false } as const

describe('the limits of a client', () => {
  it.each([
    ['an application without settings', operator, 14, 90],
    ['its own times', { ...operator, refreshTokenTtl: 3 * DAYS, refreshTokenMaxTtl: 365 * DAYS }, 3, 365],
    ['an idle time from before the limit', { ...operator, refreshTokenTtl: 30 * DAYS }, 14, 90],
    ['an application in browsers', { ...operator, isBrowserOnly: true }, 14, 14],
    [
      'a longer maximum in browsers',
      { ...operator, isBrowserOnly: true, refreshTokenMaxTtl: 90 * DAYS },
      14,
      14,
    ],
    ['a shorter maximum in browsers', { ...operator, isBrowserOnly: true, refreshTokenMaxTtl: DAYS }, 14, 1],
    ['a client that registered itself', { ...operator, registeredBy: 'itself' }, 14, 14],
    [
      'a client that registered itself, with a maximum by the operator',
      { ...operator, registeredBy: 'itself', refreshTokenMaxTtl: 60 * DAYS },
      14,
      60,
    ],
    [
      'an unregistered client',
      { ...operator, registeredBy: 'nobody', refreshTokenMaxTtl: 90 * DAYS },
      14,
      14,
    ],
  ] as const)('are those of %s', (_what, client, idle, max) => {
    expect(offlineLimits(client)).toEqual({ idle: idle * DAYS, max: max * DAYS })
  })
})

describe('an expiry', () => {
  const expiry = (now: number, expiresAt: number, { idle = 14, endsAt = 90 } = {}) => {
    const extended = extendedExpiry({
      now: now * DAYS,
      expiresAt: expiresAt * DAYS,
      idle: idle * DAYS,
      endsAt: endsAt * DAYS,
    })
    return extended === undefined ? undefined : extended / DAYS
  }

  it.each([
    ['gains less than a day', [0.9, 14], undefined],
    ['gains a day', [1, 14], 15],
    ['comes within a day of the end', [75.5, 88], 90],
    ['has reached the end', [80, 90], undefined],
    ['lies after the end', [80, 95], undefined],
    ['would be shortened by a clock that goes backwards', [2, 20], undefined],
  ] as const)('that %s', (_what, [now, expiresAt], expected) => {
    expect(expiry(now, expiresAt)).toBe(expected)
  })

  it('with an idle time of less than two days is written after half of it', () => {
    expect(expiry(0.4, 1, { idle: 1 })).toBeUndefined()
    expect(expiry(0.5, 1, { idle: 1 })).toBe(1.5)
  })

  it('reaches the end exactly, with one write a day, if it is used all the time', () => {
    let [at, writes] = [14, 0]
    for (let now = 0; now < 90; now += 1 / 8) {
      const next = expiry(now, at)
      if (next !== undefined) writes += 1
      at = next ?? at
    }
    expect(at).toBe(90)
    expect(writes).toBeLessThanOrEqual(76)
  })
})

describe('the two times of an application', () => {
  it.each([
    ['Native', { refreshTokenTtl: DAYS, refreshTokenMaxTtl: DAYS }, []],
    ['Native', { refreshTokenMaxTtl: DAYS }, []],
    ['Native', { refreshTokenTtl: 30 * DAYS, refreshTokenMaxTtl: 14 * DAYS }, []],
    [
      'Native',
      { refreshTokenTtl: 2 * DAYS, refreshTokenMaxTtl: DAYS },
      ['must not be shorter than refreshTokenTtl'],
    ],
    ['SPA', { refreshTokenMaxTtl: 14 * DAYS }, []],
    [
      'SPA',
      { refreshTokenMaxTtl: 14 * DAYS + 1 },
      ['must be at most 1209600 (14 days) for an application of type SPA'],
    ],
  ] as const)('of type %s: %j', (type, metadata, messages) => {
    expect(findOfflineProblems(type, metadata)).toEqual(
      messages.map((message) => ({ path: ['customClientMetadata', 'refreshTokenMaxTtl'], message })),
    )
  })
})
