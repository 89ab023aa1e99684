import { describe, expect, it } from 'vitest'
import { matchesLookup } from '../../../src/domain/interactions/accounts.ts'
import { buildAccount } from '../given.ts'

const ann = buildAccount({
  id: 'ann',
  username: 'Ann',
  email: 'Ann@Example.com',
  phone: '4915112345',
  identities: { github: { userId: '42' } },
})

describe('finding an account', () => {
  it.each([
    { by: 'id', value: 'ann' },
    { by: 'username', value: 'Ann' },
    { by: 'username', value: 'aNN' },
    { by: 'email', value: 'Ann@Example.com' },
    { by: 'email', value: 'aNN@eXAMPLE.com' },
    { by: 'phone', value: '4915112345' },
    { by: 'identity', target: 'github', value: '42' },
  ] as const)('succeeds for the $by $value', (lookup) => {
    expect(matchesLookup(ann, lookup)).toBe(true)
  })

  it.each([
    { by: 'id', value: 'Ann' },
    { by: 'username', value: 'anne' },
    { by: 'email', value: 'ann@example.org' },
    { by: 'phone', value: '+4915112345' },
    { by: 'identity', target: 'google', value: '42' },
    { by: 'identity', target: 'github', value: '4' },
    { by: 'identity', target: 'constructor', value: '42' },
  ] as const)('fails for the $by $value', (lookup) => {
    expect(matchesLookup(ann, lookup)).toBe(false)
  })

  it('distinguishes a Kelvin sign from a k, because the mailboxes differ', () => {
    const mike = buildAccount({ id: 'mike', email: 'mike@example.com' })
    expect(matchesLookup(mike, { by: 'email', value: 'mi\u212Ae@example.com' })).toBe(false)
  })

  it('never matches a missing address', () => {
    const nameless = buildAccount({ id: 'nameless' })
    expect(matchesLookup(nameless, { by: 'email', value: '' })).toBe(false)
    expect(matchesLookup(nameless, { by: 'email', value: 'null' })).toBe(false)
  })
})
