import { expect, it } from 'vitest'
import { decode, encode } from '../../../src/outbound/hooks/platform-base64.ts'
import { hmac } from '../../../src/outbound/hooks/platform-sha256.ts'

/** The test vector comes from RFC 4231 §4.3. */
it('the HMAC matches the RFC’s test vector', () => {
  const signed = hmac(new TextEncoder().encode('Jefe'), 'what do ya want for nothing?')
  expect(Buffer.from(signed).toString('hex')).toBe(
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})

/** The test vectors come from RFC 4648 §10. */
it.each([
  ['', ''],
  ['f', 'Zg=='],
  ['fo', 'Zm8='],
  ['foobar', 'Zm9vYmFy'],
])('"%s" is "%s" in Base64', (text, encoded) => {
  expect(encode(new TextEncoder().encode(text))).toBe(encoded)
  expect(new TextDecoder().decode(decode(encoded))).toBe(text)
})

it('the Base64 decoder rejects text that is not Base64', () => {
  expect(() => decode('***')).toThrow()
})
