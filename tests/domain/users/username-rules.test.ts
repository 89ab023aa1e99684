import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { USERNAME_PATTERN } from '../../../src/contract/interactions/identifiers.ts'
import { findUsernameProblem } from '../../../src/domain/users/username-rules.ts'

describe('a username', () => {
  it.each(['ann', '_ann', 'Ann_1', 'A'])('can be %s', (text) => {
    expect(findUsernameProblem(text)).toBeNull()
  })

  it.each([
    { text: '', problem: 'username_required' },
    { text: '1ann', problem: 'username_should_not_start_with_number' },
    { text: '1 ann!', problem: 'username_should_not_start_with_number' },
    { text: 'ann!', problem: 'username_invalid_charset' },
    { text: 'änn', problem: 'username_invalid_charset' },
    { text: ' ', problem: 'username_invalid_charset' },
    { text: 'ann\n', problem: 'username_invalid_charset' },
  ])('is rejected with $problem if it is "$text"', ({ text, problem }) => {
    expect(findUsernameProblem(text)).toBe(problem)
  })

  it('is validated identically by the form and the server', () => {
    const anyText = fc.string({
      unit: fc.constantFrom('a', 'Z', '0', '_', '-', ' ', 'é', '\n'),
      maxLength: 5,
    })
    fc.assert(
      fc.property(anyText, (text) => {
        expect(findUsernameProblem(text) === null).toBe(USERNAME_PATTERN.test(text))
      }),
    )
  })
})
