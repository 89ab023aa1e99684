import { describe, expect, it } from 'vitest'
import { checkPasswordPolicy } from '../../../src/domain/passwords/password-refusal.ts'
import { formatResetName, parseResetChannels } from '../../../src/domain/passwords/password-reset.ts'

describe('a new password', () => {
  it.each([
    ['CharacterClasses', 'secret-1', null],
    ['CharacterClasses', 'secretsecret', 'invalid_password'],
    ['Length', 'secretsecret', null],
    ['Length', 'short', 'password_min_length'],
    ['Length', 'x'.repeat(129), 'password_max_length'],
  ] as const)('is checked under the rules %s: %s has the problem %s', (rules, password, problem) => {
    const refusal = checkPasswordPolicy(password, { rules, haveIBeenPwned: false })
    const issue = { code: 'custom', path: ['password'], message: expect.stringContaining(problem ?? '') }
    expect(refusal).toEqual(
      problem &&
        expect.objectContaining({ code: 'guard.invalid_input', data: { issues: [issue], name: 'ZodError' } }),
    )
  })
})

describe('the name of a password reset', () => {
  const name = formatResetName({ userId: 'an n', channels: ['email', 'phone'] }, 'id')
  it.each([
    [name, 'an n', ['email', 'phone']],
    [name, 'an', []],
    [formatResetName({ userId: 'ann', channels: [] }, 'id'), 'ann', []],
    [undefined, 'ann', []],
    ['email phone id', 'email', []],
  ])('is parsed from %s for the user %s: the channels are %j', (reset, userId, channels) => {
    expect(parseResetChannels(reset, userId)).toEqual(channels)
  })
})
