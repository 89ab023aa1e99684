import { type CountryCode, getCountryCallingCode } from 'libphonenumber-js/mobile'
import examples from 'libphonenumber-js/mobile/examples'
import { describe, expect, it } from 'vitest'
import { getCallingCode, isPhoneNumber } from '../../src/contract/interactions/phone-numbers.ts'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/tenants/settings.ts'
import { isInCountries } from '../../src/domain/codes/sms-countries.ts'
import {
  checkAttempts,
  counterName,
  floodCounterNames,
  getNetworks,
  largestNetwork,
  limitPerNetwork,
  normalizedCallingCode,
  phoneCounterName,
  refundableAttempts,
} from '../../src/domain/limits.ts'

describe('an IP address’s network', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['192.0.2', 'unknown'],
    ['3221225991', 'unknown'],
    ['192.0.2.700', 'unknown'],
    ['192.0.02.7', 'unknown'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['2001:db8', 'unknown'],
    ['1:2:3:4:5:6:7:8:9', 'unknown'],
    ['1::2::3', 'unknown'],
    ['1:2:3:4:5:6:7:8::', 'unknown'],
    ['nonsense', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ])('is %s: %s', (ip, network) => {
    expect(getNetworks(ip)[0]).toEqual({ name: network, factor: 1 })
  })

  it('is also counted as part of larger IPv6 networks, whose limits are four and sixteen times as high', () => {
    expect(getNetworks('2001:db8:1:23ff::9')).toEqual([
      { name: '2001:db8:1:23ff::/64', factor: 1 },
      { name: '2001:db8:1:2300::/56', factor: 4 },
      { name: '2001:db8:1::/48', factor: 16 },
    ])
    expect(getNetworks('192.0.2.7')).toHaveLength(1)
  })

  it('has a largest enclosing network, to which the plain limit applies', () => {
    expect(largestNetwork('2001:db8:1:23ff::9')).toEqual({ name: '2001:db8:1::/48', factor: 1 })
    expect(largestNetwork(' 192.0.2.7 ')).toEqual({ name: '192.0.2.7', factor: 1 })
    expect(largestNetwork(undefined)).toEqual({ name: 'unknown', factor: 1 })
  })

  it.each([
    ['2001:db8:1:2::9', 0, ['2001:db8:1:2::/64', '2001:db8:1::/48 0']],
    ['2001:db8:1:2::9', 0.5, ['2001:db8:1:2::/64', '2001:db8:1::/48 8']],
    ['2001:db8:1:2::9', 0.999, ['2001:db8:1:2::/64', '2001:db8:1::/48 15']],
    ['192.0.2.7', 0.5, ['192.0.2.7']],
    [undefined, 0.5, ['unknown']],
  ])('has flood counters that depend on its address %s and the random number %d: %j', (ip, draw, names) => {
    expect(floodCounterNames(ip, draw)).toEqual(names)
  })

  it('has a hundredfold limit in development', () => {
    const { codeSendsPerNetwork: limit } = DEFAULT_TENANT_SETTINGS.limits
    expect(limitPerNetwork(limit, 1, 'production')).toEqual({ count: 20, windowSeconds: 3600 })
    expect(limitPerNetwork(limit, 4, 'production')).toEqual({ count: 80, windowSeconds: 3600 })
    expect(limitPerNetwork(limit, 1, 'development')).toEqual({ count: 2000, windowSeconds: 3600 })
  })
})

describe('an identifier’s rate limit counter', () => {
  it('ignores case, as the unique index does', () => {
    expect(counterName({ type: 'email', value: 'Ann@Example.COM' })).toBe('ann@example.com')
    // SQLite does not treat a Kelvin sign as a k.
    expect(counterName({ type: 'email', value: 'Kim\u212A@example.com' })).toBe('kim\u212A@example.com')
    expect(counterName({ type: 'username', value: 'Ann' })).toBe('ann')
  })
})

describe('a counted attempt', () => {
  const NOW = 1_000_000

  it.each([
    { consumed: { count: 1, lockedUntil: null }, retryAfter: null },
    { consumed: { count: 5, lockedUntil: NOW + 600_000 }, retryAfter: null },
    { consumed: { count: 6, lockedUntil: NOW + 600_000 }, retryAfter: 600 },
    { consumed: { count: 6, lockedUntil: NOW + 1 }, retryAfter: 1 },
    { consumed: { count: 6, lockedUntil: null }, retryAfter: 1 },
  ])('is rejected for $retryAfter seconds if its counter is $consumed', ({ consumed, retryAfter }) => {
    const first = { name: 'codeSendsPerNetwork', count: 1, allowed: 20, lockedUntil: null } as const
    const second = { name: 'codeSendsPerAddress', allowed: 5, ...consumed } as const
    expect(checkAttempts([first], NOW)).toBeNull()
    expect(checkAttempts([first, second], NOW)).toEqual(
      retryAfter && {
        kind: 'refusal',
        code: 'request.too_many_requests',
        status: 429,
        data: { retryAfter },
      },
    )
  })

  it('is rejected indefinitely after too many consecutive failures', () => {
    const attempt = {
      name: 'passwordTriesInARow',
      count: 101,
      allowed: 100,
      lockedUntil: NOW + 1000,
    } as const
    expect(checkAttempts([attempt], NOW)).toEqual({
      kind: 'refusal',
      code: 'session.password_locked',
      status: 422,
      data: undefined,
    })
  })

  it('is refunded unless its outcome counts against the limit', () => {
    const names = ['passwordTries', 'passwordTriesInARow', 'registrationsPerNetwork', 'smsPerTenant'] as const
    const consumed = names.map((name) => ({ name, count: 1, allowed: 5, lockedUntil: null }))
    const refunded = (outcome: 'accepted' | 'refused') =>
      refundableAttempts(consumed, outcome).map(({ name }) => name)
    expect(refunded('accepted')).toEqual(['passwordTries'])
    expect(refunded('refused')).toEqual(['registrationsPerNetwork'])
    expect(
      refundableAttempts([{ name: 'passwordTries', count: 6, allowed: 5, lockedUntil: 1 }], 'accepted'),
    ).toEqual([])
  })
})

describe('a phone number', () => {
  it.each([
    ['12125550100', '1'],
    ['79161234567', '7'],
    ['4917012345', '49'],
    ['420601123456', '420'],
    ['35312345', '353'],
    ['989121234567', '98'],
    ['99890123456', '998'],
    ['9', '9'],
  ])('starts with its calling code: %s has the code %s', (phone, code) => {
    expect(getCallingCode(phone)).toBe(code)
  })

  it.each([
    ['a leading zero', '04917012345678'],
    ['the prefix for international calls', '004917012345678'],
    ['the trunk zero of calls within the country', '49017012345678'],
    ['several of them', '0049000170123456'],
    ['six digits', '491701'],
    ['sixteen digits', '4917012345678901'],
    ['something else', '49170-1234567'],
  ])('is not accepted as a new number if it has %s', (_, phone) => {
    expect(isPhoneNumber(phone)).toBe(false)
  })

  it('is accepted from every numbering plan, even with significant leading zeros', () => {
    const numbers = Object.entries(examples).map(
      ([country, national]) => getCountryCallingCode(country as CountryCode) + national,
    )
    expect(numbers.length).toBeGreaterThan(200)
    expect(numbers.filter((number) => !isPhoneNumber(number))).toEqual([])
    expect(['390612345678', '2250123456789'].map(isPhoneNumber)).toEqual([true, true])
    expect(new Set(numbers.map(phoneCounterName)).size).toBe(new Set(numbers).size)
  })

  it('has one counter for all spellings that reach the same phone', () => {
    const spellings = [
      '4917012345678',
      '04917012345678',
      '004917012345678',
      '49017012345678',
      '00490017012345678',
    ]
    const names = spellings.map((value) => counterName({ type: 'phone', value }))
    expect(new Set(names)).toEqual(new Set(['4917012345678']))
    expect(['0', '000', ''].map(phoneCounterName)).toEqual(['', '', ''])
  })

  it('has the same calling code in all of its spellings', () => {
    expect(['004917012345678', '4917012345678', '0'].map(normalizedCallingCode)).toEqual(['49', '49', ''])
  })

  it.each([
    { phone: '004917612345678', countries: ['DE'], isListed: true },
    { phone: '4917612345678', countries: ['DE'], isListed: true },
    { phone: '4917612345678', countries: ['AT', 'US'], isListed: false },
    { phone: '12125550123', countries: ['US'], isListed: true },
    { phone: '18765550123', countries: ['US'], isListed: false },
    { phone: '18765550123', countries: ['JM'], isListed: true },
    { phone: '210', countries: ['DE'], isListed: false },
  ])(
    'is checked against a list of countries: $phone belongs to one of $countries: $isListed',
    ({ phone, countries, isListed }) => {
      expect(isInCountries(phone, countries)).toBe(isListed)
    },
  )
})
