import { USERNAME_PATTERN } from '../../contract/interactions/identifiers.ts'

type UsernameProblem =
  | 'username_required'
  | 'username_should_not_start_with_number'
  | 'username_invalid_charset'

/** Returns the first problem with a new username, in the order of spec/accounts#username. */
export function findUsernameProblem(text: string): UsernameProblem | null {
  if (text === '') return 'username_required'
  if (/^\d/.test(text)) return 'username_should_not_start_with_number'
  return USERNAME_PATTERN.test(text) ? null : 'username_invalid_charset'
}
