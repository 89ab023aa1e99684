import { expect, it } from 'vitest'
import {
  accountLabel,
  type ConsentRequest,
  fromConsentRows,
  grantedPart,
  redirectDestination,
  splitConsentRequest,
  toConsentRows,
} from '../../../src/domain/applications/consent.ts'

it.each([
  ['https://shop.example/callback?a=b', 'shop.example'],
  ['http://localhost:3000/callback', 'localhost:3000'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['com.example.app:/callback', 'com.example.app'],
  ['no address', 'no address'],
])('the consent page shows the redirect URI %s as %s', (redirectUri, destination) => {
  expect(redirectDestination(redirectUri)).toBe(destination)
})

it("an account is labelled with the user's first identifier, or else with the account id", () => {
  const account = { username: 'ann', email: 'ann@example.com', phone: '4930123', id: 'u1' }
  expect(accountLabel(account)).toBe('ann')
  expect(accountLabel({ ...account, username: null })).toBe('ann@example.com')
  expect(accountLabel({ ...account, username: null, email: null })).toBe('+4930123')
  expect(accountLabel({ ...account, username: null, email: null, phone: null })).toBe('u1')
})

const nothing: ConsentRequest = { scopes: [], claims: [], resources: {} }

type ConsentCase = {
  title: string
  asks: ConsentRequest
  before: string[][]
  added?: ConsentRequest
  has?: ConsentRequest
}

it.each<ConsentCase>([
  {
    title: 'everything if nothing has been granted',
    asks: { scopes: ['openid'], claims: [], resources: { a: ['read'], b: [] } },
    before: [],
  },
  {
    title: 'everything again if all of it has been granted',
    asks: { scopes: ['openid'], claims: [], resources: { a: ['read'], b: [] } },
    before: [
      ['', 'openid'],
      ['a', 'read'],
      ['b', ''],
    ],
  },
  {
    title: 'an OpenID Connect scope and a resource scope',
    asks: { scopes: ['openid', 'email'], claims: [], resources: { a: ['read', 'write'], b: [] } },
    before: [
      ['', 'openid'],
      ['a', 'read'],
      ['b', ''],
    ],
    added: { scopes: ['email'], claims: [], resources: { a: ['write'] } },
    has: { scopes: ['openid'], claims: [], resources: { a: ['read'], b: [] } },
  },
  {
    title: 'a resource without scopes, unless its scopes have been granted',
    asks: { scopes: [], claims: [], resources: { a: [], b: [] } },
    before: [['a', 'read']],
    added: { scopes: [], claims: [], resources: { b: [] } },
    has: { scopes: [], claims: [], resources: { a: ['read'] } },
  },
  {
    title: 'a claim, unless it or its scope has been granted',
    asks: { scopes: ['openid'], claims: ['email', 'birthdate', 'gender'], resources: {} },
    before: [
      ['', 'openid'],
      ['', 'email'],
      ['', 'claim:birthdate'],
    ],
    added: { scopes: [], claims: ['gender'], resources: {} },
    has: { scopes: ['openid', 'email'], claims: ['birthdate'], resources: {} },
  },
])('a consent request asks for $title', ({ asks, before, added = asks, has = nothing }) => {
  const granted = before.map(([resource = '', scope = '']) => ({ resource, scope }))
  expect(splitConsentRequest(asks, granted)).toEqual({ asked: added, granted: has })
})

it('what a user grants is stored as rows that say the same', () => {
  const granted = {
    scopes: ['openid', 'email'],
    claims: ['birthdate'],
    resources: { 'https://a.example': ['read', 'write'], 'https://b.example': [] },
  }
  const rows = toConsentRows(granted)
  expect(rows).toContainEqual({ resource: '', scope: 'claim:birthdate' })
  expect(fromConsentRows(rows)).toEqual(granted)
})

it('an earlier consent covers the part of a request that it names', () => {
  const request = {
    scopes: ['openid', 'phone'],
    claims: ['email', 'email_verified', 'name'],
    resources: { a: ['read', 'write'], b: ['read'] },
  }
  const before = { scopes: ['openid', 'email'], claims: [], resources: { a: ['read'] } }
  expect(grantedPart(request, toConsentRows(before))).toEqual({
    scopes: ['openid'],
    claims: ['email', 'email_verified'],
    resources: { a: ['read'] },
  })
})
