import { describe, expect, it } from 'vitest'
import { bytesToBase64Url, toBase64Url } from '../../src/domain/base64.ts'
import { buildHashInput, deriveIdFromDigest } from '../../src/domain/digest-id.ts'
import { escapeHtml } from '../../src/domain/escape-html.ts'
import { getPlace, nonEmptyText } from '../../src/domain/place.ts'

describe('base64url', () => {
  it.each([
    [[], ''],
    [[255], '_w'],
    [[251, 255, 254, 251, 255, 254], '-__--__-'],
    [[0, 1, 2], 'AAEC'],
  ])('encodes the bytes %j as "%s", in browsers and on the server', (bytes, text) => {
    expect(bytesToBase64Url(Uint8Array.from(bytes))).toBe(text)
    expect(toBase64Url(Uint8Array.from(bytes))).toBe(text)
  })

  it('encodes text as UTF-8', () => {
    expect(toBase64Url('ü?')).toBe('w7w_')
  })
})

describe('a user id from a hash', () => {
  it.each([
    ['0', '000000000000'],
    ['1', '100000000000'],
    ['3d', 'z00000000000'],
    ['3e', '010000000000'],
    // 62 to the power of 12 and more does not fit.
    ['2f14a6fc1a9c2d0fffff', 'fRFWhR7aE8cu'],
  ])('is derived from the digest %s: %s', (hash, id) => {
    expect(deriveIdFromDigest(hash)).toBe(id)
  })

  it('is different for the same line elsewhere in a file', () => {
    expect([buildHashInput('ann', 1), buildHashInput('ann', 2)]).toEqual(['1\nann', '2\nann'])
  })
})

it('text inserted into HTML contains no markup', () => {
  expect(escapeHtml(`<a b="c" d='e'>&`)).toBe('&#60;a b=&#34;c&#34; d=&#39;e&#39;&#62;&#38;')
})

describe('a request’s location', () => {
  const request = (cf?: object) => Object.assign(new Request('https://id.example'), cf && { cf })
  it.each([
    [
      { country: 'DE', city: 'Berlin' },
      { country: 'DE', city: 'Berlin' },
    ],
    [
      { country: '', city: 7 },
      { country: null, city: null },
    ],
    [{}, { country: null, city: null }],
    [undefined, { country: null, city: null }],
  ])('is parsed from %j as %j', (cf, place) => {
    expect(getPlace(request(cf))).toEqual(place)
  })

  it('is truncated if it is too long', () => {
    expect(nonEmptyText('x'.repeat(300))).toBe(`${'x'.repeat(255)}…`)
  })
})
