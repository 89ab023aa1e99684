import { describe, expect, it } from 'vitest'
import { parseEmailAddress } from '../../../src/contract/interactions/email-address.ts'

/** Returns an address of the requested length, with 64 characters before the `@`. */
const ofLength = (length: number) => {
  const domain = 'd'
    .repeat(length - 65 - '.example'.length)
    .replaceAll(/d{63}d/g, (label) => `${label.slice(0, 63)}.`)
  return `${'a'.repeat(64)}@${domain}.example`
}

describe('an email address (spec/accounts#email)', () => {
  it.each([
    ...[
      'a@b.co',
      'Ann.Lee+news@Example.COM',
      "o'neil!#$%&*/=?^_`{|}~-@x-1.example",
      'a@1.2.b3',
      'a@xn--p1ai.xn--p1ai',
    ],
    ofLength(254),
  ])('is stored as typed: %s', (text) => {
    expect(parseEmailAddress(text)).toBe(text)
  })

  it.each([
    ['Ann@müller.example', 'Ann@xn--mller-kva.example'],
    ['a@MÜLLER.example', 'a@xn--mller-kva.example'],
    ['a@почта.рф', 'a@xn--80a1acny.xn--p1ai'],
    ['a@例え.テスト', 'a@xn--r8jz45g.xn--zckzah'],
    ['a@ｅｘ.example', 'a@ex.example'],
  ])('is stored with its domain in ASCII: %s', (text, stored) => {
    expect(parseEmailAddress(text)).toBe(stored)
    expect(parseEmailAddress(stored)).toBe(stored)
  })

  it.each([
    ...['a@b.co,x@y.co', 'a@b.co;x@y.co', 'a@b.co x@y.co', 'a@b.co\nx@y.co', 'a@b@c.co', 'a,b@c.co'],
    ...[
      '"a"@b.co',
      '"a b"@b.co',
      '<a@b.co>',
      'A <a@b.co>',
      'a@b.co>',
      '(x)a@b.co',
      'a\\@b.co',
      'a@[192.0.2.1]',
    ],
    ...[
      '',
      '@b.co',
      'a@',
      'a@b',
      'a@.co',
      'a@b.',
      'a@b..co',
      '.a@b.co',
      'a.@b.co',
      'a..b@c.co',
      ' a@b.co',
      'a@b.co ',
    ],
    ...[
      'a@-b.co',
      'a@b-.co',
      'a@b_c.co',
      'a@1.2.3.4',
      'a@b.1',
      'a@b.co/x',
      'a@b.co:25',
      'a@b%2Eco',
      'a@ü%41.co',
    ],
    ...[
      'ä@b.co',
      'a\u212a@b.co',
      'a\0@b.co',
      'a@b\0.co',
      'a@b.co\u2028',
      'a@ü\u200b.co',
      'a@１.２.３.４',
      'a@ü/x.co',
    ],
    ...[`${'a'.repeat(65)}@b.co`, `a@${'b'.repeat(64)}.co`, ofLength(255), `a@${'ü.'.repeat(80)}co`],
  ])('is rejected if it is %j', (text) => {
    expect(parseEmailAddress(text)).toBeNull()
  })
})
