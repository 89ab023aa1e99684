import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalNetwork, isInNetworks } from '../../../src/contract/organisations/networks.ts'
import { sweepOfProcess } from '../../kit/sweep.ts'

const { seed, isExhaustive } = sweepOfProcess()
const parameters = { seed, numRuns: isExhaustive ? 20_000 : 1_000 }

const groups = (value: bigint, bits: number, count: number) =>
  Array.from(
    { length: count },
    (_, index) => (value >> BigInt(bits * (count - 1 - index))) & ((1n << BigInt(bits)) - 1n),
  )
const ipv4 = (value: bigint) => groups(value, 8, 4).join('.')
const ipv6 = (value: bigint) =>
  groups(value, 16, 8)
    .map((group) => group.toString(16))
    .join(':')

/** An address, a network of the same kind, and the number of bits of their addresses. Half of them share a prefix. */
const pair = (bits: number) =>
  fc
    .record({
      address: fc.bigInt(0n, (1n << BigInt(bits)) - 1n),
      other: fc.bigInt(0n, (1n << BigInt(bits)) - 1n),
      isNear: fc.boolean(),
      prefix: fc.integer({ min: 0, max: bits }),
    })
    .map(({ address, other, isNear, prefix }) => ({
      address,
      base: isNear ? address ^ (other >> BigInt(prefix)) : other,
      prefix,
    }))

const sharesPrefix = (one: bigint, other: bigint, bits: number, prefix: number) =>
  one >> BigInt(bits - prefix) === other >> BigInt(bits - prefix)

describe('the networks of an organisation (spec/organisations#policy)', () => {
  it('contain the IPv4 addresses with the same prefix, in both spellings', () => {
    fc.assert(
      fc.property(pair(32), ({ address, base, prefix }) => {
        const isInside = sharesPrefix(address, base, 32, prefix)
        const networks = [`${ipv4(base)}/${prefix}`, `::ffff:${ipv4(base)}/${prefix + 96}`]
        for (const network of networks)
          for (const ip of [
            ipv4(address),
            `::ffff:${ipv4(address)}`,
            `::FFFF:${ipv6(address).split(':').slice(-2).join(':')}`,
          ])
            expect(isInNetworks(ip, [network])).toBe(isInside)
        expect(canonicalNetwork(networks[1] ?? '')).toBe(canonicalNetwork(networks[0] ?? ''))
      }),
      parameters,
    )
  })

  it('contain the IPv6 addresses with the same prefix, and their canonical form is stable', () => {
    fc.assert(
      fc.property(pair(128), ({ address, base, prefix }) => {
        const network = `${ipv6(base)}/${prefix}`
        const canonical = canonicalNetwork(network) ?? ''
        for (const text of [network, canonical])
          expect(isInNetworks(ipv6(address), [text])).toBe(sharesPrefix(address, base, 128, prefix))
        expect(canonicalNetwork(canonical)).toBe(canonical)
      }),
      parameters,
    )
  })

  it.each([
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['203.0.113.7', '203.0.113.7/32'],
    ['2001:DB8:0:0::1/32', '2001:db8::/32'],
    ['2001:db8::1', '2001:db8::1/128'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::/0', '::/0'],
    ['::ffff:192.0.2.1/120', '192.0.2.0/24'],
  ])('are stored in one form: %s', (text, canonical) => {
    expect(canonicalNetwork(text)).toBe(canonical)
  })

  it.each([
    ...[
      '',
      '/',
      '/8',
      '10.0.0.0/',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/08',
      '10.0.0.0/8/8',
      '10.0.0/8',
      '10/8',
    ],
    ...[
      '010.0.0.1/32',
      '0x0a000001/8',
      '167772161/8',
      '10.0.0.256/8',
      ' 10.0.0.0/8',
      '10.0.0.0/8 ',
      '10.0.0.0 /8',
    ],
    ...[
      '2001:db8::/129',
      'fe80::1%eth0/64',
      '2001:db8:::/32',
      '::ffff:10.0.0.0/95',
      '[::1]/128',
      'example.com/8',
    ],
  ])('are refused unless they are in CIDR notation: %j', (text) => {
    expect(canonicalNetwork(text)).toBeNull()
    expect(isInNetworks('10.0.0.1', [text])).toBe(false)
  })

  it('do not contain what is not an address, or is of the other family', () => {
    const all = ['0.0.0.0/0', '::/0']
    for (const ip of [undefined, '', 'unknown', '010.0.0.1', '10.0.0', 'fe80::1%eth0', '10.0.0.1, 10.0.0.2'])
      expect(isInNetworks(ip, all)).toBe(false)
    expect(isInNetworks('10.0.0.1', ['::/0'])).toBe(false)
    expect(isInNetworks('2001:db8::1', ['0.0.0.0/0'])).toBe(false)
    expect(isInNetworks('10.0.0.1', [])).toBe(false)
  })
})
