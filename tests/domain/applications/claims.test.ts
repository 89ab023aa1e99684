import { expect, it } from 'vitest'
import { claimsBesideScopes, isClaimOf } from '../../../src/domain/applications/claims.ts'

const everything = ['openid', 'profile', 'email', 'address', 'phone', 'custom_data', 'identities']

it.each([
  { claim: 'email_verified', scope: 'email' },
  { claim: 'birthdate', scope: 'profile' },
  { claim: 'phone_number', scope: 'phone' },
  { claim: 'custom_data', scope: 'custom_data' },
])(
  'the scope $scope releases the claim $claim, which can also be requested by itself',
  ({ claim, scope }) => {
    expect(isClaimOf([scope], claim)).toBe(true)
    expect(
      isClaimOf(
        everything.filter((name) => name !== scope),
        claim,
      ),
    ).toBe(false)
    expect(claimsBesideScopes([claim], { scopes: ['openid'] })).toEqual([claim])
    expect(claimsBesideScopes([claim], { scopes: ['openid', scope] })).toEqual([])
  },
)

// "`username` only with the scope it belongs to", and nothing that no scope releases
it.each(['username', 'sub', 'acr', 'auth_time', 'password', 'is_suspended', 'constructor', '__proto__'])(
  'the claim %s cannot be requested by itself',
  (claim) => {
    expect(claimsBesideScopes([claim], { scopes: [] })).toEqual([])
    expect(isClaimOf(everything, claim)).toBe(false)
  },
)

it('a client whose scopes are limited cannot request claims of other scopes', () => {
  expect(
    claimsBesideScopes(['email', 'phone_number', 'name'], {
      scopes: ['openid'],
      allowed: ['openid', 'email'],
    }),
  ).toEqual(['email'])
})
