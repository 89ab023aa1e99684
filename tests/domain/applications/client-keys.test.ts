import { describe, expect, it } from 'vitest'
import { clientAssertionAlgorithms } from '../../../src/contract/applications/applications.ts'
import { findKeySetProblem, parseUsableKeys } from '../../../src/domain/applications/client-keys.ts'
import { ed25519Key, p256Key, p384Key, rsaKey } from './keys.ts'

const keyed = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...ed25519Key, kid: `key ${index}` }))

describe('a client’s public keys', () => {
  it.each<[string, object]>([
    ['Ed25519', ed25519Key],
    ['P-256', p256Key],
    ['P-384', p384Key],
    ['RSA with 2048 bits', rsaKey],
    ['RSA with 8192 bits', { ...rsaKey, n: 'n'.repeat(1366) }],
    ['the shortest RSA exponent', { ...rsaKey, e: 'Aw' }],
    ['the longest RSA exponent', { ...rsaKey, e: 'A'.repeat(8) }],
    ['the base64url alphabet', { ...ed25519Key, x: `${'-_09azAZ'.repeat(5)}xyz` }],
    ['a kid', { ...ed25519Key, kid: 'a' }],
    ['the use of signatures', { ...ed25519Key, use: 'sig' }],
    ['the operation verify', { ...ed25519Key, key_ops: ['sign', 'verify'] }],
    ...clientAssertionAlgorithms.map((alg) => [alg, { ...ed25519Key, alg }] as [string, object]),
  ])('can have %s', (_, key) => {
    expect(findKeySetProblem([key])).toBeNull()
    expect(parseUsableKeys({ keys: [key] })).toEqual([key])
  })

  const SECRET = expect.stringContaining('private')
  const UNSUPPORTED = expect.stringContaining('unsupported')
  const NOT_SIGNING = expect.stringContaining('does not sign')
  const KID = expect.stringContaining('kid')
  it.each<[string, unknown, unknown]>([
    ['text', 'key', expect.stringContaining('not an object')],
    ['nothing', null, expect.stringContaining('not an object')],
    ['an encryption key', { ...ed25519Key, use: 'enc' }, NOT_SIGNING],
    ['an unknown algorithm', { ...ed25519Key, alg: 'HS256' }, NOT_SIGNING],
    ['a key that only signs', { ...ed25519Key, key_ops: ['sign'] }, NOT_SIGNING],
    ['an operation instead of a list', { ...ed25519Key, key_ops: 'verify' }, NOT_SIGNING],
    ['an empty kid', { ...ed25519Key, kid: '' }, KID],
    ['a kid that is a number', { ...ed25519Key, kid: 1 }, KID],
    ['an unknown type', { ...ed25519Key, kty: 'AKP' }, UNSUPPORTED],
    ['no type', { ...ed25519Key, kty: undefined }, UNSUPPORTED],
    ['another curve of EC', { ...p256Key, crv: 'P-521' }, UNSUPPORTED],
    ['another curve of OKP', { ...ed25519Key, crv: 'Ed448' }, UNSUPPORTED],
    ['no coordinates', { kty: 'EC', crv: 'P-521', x: '', y: '' }, UNSUPPORTED],
    ['a short x', { ...p256Key, x: 'x'.repeat(42) }, UNSUPPORTED],
    ['a long x', { ...p256Key, x: 'x'.repeat(44) }, UNSUPPORTED],
    ['a short y', { ...p384Key, y: 'y'.repeat(43) }, UNSUPPORTED],
    ['a number as x', { ...ed25519Key, x: 7 }, UNSUPPORTED],
    ['a short Ed25519 key', { ...ed25519Key, x: 'x'.repeat(42) }, UNSUPPORTED],
    ['an RSA modulus of fewer than 2048 bits', { ...rsaKey, n: 'n'.repeat(341) }, UNSUPPORTED],
    ['an RSA modulus of more than 8192 bits', { ...rsaKey, n: 'n'.repeat(1367) }, UNSUPPORTED],
    ['a short RSA exponent', { ...rsaKey, e: 'A' }, UNSUPPORTED],
    ['a long RSA exponent', { ...rsaKey, e: 'A'.repeat(9) }, UNSUPPORTED],
    ['padding', { ...ed25519Key, x: `${'x'.repeat(42)}=` }, UNSUPPORTED],
    ['a blank at the beginning', { ...ed25519Key, x: ` ${'x'.repeat(42)}` }, UNSUPPORTED],
  ])('cannot include %s', (_, key, problem) => {
    expect(findKeySetProblem([ed25519Key, key])).toEqual(problem)
    // In a fetched set, such a key may serve another purpose.
    expect(parseUsableKeys({ keys: [ed25519Key, key] })).toEqual([ed25519Key])
    expect(parseUsableKeys({ keys: [key] })).toEqual(expect.stringContaining('no signing key'))
  })

  it.each<[string, object]>([
    ['a shared key', { kty: 'oct' }],
    ['the value of a shared key', { ...ed25519Key, k: 'x' }],
    ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'priv'].map(
      (part) => [`the private part ${part}`, { ...rsaKey, [part]: 'x' }] as [string, object],
    ),
  ])('can never include %s', (_, key) => {
    expect(findKeySetProblem([ed25519Key, key])).toEqual(SECRET)
    expect(parseUsableKeys({ keys: [ed25519Key, key] })).toEqual(SECRET)
  })

  it('can include up to twenty keys', () => {
    expect(findKeySetProblem([])).toEqual(expect.stringContaining('empty'))
    expect(findKeySetProblem(keyed(20))).toBeNull()
    expect(findKeySetProblem(keyed(21))).toEqual(expect.stringContaining('20'))
    expect(parseUsableKeys({ keys: keyed(20) })).toHaveLength(20)
    expect(parseUsableKeys({ keys: keyed(21) })).toEqual(expect.stringContaining('20'))
  })

  it('must have different `kid` values, if any', () => {
    const twice = [...keyed(1), { ...p256Key, kid: 'key 0' }]
    expect(findKeySetProblem(twice)).toEqual(KID)
    expect(parseUsableKeys({ keys: twice })).toEqual(KID)
    expect(findKeySetProblem([ed25519Key, p256Key])).toBeNull()
    // A key for another purpose may have the same kid.
    const mixed = [...keyed(1), { ...p256Key, kid: 'key 0', use: 'enc' }]
    expect(parseUsableKeys({ keys: mixed })).toEqual(keyed(1))
  })

  it.each([[null], ['keys'], [{}], [{ keys: 'a' }], [[ed25519Key]]])(
    'are rejected if the fetched document is %j',
    (set) => {
      expect(parseUsableKeys(set)).toEqual(expect.stringContaining('key set'))
    },
  )
})
