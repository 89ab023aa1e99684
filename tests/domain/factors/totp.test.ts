import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { formatBackupCode, parseBackupCode } from '../../../src/domain/factors/backup-codes.ts'
import {
  acceptedSteps,
  encodeMovingFactor,
  fromBase32,
  parseTotpCode,
  toBase32,
  totpStep,
  totpUri,
  truncateHmac,
} from '../../../src/domain/factors/totp.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe('Base32', () => {
  // RFC 4648 §10, without the padding.
  it.each([
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('encodes %s as %s, and decodes the result', (text, encoded) => {
    expect(toBase32(bytesOf(text))).toBe(encoded)
    expect(fromBase32(encoded)).toEqual(bytesOf(text))
  })

  it('encodes no bytes as an empty string, and ignores trailing bits that do not form a byte', () => {
    expect(toBase32(new Uint8Array())).toBe('')
    expect(fromBase32('M')).toEqual(new Uint8Array())
  })

  it.each(['mzxw6ytboi======', 'MZXW 6YTB OI'])('decodes lower case, padding and spaces: %s', (text) => {
    expect(fromBase32(text)).toEqual(bytesOf('foobar'))
  })

  it.each(['', ' ', 'MZXW1', 'M-ZX', 'ÄÖ'])('rejects %j', (text) => {
    expect(fromBase32(text)).toBeNull()
  })
})

describe('the code for a time step', () => {
  const code = (step: number, digits?: number) => {
    const hmac = createHmac('sha1', '12345678901234567890').update(encodeMovingFactor(step)).digest()
    return truncateHmac(hmac, digits)
  }

  it('has six digits (RFC 4226, appendix D)', () => {
    expect(Array.from({ length: 10 }, (_, step) => code(step))).toEqual([
      ...['755224', '287082', '359152', '969429', '338314'],
      ...['254676', '287922', '162583', '399871', '520489'],
    ])
  })

  // RFC 6238, appendix B.
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('has the expected eight digits at second %d: %s', (second, expected) => {
    expect(code(totpStep(second * 1000), 8)).toBe(expected)
  })
})

describe('a one-time code’s time steps', () => {
  it('are the current step and its two neighbours', () => {
    expect(acceptedSteps(59_999)).toEqual([1, 0, 2])
    expect(acceptedSteps(60_000)).toEqual([2, 1, 3])
    expect(acceptedSteps(0)).toEqual([0, 1])
  })

  it('are thirty seconds long', () => {
    expect([29_999, 30_000].map(totpStep)).toEqual([0, 1])
  })
})

describe('a one-time code as typed by the user', () => {
  it.each([
    ['123456', '123456'],
    ['123 456', '123456'],
    ['123-456', '123456'],
    ['12345', null],
    ['1234567', null],
    ['12345a', null],
    ['١٢٣٤٥٦', null],
    ['', null],
  ])('is parsed from %j as %j', (input, code) => {
    expect(parseTotpCode(input)).toBe(code)
  })
})

it('the URI for an authenticator app encodes any issuer and account, and replaces colons in the path', () => {
  const address = totpUri({ secret: 'ABC', issuer: 'Bread & Butter: Bern', account: 'ann:x@example.com' })
  const { protocol, host, pathname, searchParams } = new URL(address)
  expect([protocol, host]).toEqual(['otpauth:', 'totp'])
  expect(decodeURIComponent(pathname)).toBe('/Bread & Butter  Bern:ann x@example.com')
  expect(Object.fromEntries(searchParams)).toEqual({ secret: 'ABC', issuer: 'Bread & Butter: Bern' })
})

describe('a backup code', () => {
  it('encodes five bits of each byte, in two groups of five characters', () => {
    expect(formatBackupCode(new Uint8Array(10))).toBe('00000-00000')
    expect(formatBackupCode(new Uint8Array(10).fill(255))).toBe('ZZZZZ-ZZZZZ')
    const counted = Uint8Array.from({ length: 10 }, (_, index) => index + 28)
    expect(formatBackupCode(counted)).toBe('WXYZ0-12345')
  })

  it.each([
    ['WXYZ0-12345', 'WXYZ012345'],
    ['oo0gl 4oi4o', '000G140140'],
    ['WXYZ0-1234', null],
    ['WXYZ0-1234U', null],
    // Earlier versions created codes of sixteen characters.
    ['000G-40R4-0M30-E209', '000G40R40M30E209'],
    ['Il0G-40R4-0M30-E2O9', '110G40R40M30E209'],
    ['000G-40R4-0M30-E20', null],
    ['000G-40R4-0M3U-E209', null],
    ['', null],
  ])('is parsed from %j as %j', (input, code) => {
    expect(parseBackupCode(input)).toBe(code)
  })
})
