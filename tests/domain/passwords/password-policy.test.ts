import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { passwordRuleSets } from '../../../src/contract/tenants/settings.ts'
import {
  checkPasswordRules,
  findBrokenRule,
  findPasswordProblem,
} from '../../../src/domain/passwords/password-policy.ts'

const invalid = { kind: 'invalid_password' }
const tooShort = { kind: 'password_min_length', min: 8 }
const CLASSES = 'CharacterClasses'

/**
 * The specification: "characters limited to letters, digits and ASCII punctuation; minimum length 8 (error
 * password_min_length with min 8); must mix at least 2 of 3 classes (letters, digits, symbols), else invalid_password
 * with min 8".
 */
describe('a new password', () => {
  it.each([
    { password: 'abcdefg1' },
    { password: 'abcdefg_' },
    { password: '1234567!' },
    { password: 'aA1!aA1!' },
    { password: `a1${'x'.repeat(254)}` },
  ])('[ASVS-6.2.9] is accepted: $password', ({ password }) => {
    expect(findPasswordProblem(password, CLASSES)).toBeNull()
  })

  it.each([
    { violation: 'disallowed characters rather than for its length', password: 'é', problem: invalid },
    { violation: 'a space', password: 'abcd efg1', problem: invalid },
    { violation: 'a line break at its end', password: 'abcdefg1\n', problem: invalid },
    { violation: 'being empty', password: '', problem: tooShort },
    {
      violation: 'one character too few, although it has two classes',
      password: 'abcdef1',
      problem: tooShort,
    },
    { violation: 'one character too few of one class', password: 'abcdefg', problem: tooShort },
    { violation: 'letters only', password: 'abcdEFGH', problem: invalid },
    { violation: 'digits only', password: '12345678', problem: invalid },
    { violation: 'punctuation only, the underscore included', password: '!?._-+/_', problem: invalid },
    {
      violation: 'more than 256 characters',
      password: `a1${'x'.repeat(255)}`,
      problem: { kind: 'password_max_length', max: 256 },
    },
  ])('[ASVS-6.2.1] is rejected for $violation', ({ password, problem }) => {
    expect(findPasswordProblem(password, CLASSES)).toEqual(problem)
  })

  it.each([
    { password: '', rule: undefined },
    { password: 'é', rule: 'characters' },
    { password: 'abc', rule: 'length' },
    { password: 'abcdefgh', rule: 'classes' },
    { password: 'abcdefg1', rule: undefined },
  ])('breaks first the rule $rule if it is $password', ({ password, rule }) => {
    expect(findBrokenRule(password, CLASSES)).toBe(rule)
  })

  it.each([
    { password: '', satisfied: ['characters'] },
    { password: 'abc', satisfied: ['characters'] },
    { password: 'abc1', satisfied: ['classes', 'characters'] },
    { password: 'abcdefgh', satisfied: ['length', 'characters'] },
    { password: 'abcdefg1', satisfied: ['length', 'classes', 'characters'] },
    { password: 'é', satisfied: [] },
    { password: 'abcd efg', satisfied: ['length', 'classes'] },
    { password: `a1${'x'.repeat(255)}`, satisfied: ['classes', 'characters'] },
  ])('satisfies the rules $satisfied if it is $password', ({ password, satisfied }) => {
    const rules = Object.entries(checkPasswordRules(password, CLASSES))
    expect(rules.filter(([, isSatisfied]) => isSatisfied).map(([rule]) => rule)).toEqual(satisfied)
  })

  it.each(passwordRuleSets)(
    'is valid under the rules %s if and only if it satisfies all of them',
    (rules) => {
      const unit = fc.constantFrom('a', 'Z', '0', '_', '!', ' ', 'é', '🐴')
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string({ unit, maxLength: 12 }),
            fc.string({ unit, minLength: 125, maxLength: 131 }),
            fc.string({ minLength: 250, maxLength: 260 }),
          ),
          (password) => {
            const satisfiesAll = Object.values(checkPasswordRules(password, rules)).every(Boolean)
            expect(findPasswordProblem(password, rules) === null).toBe(satisfiesAll)
          },
        ),
      )
    },
  )
})

describe('a new password without character classes', () => {
  const tooLong = { kind: 'password_max_length', max: 128 }

  it.each([
    { password: 'abcdefgh', problem: null },
    { password: 'correct horse', problem: null },
    { password: 'пароль из слов', problem: null },
    { password: '🐴'.repeat(128), problem: null },
    { password: '🐴'.repeat(7), problem: tooShort },
    { password: 'abcdefg', problem: tooShort },
    { password: 'a'.repeat(129), problem: tooLong },
    { password: '🐴'.repeat(129), problem: tooLong },
  ])('[ASVS-6.2.5] has the problem $problem if it is $password', ({ password, problem }) => {
    expect(findPasswordProblem(password, 'Length')).toEqual(problem)
    expect(checkPasswordRules(password, 'Length')).toEqual({ length: problem === null })
  })
})
