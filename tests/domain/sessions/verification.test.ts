import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE } from '../../../src/contract/time.ts'
import { isAllowedOrigin } from '../../../src/domain/applications/allowed-origin.ts'
import {
  exemptionTimeSeconds,
  isRevoked,
  loginTimeSeconds,
  nextRevocationTime,
} from '../../../src/domain/sessions/revocation.ts'
import {
  checkOperatorSignIn,
  checkTwoFactors,
  checkVerification,
  refuseOldProof,
} from '../../../src/domain/sessions/verification.ts'

it.each([
  { createdAt: undefined, refusal: { code: 'auth.insufficient_user_authentication', status: 401 } },
  { createdAt: 1_000_000, refusal: null },
  { createdAt: 400_000, refusal: null },
  { createdAt: 399_999, refusal: { code: 'auth.insufficient_user_authentication', status: 401 } },
])(
  'a verification is valid for ten minutes: created at $createdAt ms, checked at 1000000 ms',
  ({ createdAt, refusal }) => {
    const result = checkVerification(createdAt, 1_000_000)
    if (refusal) expect(result).toMatchObject(refusal)
    else expect(result).toBeNull()
  },
)

it.each([
  { origin: 'https://shop.example', allowed: true },
  { origin: 'https://id.example', allowed: true },
  { origin: 'https://listed.example', allowed: true },
  { origin: 'http://shop.example', allowed: false },
  { origin: 'https://shop.example:8443', allowed: false },
  { origin: 'https://evil.example', allowed: false },
  { origin: 'null', allowed: false },
])('a page at $origin may call the account API: $allowed', ({ origin, allowed }) => {
  const registered = {
    redirectUris: ['https://shop.example/back', 'com.example.app:/back', 'nonsense'],
    listed: ['https://listed.example'],
  }
  expect(isAllowedOrigin(origin, 'https://id.example', registered)).toBe(allowed)
  expect(isAllowedOrigin(origin, 'https://id.example', { redirectUris: [], listed: undefined })).toBe(
    origin === 'https://id.example',
  )
})

it.each([
  { exemptedAt: undefined, isRevoked: true },
  { exemptedAt: 5, isRevoked: true },
  { exemptedAt: 6, isRevoked: false },
])(
  'a revocation at second 5 affects a sign-in at second 2 that was exempted at $exemptedAt: $isRevoked',
  (row) => {
    const user = { revokedAt: 5_200, isSuspended: false }
    const { exemptedAt } = row
    expect(isRevoked(user, { madeAt: 2, exemptedAt })).toBe(row.isRevoked)
    expect(isRevoked({ ...user, isSuspended: true }, { madeAt: 2, exemptedAt })).toBe(true)
    expect(exemptionTimeSeconds(user.revokedAt)).toBe(6)
  },
)

it('a second revocation within a second also revokes sign-ins after the first revocation', () => {
  const now = 5_200
  expect(nextRevocationTime({ revokedAt: null }, now)).toBe(now)
  expect(nextRevocationTime({ revokedAt: 1_000 }, now)).toBe(now)
  const first = { revokedAt: now, isSuspended: false }
  const signIn = { madeAt: loginTimeSeconds(first, now + 1), exemptedAt: undefined }
  expect(isRevoked(first, signIn)).toBe(false)
  expect(isRevoked({ ...first, revokedAt: nextRevocationTime(first, now + 2) }, signIn)).toBe(true)
})

describe('a challenge for another verification (RFC 9470)', () => {
  const [ONE, TWO] = ['urn:vestibule:acr:1fa', 'urn:vestibule:acr:2fa']
  const now = 5 * HOUR
  const check = (signedInAt: number | undefined, level: string | undefined, needsTwo: boolean) =>
    checkOperatorSignIn({ signedInAt, level }, now, { needsTwo })?.data ?? null

  it('requires a verification within ten minutes, and two factors if necessary', () => {
    expect(refuseOldProof().data).toEqual({ maxAge: 600 })
    expect(checkVerification(undefined, now)?.data).toEqual({ maxAge: 600 })
    expect(checkVerification(now - 11 * MINUTE, now, { needsTwo: true })?.data).toEqual({
      maxAge: 600,
      acrValues: TWO,
    })
    expect(checkVerification(now, now, { needsTwo: true })).toBeNull()
  })

  it.each([
    [ONE, { maxAge: 600, acrValues: TWO }],
    [undefined, { maxAge: 600, acrValues: TWO }],
    ['gold', { maxAge: 600, acrValues: TWO }],
    [TWO, undefined],
    ['phr', undefined],
  ])('requires two factors after a sign-in with the level %s: %j', (level, data) => {
    expect(checkTwoFactors(level)?.data).toEqual(data)
  })

  it('requires an operator to have signed in within an hour', () => {
    expect([check(now - HOUR, ONE, false), check(now - HOUR, TWO, true)]).toEqual([null, null])
    expect(check(now - HOUR - 1, TWO, false)).toEqual({ maxAge: 3600 })
    expect(check(undefined, TWO, false)).toEqual({ maxAge: 3600 })
  })

  it.each([
    [now - HOUR - 1, TWO],
    [now, ONE],
    [undefined, TWO],
  ])('requires two factors from an operator who signed in at %s with the level %s', (signedInAt, level) => {
    expect(check(signedInAt, level, true)).toEqual({ maxAge: 3600, acrValues: TWO })
  })
})
