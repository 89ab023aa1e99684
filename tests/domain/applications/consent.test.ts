import { expect, it } from 'vitest'
import {
  accountLabel,
  redirectDestination,
  splitConsentRequest,
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

const nothing = { scopes: [], resources: {} }

it.each([
  {
    title: 'everything if nothing has been granted',
    asks: { scopes: ['openid'], resources: { a: ['read'], b: [] } },
    before: [],
  },
  {
    title: 'everything again if all of it has been granted',
    asks: { scopes: ['openid'], resources: { a: ['read'], b: [] } },
    before: [
      ['', 'openid'],
      ['a', 'read'],
      ['b', ''],
    ],
  },
  {
    title: 'an OpenID Connect scope and a resource scope',
    asks: { scopes: ['openid', 'email'], resources: { a: ['read', 'write'], b: [] } },
    before: [
      ['', 'openid'],
      ['a', 'read'],
      ['b', ''],
    ],
    added: { scopes: ['email'], resources: { a: ['write'] } },
    has: { scopes: ['openid'], resources: { a: ['read'], b: [] } },
  },
  {
    title: 'a resource without scopes, unless its scopes have been granted',
    asks: { scopes: [], resources: { a: [], b: [] } },
    before: [['a', 'read']],
    added: { scopes: [], resources: { b: [] } },
    has: { scopes: [], resources: { a: ['read'] } },
  },
])('a consent request asks for $title', ({ asks, before, added = asks, has = nothing }) => {
  const granted = before.map(([resource = '', scope = '']) => ({ resource, scope }))
  expect(splitConsentRequest(asks, granted)).toEqual({ asked: added, granted: has })
})
