import { describe, expect, it } from 'vitest'
import { planLikeSearch } from '../../../src/domain/like-pattern.ts'
import { listCall, parseUserFilter, toSearchPattern } from '../../../src/domain/users/user-list.ts'

describe('a search for users', () => {
  it.each([
    { typed: '', pattern: '' },
    { typed: '  ', pattern: '' },
    { typed: 'ann', pattern: '%ann%' },
    { typed: ' an ', pattern: 'an%' },
    { typed: '😀😀', pattern: '😀😀%' },
    { typed: '50%', pattern: String.raw`%50\%%` },
    { typed: 'a_\\', pattern: String.raw`%a\_\\%` },
  ])('converts the input "$typed" to the pattern $pattern', ({ typed, pattern }) => {
    expect(toSearchPattern(typed)).toBe(pattern)
  })

  it.each([
    { typed: 'ann', plan: { mode: 'contains', text: 'ann' } },
    { typed: ' an ', plan: { mode: 'prefix', text: 'an' } },
    { typed: '%_\\', plan: { mode: 'contains', text: '%_\\' } },
    { typed: 'a_', plan: { mode: 'prefix', text: 'a_' } },
    { typed: 'somebody-with-a-long-name@department.example.com', plan: { mode: 'contains' } },
  ])(
    'uses an index and treats wildcards as ordinary characters for the input $typed',
    ({ typed, plan: expected }) => {
      const plan = planLikeSearch(toSearchPattern(typed))
      expect(plan).toMatchObject({ text: typed.trim(), ...expected })
      expect(plan).not.toHaveProperty('pattern')
    },
  )
})

describe('the list of users', () => {
  const now = Date.UTC(2026, 10, 28, 12)
  const day = (days: number) => String(Date.UTC(2026, 10, 28 - days))
  const none = { search: '', isSuspended: '' }
  it.each([
    { address: '', path: '/users', query: none },
    {
      address: 'search=ann&state=suspended',
      path: '/users',
      query: { search: '%ann%', isSuspended: 'true', sort: 'relevance' },
    },
    { address: 'state=active&role=r', path: '/roles/r/users', query: { isSuspended: 'false' } },
    { address: 'role=a/b', path: '/roles/a%2Fb/users', query: { isSuspended: '' } },
    { address: 'role=r&sort=name', path: '/users', query: { ...none, roleId: 'r', sort: 'name' } },
    {
      address: 'role=r&search=jo',
      path: '/users',
      query: { search: 'jo%', isSuspended: '', roleId: 'r', sort: 'relevance' },
    },
    { address: 'sort=oldest', path: '/users', query: { ...none, sort: 'createdAt', order: 'asc' } },
    {
      address: 'factor=totp&provider=github',
      path: '/users',
      query: { ...none, hasFactor: 'totp', provider: 'github' },
    },
    { address: 'verified=email', path: '/users', query: { ...none, emailVerified: 'true' } },
    { address: 'verified=noEmail', path: '/users', query: { ...none, emailVerified: 'false' } },
    { address: 'verified=noPhone', path: '/users', query: { ...none, phoneVerified: 'false' } },
    { address: 'lastSignIn=never', path: '/users', query: { ...none, lastSignInBefore: '1' } },
    { address: 'lastSignIn=within7', path: '/users', query: { ...none, lastSignInAfter: day(7) } },
    { address: 'lastSignIn=before90', path: '/users', query: { ...none, lastSignInBefore: day(90) } },
    { address: 'state=other&factor=fax&sort=age', path: '/users', query: none },
  ])('calls $path for the query "$address"', ({ address, ...call }) => {
    expect(listCall(parseUserFilter(new URLSearchParams(address)), now)).toEqual(call)
  })
})
