import { expect, it } from 'vitest'
import { claimsByScope } from '../../../src/domain/applications/claims.ts'
import { openTestApp } from '../../kit/test-app.ts'

/** The original specification lists these scopes and claims. */
it.each([
  ['profile', ['name', 'picture', 'username']],
  ['email', ['email', 'email_verified']],
  ['phone', ['phone_number', 'phone_number_verified']],
  ['custom_data', ['custom_data']],
  ['identities', ['identities']],
] as const)('the scope "%s" has the claims "%s" of the specification', (scope, claims) => {
  expect(claimsByScope[scope]).toEqual(expect.arrayContaining([...claims]))
})

it('the sign-in scopes are "openid, offline_access"', async () => {
  const document = await openTestApp().fetch('/oidc/.well-known/openid-configuration')
  const { scopes_supported: scopes } = (await document.json()) as { scopes_supported: string[] }
  expect(scopes).toEqual(expect.arrayContaining(['openid', 'offline_access', ...Object.keys(claimsByScope)]))
})
