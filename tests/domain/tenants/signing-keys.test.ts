import { describe, expect, it } from 'vitest'
import { MAX_TOKEN_LIFETIME_SECONDS } from '../../../src/contract/applications/applications.ts'
import {
  ANNOUNCEMENT_PERIOD,
  getSigningKeyStatus,
  keysAfterRotation,
} from '../../../src/domain/tenants/signing-keys.ts'

const NOW = 1_800_000_000_000
const TOKEN_LIFETIME = MAX_TOKEN_LIFETIME_SECONDS * 1000
const key = (kid: string, signsFrom: number, alg = 'ES384') => ({ jwk: { kid, alg }, signsFrom })

it('a new key is announced for ten minutes', () => {
  expect(ANNOUNCEMENT_PERIOD).toBe(600_000)
})

describe('a signing key', () => {
  const old = key('old', NOW - 2000)
  const current = key('current', NOW)
  const next = key('next', NOW + 1)
  const other = key('other', NOW - 3000, 'RS256')
  const keys = [old, current, next, other]

  it.each([
    ['retired', old],
    ['signing', current],
    ['announced', next],
    // This is the only key with its algorithm.
    ['signing', other],
  ] as const)('can have the status %s: %j', (status, one) => {
    expect(getSigningKeyStatus(one, keys, NOW)).toBe(status)
  })

  it('is used until the exact millisecond at which its successor begins', () => {
    const pair = [old, key('successor', NOW)]
    expect(getSigningKeyStatus(old, pair, NOW - 1)).toBe('signing')
    expect(getSigningKeyStatus(old, pair, NOW)).toBe('retired')
  })
})

describe('the signing keys after a rotation', () => {
  const scheduled = { immediately: false, withdraw: false }
  const kids = (...args: Parameters<typeof keysAfterRotation>) =>
    keysAfterRotation(...args).map(({ jwk }) => jwk.kid)

  it('include a retired key while its tokens can still be valid', () => {
    const keys = [key('old', NOW - TOKEN_LIFETIME - 5), key('new', NOW - TOKEN_LIFETIME)]
    expect(kids(keys, scheduled, NOW - 1)).toEqual(['old', 'new'])
    expect(kids(keys, scheduled, NOW)).toEqual(['new'])
  })

  it('always include, for each algorithm, a key with no successor', () => {
    const keys = [key('old', 0), key('new', 1, 'RS256')]
    expect(kids(keys, scheduled, NOW)).toEqual(['old', 'new'])
  })

  it('exclude announced keys after an immediate rotation', () => {
    const keys = [key('present', NOW), key('next', NOW + 1)]
    expect(kids(keys, scheduled, NOW)).toEqual(['present', 'next'])
    expect(kids(keys, { immediately: true, withdraw: false }, NOW)).toEqual(['present'])
  })

  it('are an empty list after a withdrawal', () => {
    expect(kids([key('present', NOW)], { immediately: false, withdraw: true }, NOW)).toEqual([])
  })
})
