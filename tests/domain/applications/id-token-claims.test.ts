import { expect, it } from 'vitest'
import { getIdTokenClaims } from '../../../src/domain/applications/fapi.ts'

// "`all` (default) or `minimal` (default with `fapi2`)" (spec/provider#client-metadata)
it.each([
  { custom: {}, claims: 'all' },
  { custom: { fapi2: false }, claims: 'all' },
  { custom: { fapi2: true }, claims: 'minimal' },
  { custom: { fapi2: true, idTokenClaims: null }, claims: 'minimal' },
  { custom: { fapi2: true, idTokenClaims: 'all' }, claims: 'all' },
  { custom: { idTokenClaims: 'minimal' }, claims: 'minimal' },
] as const)('ID tokens of an application with $custom have $claims claims', ({ custom, claims }) => {
  expect(getIdTokenClaims(custom)).toBe(claims)
})
