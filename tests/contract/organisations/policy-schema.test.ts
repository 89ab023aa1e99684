import { describe, expect, it } from 'vitest'
import {
  OrganizationBrandInput,
  OrganizationPolicyInput,
  readOrganizationBrand,
  readOrganizationPolicy,
} from '../../../src/contract/organisations/policy.schema.ts'

describe('the policy of an organisation (spec/organisations#policy)', () => {
  it('is stored in a canonical form', () => {
    const policy = {
      methods: ['passkey', 'passkey', 'social'],
      secondFactor: 'required',
      sessionMaxAgeSeconds: 300,
      networks: ['10.1.2.3/8', '10.9.9.9/8', '2001:DB8::/32'],
    }
    expect(OrganizationPolicyInput.parse(policy)).toEqual({
      ...policy,
      methods: ['passkey', 'social'],
      networks: ['10.0.0.0/8', '2001:db8::/32'],
    })
    expect(OrganizationPolicyInput.parse({})).toEqual({})
  })

  it.each([
    { methods: ['fax'] },
    { secondFactor: 'off' },
    { sessionMaxAgeSeconds: 299 },
    { sessionMaxAgeSeconds: 400 * 86_400 },
    { sessionMaxAgeSeconds: 300.5 },
    { networks: ['10.0.0.0/33'] },
    { networks: Array.from({ length: 51 }, (_, index) => `10.0.${index}.0/24`) },
    { network: [] },
  ])('is refused if a value is not valid: %j', (policy) => {
    expect(OrganizationPolicyInput.safeParse(policy).success).toBe(false)
  })

  it.each([
    // Nothing is stored.
    [{}, { methods: null, secondFactor: null, sessionMaxAgeSeconds: null, networks: null }],
    [
      { methods: [], networks: [] },
      { methods: null, secondFactor: null, sessionMaxAgeSeconds: null, networks: null },
    ],
    // A later release stored a method and a policy that this one does not know.
    [
      { methods: ['fax', 'passkey'], secondFactor: 'twice' },
      { methods: ['passkey'], secondFactor: 'required', sessionMaxAgeSeconds: null, networks: null },
    ],
    [
      { methods: ['fax'], networks: [7] },
      { methods: [], secondFactor: null, sessionMaxAgeSeconds: null, networks: [] },
    ],
    [
      { methods: 'passkey', sessionMaxAgeSeconds: 'long', networks: {} },
      { methods: [], secondFactor: null, sessionMaxAgeSeconds: 300, networks: [] },
    ],
    ['{}', { methods: [], secondFactor: 'required', sessionMaxAgeSeconds: 300, networks: [] }],
    [undefined, { methods: [], secondFactor: 'required', sessionMaxAgeSeconds: 300, networks: [] }],
  ])('becomes stricter if a stored value cannot be read: %j', (stored, rules) => {
    expect(readOrganizationPolicy(stored)).toEqual(rules)
  })
})

describe('the brand of an organisation (spec/organisations#brand)', () => {
  it('has logos as the tenant has them, and a color of six digits', () => {
    const brand = {
      logo: 'https://acme.example/logo.svg',
      logoDark: '/assets/brand/dark.svg',
      color: '#5D34f2',
    }
    expect(OrganizationBrandInput.parse(brand)).toEqual(brand)
    for (const value of [
      { color: '#fff' },
      { color: 'red' },
      { color: '#5d34f2;' },
      { logo: 'javascript:alert(1)' },
      { logo: '/../x' },
      { favicon: '/x.png' },
    ])
      expect(OrganizationBrandInput.safeParse(value).success).toBe(false)
  })

  it('is not public if a stored value cannot be read', () => {
    expect(readOrganizationBrand({ color: 'red', logo: 7, isPublic: 'yes' })).toEqual({ isPublic: false })
    expect(readOrganizationBrand(null)).toEqual({})
    expect(readOrganizationBrand({ color: '#5d34f2', isPublic: true })).toEqual({
      color: '#5d34f2',
      isPublic: true,
    })
  })
})
