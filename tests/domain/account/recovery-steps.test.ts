import { describe, expect, it } from 'vitest'
import { HOUR, SECOND } from '../../../src/contract/time.ts'
import { hasResetPassword, isStepChecked } from '../../../src/domain/account/recovery-steps.ts'

it.each([
  { newest: null, markedAt: undefined, isChecked: true },
  { newest: 5, markedAt: undefined, isChecked: false },
  { newest: 5, markedAt: 6, isChecked: true },
  { newest: 7, markedAt: 6, isChecked: false },
])(
  'with the newest from $newest, a step marked at $markedAt is done: $isChecked',
  ({ isChecked, ...step }) => {
    expect(isStepChecked(step.newest, step.markedAt)).toBe(isChecked)
  },
)

describe('a password reset', () => {
  const startedAt = 10 * HOUR
  const base = { startedAt, resetAt: startedAt, signIn: { at: startedAt / SECOND, methods: ['pwd'] } }
  it.each([
    { case: 'before a sign-in with the new password', facts: base, counts: true },
    { case: 'within an hour before the steps', facts: { ...base, resetAt: startedAt - HOUR }, counts: true },
    { case: 'long before the steps', facts: { ...base, resetAt: startedAt - HOUR - 1 }, counts: false },
    { case: 'after the sign-in', facts: { ...base, resetAt: startedAt + SECOND }, counts: false },
    {
      case: 'before a sign-in with a passkey',
      facts: { ...base, signIn: { ...base.signIn, methods: ['hwk'] } },
      counts: false,
    },
    { case: 'that never happened', facts: { ...base, resetAt: null }, counts: false },
  ])('$case counts as a change by the user: $counts', ({ facts, counts }) => {
    expect(hasResetPassword(facts)).toBe(counts)
  })
})
