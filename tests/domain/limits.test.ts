import { describe, expect, it } from 'vitest'
import { DEFAULT_TENANT_SETTINGS } from '../../src/contract/settings.ts'
import { limitPerNetwork, networkOf, rateLimitName, refusesConsumption } from '../../src/domain/limits.ts'

describe('a network', () => {
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
  ])('of %s is %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network)
  })

  it('has a hundred times the limit in development', () => {
    const { codeSendsPerNetwork: limit } = DEFAULT_TENANT_SETTINGS.limits
    expect(limitPerNetwork(limit, 'production')).toEqual({ count: 20, windowSeconds: 3600 })
    expect(limitPerNetwork(limit, 'development')).toEqual({ count: 2000, windowSeconds: 3600 })
  })
})

describe('an identifier', () => {
  it('is the same in any case, as in the unique index', () => {
    expect(rateLimitName({ type: 'email', value: 'Ann@Example.COM' })).toBe('ann@example.com')
    // For SQLite a Kelvin sign is no k.
    expect(rateLimitName({ type: 'email', value: 'Kim\u212A@example.com' })).toBe('kim\u212A@example.com')
    expect(rateLimitName({ type: 'username', value: 'Ann' })).toBe('ann')
  })
})

describe('a consumption', () => {
  const limit = { count: 5, windowSeconds: 600 }
  const NOW = 1_000_000

  it.each([
    { consumed: undefined, retryAfter: null },
    { consumed: { count: 1, lockedUntil: null }, retryAfter: null },
    { consumed: { count: 5, lockedUntil: NOW + 600_000 }, retryAfter: null },
    { consumed: { count: 6, lockedUntil: NOW + 600_000 }, retryAfter: 600 },
    { consumed: { count: 6, lockedUntil: NOW + 1 }, retryAfter: 1 },
    { consumed: { count: 6, lockedUntil: null }, retryAfter: 1 },
  ])('that left $consumed is refused for $retryAfter s', ({ consumed, retryAfter }) => {
    expect(refusesConsumption(consumed, limit, NOW)).toEqual(
      retryAfter && {
        kind: 'refusal',
        code: 'request.too_many_requests',
        status: 429,
        data: { retryAfter },
      },
    )
  })
})
