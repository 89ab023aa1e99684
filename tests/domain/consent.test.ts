import { expect, it } from 'vitest'
import { accountLabel, destinationOf } from '../../src/domain/consent.ts'

it.each([
  ['https://shop.example/callback?a=b', 'shop.example'],
  ['http://localhost:3000/callback', 'localhost:3000'],
  ['https://bücher.example/', 'xn--bcher-kva.example'],
  ['com.example.app:/callback', 'com.example.app'],
  ['no address', 'no address'],
])('an answer to %s goes to %s', (redirectUri, destination) => {
  expect(destinationOf(redirectUri)).toBe(destination)
})

it('an account is named by what its user signs in with', () => {
  const account = { username: 'ann', email: 'ann@example.com', phone: '4930123', id: 'u1' }
  expect(accountLabel(account)).toBe('ann')
  expect(accountLabel({ ...account, username: null })).toBe('ann@example.com')
  expect(accountLabel({ ...account, username: null, email: null })).toBe('+4930123')
  expect(accountLabel({ ...account, username: null, email: null, phone: null })).toBe('u1')
})
