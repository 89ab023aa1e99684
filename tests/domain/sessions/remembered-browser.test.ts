import { describe, expect, it } from 'vitest'
import { DAY } from '../../../src/contract/time.ts'
import type { SubmitOutcome } from '../../../src/domain/interactions/submit.ts'
import { getRememberedPeriod } from '../../../src/domain/sessions/remembered-browser.ts'

const enrolment = { secret: 'A', proven: { step: 1, digests: [] } }
const user = { id: 'ann' } as Extract<SubmitOutcome, { kind: 'register' }>['user']
const signIn = (factor?: Extract<SubmitOutcome, { kind: 'signIn' }>['factor']): SubmitOutcome => ({
  kind: 'signIn',
  userId: 'ann',
  changes: user,
  factor,
})
const proven = signIn({ kind: 'proven' })

describe('a remembered browser', () => {
  it.each<[string, SubmitOutcome, boolean]>([
    ['a sign-in with a second factor', proven, true],
    ['a sign-in that sets up a factor', signIn({ kind: 'missing', enrolment, passkeys: 0 }), true],
    ['a sign-in without a factor', signIn({ kind: 'missing', enrolment: undefined, passkeys: 0 }), false],
    ['a sign-in in a remembered browser', signIn({ kind: 'remembered' }), false],
    ['a sign-in that needs no factor', signIn(), false],
    ['a registration that sets up a factor', { kind: 'register', user, enrolment }, true],
    ['a registration without a factor', { kind: 'register', user }, false],
    [
      'a password reset',
      { kind: 'resetPassword', userId: 'ann', password: 'x', channels: [], verified: {} },
      false,
    ],
  ])('is stored after %s: %s', (_, outcome, starts) => {
    const period = starts ? { at: 1000, until: 1000 + 7 * DAY } : null
    expect(getRememberedPeriod(outcome, { isWished: true, rememberDays: 7, at: 1000 })).toEqual(period)
  })

  it.each([
    { isWished: false, rememberDays: 7 },
    { isWished: true, rememberDays: 0 },
  ])('is not stored for $rememberDays days if the user’s choice is $isWished', (settings) => {
    expect(getRememberedPeriod(proven, { ...settings, at: 1000 })).toBeNull()
  })
})
