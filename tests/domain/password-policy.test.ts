import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NewPassword } from '../../src/contract/identifiers.schema.ts'
import { passwordProblem } from '../../src/domain/password-policy.ts'

const invalid = { kind: 'invalid_password' }
const tooShort = { kind: 'password_min_length', min: 8 }

describe('a new password', () => {
  it.each([
    { password: 'abcdefg1' },
    { password: 'abcdefg_' },
    { password: '1234567!' },
    { password: 'aA1!aA1!' },
    { password: `a1${'x'.repeat(254)}` },
  ])('may be $password', ({ password }) => {
    expect(passwordProblem(password)).toBeNull()
  })

  it.each([
    { why: 'disallowed characters, although it is also short', password: 'é', problem: invalid },
    { why: 'a space', password: 'abcd efg1', problem: invalid },
    { why: 'a line break at its end', password: 'abcdefg1\n', problem: invalid },
    { why: 'nothing', password: '', problem: tooShort },
    { why: 'one character too few, although it has two classes', password: 'abcdef1', problem: tooShort },
    { why: 'one character too few of one class', password: 'abcdefg', problem: tooShort },
    { why: 'letters only', password: 'abcdEFGH', problem: invalid },
    { why: 'digits only', password: '12345678', problem: invalid },
    { why: 'punctuation only, the underscore included', password: '!?._-+/_', problem: invalid },
    { why: 'more than 256 characters', password: `a1${'x'.repeat(255)}`, problem: invalid },
  ])('is refused for $why', ({ password, problem }) => {
    expect(passwordProblem(password)).toEqual(problem)
  })

  it('is checked alike by the form and by the server', () => {
    const anyPassword = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.string({ unit: fc.constantFrom('a', 'Z', '0', '_', '~', '!', ' ', 'é'), maxLength: 12 }),
    )
    fc.assert(
      fc.property(anyPassword, (password) => {
        expect(passwordProblem(password) === null).toBe(NewPassword.safeParse(password).success)
      }),
    )
  })
})
