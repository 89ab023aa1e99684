import {
  CHARACTER_CLASSES,
  CHARACTER_CLASSES_NEEDED,
  PASSWORD_CHARACTERS,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '../contract/identifiers.ts'

export type PasswordProblem = { kind: 'invalid_password' } | { kind: 'password_min_length'; min: number }

/** The first problem of a new password, in the order of spec/accounts#password-policy. */
export function passwordProblem(password: string): PasswordProblem | null {
  if (!PASSWORD_CHARACTERS.test(password) || password.length > PASSWORD_MAX_LENGTH) {
    return { kind: 'invalid_password' }
  }
  if (password.length < PASSWORD_MIN_LENGTH) return { kind: 'password_min_length', min: PASSWORD_MIN_LENGTH }

  const classes = CHARACTER_CLASSES.filter((characters) => characters.test(password))
  return classes.length < CHARACTER_CLASSES_NEEDED ? { kind: 'invalid_password' } : null
}
