import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY, HOUR } from '../../../src/contract/time.ts'
import {
  copyLocation,
  distanceInKm,
  getSignInPlace,
  parseSignInPlace,
  type SignInPlace,
} from '../../../src/domain/factors/sign-in-place.ts'
import { findMatchingRiskRules, type PastPlace } from '../../../src/domain/factors/sign-in-risk.ts'
import { sweepOfProcess } from '../../kit/sweep.ts'

const { seed, isExhaustive } = sweepOfProcess()
const parameters = { seed, numRuns: isExhaustive ? 20_000 : 500 }
const NOW = Date.UTC(2026, 10, 23)

const berlin: SignInPlace = { country: 'DE', coordinates: { latitude: 52.5, longitude: 13.4 } }
const munich: SignInPlace = { country: 'DE', coordinates: { latitude: 48.1, longitude: 11.6 } }
const aachen: SignInPlace = { country: 'DE', coordinates: { latitude: 50.8, longitude: 6.1 } }
const paris: SignInPlace = { country: 'FR', coordinates: { latitude: 48.9, longitude: 2.4 } }
const tokyo: SignInPlace = { country: 'JP', coordinates: { latitude: 35.7, longitude: 139.7 } }
const unknown: SignInPlace = { country: null, coordinates: null }
const inGermany: SignInPlace = { country: 'DE', coordinates: null }

const ago = (hours: number, place: SignInPlace): PastPlace => ({ ...place, at: NOW - hours * HOUR })

describe('a request’s location', () => {
  it.each([
    [
      { country: 'DE', latitude: '52.52437', longitude: '13.41053', city: 'Berlin' },
      { country: 'DE', coordinates: { latitude: 52.5, longitude: 13.4 } },
    ],
    [
      { country: 'US', latitude: '-0.04', longitude: '-122' },
      { country: 'US', coordinates: { latitude: -0, longitude: -122 } },
    ],
    // Tor, and countries that Cloudflare does not know
    [{ country: 'T1' }, unknown],
    [{ country: 'XX', latitude: '1', longitude: '' }, unknown],
    [{ country: 'de', latitude: '91', longitude: '0' }, unknown],
    [{ country: 7, latitude: 1, longitude: 2 }, unknown],
    [{ country: 'DE', latitude: '1', longitude: 'NaN' }, inGermany],
    [undefined, unknown],
  ])('is parsed from %j as %j', (cf, place) => {
    expect(parseSignInPlace(cf)).toEqual(place)
  })

  it('is copied to another request', () => {
    const cf = { country: 'DE' }
    const request = Object.assign(new Request('https://id.example'), { cf })
    expect([copyLocation(request), copyLocation(new Request('https://id.example'))]).toEqual([{ cf }, {}])
    expect(getSignInPlace(request)).toEqual(inGermany)
  })

  it.each([
    // Distances in kilometres, according to maps
    [berlin, munich, 504],
    [berlin, paris, 877],
    [berlin, tokyo, 8_920],
    [{ latitude: 0, longitude: 179.9 }, { latitude: 0, longitude: -179.9 }, 22],
    [{ latitude: 90, longitude: 0 }, { latitude: -90, longitude: 77 }, 20_015],
  ])('has a distance to other locations: %j and %j are %d km apart', (one, other, kilometres) => {
    const coordinatesOf = (place: typeof one) =>
      ('coordinates' in place ? place.coordinates : place) ?? { latitude: 0, longitude: 0 }
    const distance = distanceInKm(coordinatesOf(one), coordinatesOf(other))
    expect(Math.abs(distance - kilometres)).toBeLessThan(kilometres / 100 + 1)
    expect(distanceInKm(coordinatesOf(other), coordinatesOf(one))).toBeCloseTo(distance)
  })
})

describe('an unusual sign-in (spec/accounts#risk-rules)', () => {
  const rulesAt = (here: SignInPlace, places: readonly PastPlace[]) =>
    findMatchingRiskRules({ now: NOW, here, revokedAt: null, history: { places, knowsBrowser: false } })

  it.each<[string, SignInPlace, PastPlace[], string[]]>([
    ['the first sign-in on record', tokyo, [], []],
    ['the first sign-in, from an unknown place', unknown, [], []],
    ['the same country', berlin, [ago(1, berlin)], []],
    ['another country, by train', paris, [ago(9, berlin)], ['newCountry']],
    ['a country known besides the last one', paris, [ago(20, berlin), ago(30 * 24, paris)], []],
    ['a country last used 91 days ago', paris, [ago(20, berlin), ago(91 * 24, paris)], ['newCountry']],
    ['the country of the last sign-in, two hundred days ago', paris, [ago(200 * 24, paris)], []],
    ['an unknown place, after a known country', unknown, [ago(1, berlin)], ['newCountry']],
    ['an unknown place, after another unknown place', unknown, [ago(1, unknown)], ['newCountry']],
    ['a country, after only unknown places', berlin, [ago(1, unknown)], ['newCountry']],
    [
      'a country of long ago, before an unknown place',
      berlin,
      [ago(1, unknown), ago(200 * 24, berlin)],
      ['newCountry'],
    ],
  ])('is detected by country: %s', (_, here, places, rules) => {
    expect(rulesAt(here, places)).toEqual(rules)
  })

  const travel = 'impossibleTravel'
  it.each<[string, SignInPlace, PastPlace[], string[]]>([
    ['504 km in half an hour', munich, [ago(0.5, berlin)], [travel]],
    ['504 km in an hour', munich, [ago(1, berlin)], []],
    ['502 km at once', aachen, [ago(0, berlin)], [travel]],
    ['477 km at once', aachen, [ago(0, munich)], []],
    ['8,920 km in nine hours', tokyo, [ago(9, berlin), ago(99, tokyo)], [travel]],
    ['8,920 km in ten hours', tokyo, [ago(10, berlin), ago(99, tokyo)], []],
    [
      'only the last place counts',
      munich,
      [ago(0.2, munich), ago(0.1, { ...paris, country: 'DE' })],
      [travel],
    ],
    [
      'a last place without coordinates is skipped',
      munich,
      [ago(0.1, inGermany), ago(0.5, berlin)],
      [travel],
    ],
    ['no coordinates now', inGermany, [ago(0.1, berlin)], []],
    ['dated by another clock', munich, [ago(-0.01, berlin)], [travel]],
  ])('is detected by the distance from the last location: %s', (_, here, places, rules) => {
    expect(rulesAt(here, places)).toEqual(rules)
  })

  it.each<[number | null, boolean, string[]]>([
    [null, false, []],
    [1, false, ['newBrowserAfterReset']],
    [71.9, false, ['newBrowserAfterReset']],
    [72, false, []],
    [1, true, []],
    // A revocation may be dated up to a second ahead (spec/accounts#revocation).
    [-0.0002, false, ['newBrowserAfterReset']],
  ])(
    'is detected after a password reset %j hours ago unless the browser is known (%s)',
    (hours, knowsBrowser, rules) => {
      const revokedAt = hours === null ? null : NOW - hours * HOUR
      const history = { places: [], knowsBrowser }
      expect(findMatchingRiskRules({ now: NOW, here: unknown, revokedAt, history })).toEqual(rules)
    },
  )
})

describe('the risk rules for any sign-in history', () => {
  const coordinates = fc.option(
    fc.record({
      latitude: fc.integer({ min: -900, max: 900 }).map((tenths) => tenths / 10),
      longitude: fc.integer({ min: -1800, max: 1800 }).map((tenths) => tenths / 10),
    }),
  )
  const place: fc.Arbitrary<SignInPlace> = fc.record({
    country: fc.constantFrom('DE', 'FR', 'JP', null),
    coordinates,
  })
  const past: fc.Arbitrary<PastPlace[]> = fc.array(
    fc
      .tuple(place, fc.integer({ min: 0, max: 400 * DAY }))
      .map(([place, since]) => ({ ...place, at: NOW - since })),
    { maxLength: 5 },
  )
  const rulesAt = (here: SignInPlace, places: readonly PastPlace[], now = NOW) =>
    findMatchingRiskRules({ now, here, revokedAt: null, history: { places, knowsBrowser: true } })

  it('ignore the order of the history, and consider the location of the last sign-in usual', () => {
    fc.assert(
      fc.property(place, past, (here, places) => {
        const rules = rulesAt(here, places)
        expect(rulesAt(here, places.toReversed())).toEqual(rules)
        if (here.country === null) return
        expect(rulesAt(here, [...places, { ...here, at: NOW + 1 }], NOW + 2)).not.toContain('newCountry')
        if (here.coordinates)
          expect(rulesAt(here, [...places, { ...here, at: NOW + 1 }], NOW + 2)).toEqual([])
      }),
      parameters,
    )
  })

  it('consider an unknown location unusual unless the history is empty', () => {
    fc.assert(
      fc.property(past, (places) => {
        expect(rulesAt(unknown, places)).toEqual(places.length > 0 ? ['newCountry'] : [])
      }),
      parameters,
    )
  })
})

it('the last of two places with the same time does not depend on their order', () => {
  const places = [ago(100 * 24, munich), ago(100 * 24, paris)]
  const risksIn = (country: string, past: PastPlace[]) =>
    findMatchingRiskRules({
      now: NOW,
      here: { country, coordinates: null },
      revokedAt: null,
      history: { places: past, knowsBrowser: true },
    })
  for (const past of [places, places.toReversed()]) {
    expect(risksIn('DE', past)).toEqual([])
    expect(risksIn('FR', past)).toEqual(['newCountry'])
  }
})
