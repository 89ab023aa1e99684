import { describe, expect, it } from 'vitest'
import { MAX_TOKEN_SECONDS } from '../../../src/contract/applications/applications.ts'
import {
  ANNOUNCEMENT_PERIOD,
  keysAfterRotation,
  signingKeyStatus,
} from '../../../src/domain/tenants/signing-keys.ts'

const NOW = 1_800_000_000_000
const LIVES = MAX_TOKEN_SECONDS * 1000
const key = (kid: string, signsFrom: number, alg = 'ES384') => ({ jwk: { kid, alg }, signsFrom })

it('a new key is announced for ten minutes', () => {
  expect(ANNOUNCEMENT_PERIOD).toBe(600_000)
})

describe('a signing key', () => {
  const old = key('old', NOW - 2000)
  const present = key('present', NOW)
  const next = key('next', NOW + 1)
  const other = key('other', NOW - 3000, 'RS256')
  const keys = [old, present, next, other]

  it.each([
    [old, 'retired'],
    [present, 'signing'],
    [next, 'announced'],
    // Of its algorithm it is the only one.
    [other, 'signing'],
  ])('$jwk.kid is %s', (one, status) => {
    expect(signingKeyStatus(one, keys, NOW)).toBe(status)
  })

  it('signs until its successor does, to the millisecond', () => {
    const pair = [old, key('successor', NOW)]
    expect(signingKeyStatus(old, pair, NOW - 1)).toBe('signing')
    expect(signingKeyStatus(old, pair, NOW)).toBe('retired')
  })
})

describe('after a rotation', () => {
  const scheduled = { immediately: false, withdraw: false }
  const kids = (...args: Parameters<typeof keysAfterRotation>) =>
    keysAfterRotation(...args).map(({ jwk }) => jwk.kid)

  it('a retired key is published as long as a token that it signed can live', () => {
    const keys = [key('old', NOW - LIVES - 5), key('new', NOW - LIVES)]
    expect(kids(keys, scheduled, NOW - 1)).toEqual(['old', 'new'])
    expect(kids(keys, scheduled, NOW)).toEqual(['new'])
  })

  it('a key without a successor of its algorithm is published for good', () => {
    const keys = [key('old', 0), key('new', 1, 'RS256')]
    expect(kids(keys, scheduled, NOW)).toEqual(['old', 'new'])
  })

  it('an immediate one drops what is announced', () => {
    const keys = [key('present', NOW), key('next', NOW + 1)]
    expect(kids(keys, scheduled, NOW)).toEqual(['present', 'next'])
    expect(kids(keys, { immediately: true, withdraw: false }, NOW)).toEqual(['present'])
  })

  it('a withdrawal drops all', () => {
    expect(kids([key('present', NOW)], { immediately: false, withdraw: true }, NOW)).toEqual([])
  })
})
