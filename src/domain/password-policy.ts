/** What a new password must be (product 5, contract 1.2, 10.3). */
import {
  CHARACTER_CLASSES,
  CHARACTER_CLASSES_NEEDED,
  PASSWORD_CHARACTERS,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '../contract/identifiers.ts'

export type PasswordProblem = { kind: 'invalid_password' } | { kind: 'password_min_length'; min: number }

/** The first thing wrong with a new password, in the order of contract 10.3. Too long is decision 13's. */
export function passwordProblem(password: string): PasswordProblem | null {
  if (!PASSWORD_CHARACTERS.test(password) || password.length > PASSWORD_MAX_LENGTH) {
    return { kind: 'invalid_password' }
  }
  if (password.length < PASSWORD_MIN_LENGTH) return { kind: 'password_min_length', min: PASSWORD_MIN_LENGTH }

  const classes = CHARACTER_CLASSES.filter((characters) => characters.test(password))
  return classes.length < CHARACTER_CLASSES_NEEDED ? { kind: 'invalid_password' } : null
}

/** The server's pattern (contract 1.2): exactly the passwords in which the form finds no problem. */
export function isAcceptablePassword(password: string): boolean {
  return passwordProblem(password) === null
}
