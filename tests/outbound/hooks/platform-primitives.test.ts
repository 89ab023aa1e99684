import { expect, it } from 'vitest'
import { decode, encode } from '../../../src/outbound/hooks/platform-base64.ts'
import { hmac } from '../../../src/outbound/hooks/platform-sha256.ts'

/** The test vector of RFC 4231 §4.3. */
it('the HMAC matches the test vector of the standard', () => {
  const signed = hmac(new TextEncoder().encode('Jefe'), 'what do ya want for nothing?')
  expect(Buffer.from(signed).toString('hex')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})

/** Test vectors of RFC 4648 §10. */
it.each([
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foobar', 'Zm9vYmFy'],
])('Base64 of "%s" is "%s"', (text, encoded) => {
  expect(encode(new TextEncoder().encode(text))).toBe(encoded)
  expect(new TextDecoder().decode(decode(encoded))).toBe(text)
})

it('decoding rejects a text that is not Base64', () => {
  expect(() => decode('***')).toThrow()
})
