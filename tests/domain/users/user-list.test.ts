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
  it.each([
    { address: '', path: '/users', query: { search: '', isSuspended: '' } },
    {
      address: 'search=ann&state=suspended',
      path: '/users',
      query: { search: '%ann%', isSuspended: 'true' },
    },
    { address: 'state=active&role=r', path: '/roles/r/users', query: { isSuspended: 'false' } },
    { address: 'role=a/b', path: '/roles/a%2Fb/users', query: { isSuspended: '' } },
    { address: 'state=other', path: '/users', query: { search: '', isSuspended: '' } },
  ])('calls $path for the query "$address"', ({ address, ...call }) => {
    expect(listCall(parseUserFilter(new URLSearchParams(address)))).toEqual(call)
  })

  it('is not filtered by default', () => {
    expect(parseUserFilter(new URLSearchParams())).toEqual({ search: '', role: '', state: '' })
    const query = new URLSearchParams('search=ann&role=r&state=active')
    expect(parseUserFilter(query)).toEqual({ search: 'ann', role: 'r', state: 'active' })
  })
})
