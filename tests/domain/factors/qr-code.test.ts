import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { qrCode } from '../../../src/domain/factors/qr-code.ts'

const drawn = (text: string) =>
  (qrCode(text) ?? []).map((row) => row.map((dark) => (dark ? '#' : '.')).join(''))
const fingerprint = (text: string) =>
  createHash('sha256').update(drawn(text).join('\n')).digest('hex').slice(0, 16)

describe('a QR code', () => {
  // Each was read by a scanner: one and several blocks, sizes with and without a version, the largest there is.
  it.each([
    [10, 21, 'd84861d6889c7959'],
    [110, 41, '6953fcf2cca89fb5'],
    [160, 49, 'a49a5ebc29f27613'],
    [250, 57, 'ff98c6edc4b997c7'],
    [900, 101, 'd5cd5201945cd2bf'],
    [2953, 177, 'ba4f1aebd7ebc3fe'],
  ] as const)('of %i characters has %i modules a side', (length, size, known) => {
    const text = 'otpauth://'.repeat(300).slice(0, length)
    expect(drawn(text).map((row) => row.length)).toEqual(new Array(size).fill(size))
    expect(fingerprint(text)).toBe(known)
  })

  it('has a finder in three corners, and none in the fourth', () => {
    const rows = drawn('otpauth://totp/a')
    const corner = (fromTop: boolean, fromLeft: boolean) =>
      (fromTop ? rows.slice(0, 7) : rows.slice(-7)).map((row) => (fromLeft ? row.slice(0, 7) : row.slice(-7)))
    const finder = ['#######', '#.....#', '#.###.#', '#.###.#', '#.###.#', '#.....#', '#######']
    expect([corner(true, true), corner(true, false), corner(false, true)]).toEqual([finder, finder, finder])
    expect(corner(false, false)).not.toEqual(finder)
  })

  it('counts bytes, and is null for more than the largest holds', () => {
    expect(drawn('é'.repeat(9))).toHaveLength(25)
    expect(drawn('e'.repeat(17))).toHaveLength(21)
    expect(qrCode('x'.repeat(2953))).toHaveLength(177)
    expect(qrCode('x'.repeat(2954))).toBeNull()
  })
})
