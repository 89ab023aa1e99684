import {
  CHARACTER_CLASSES,
  MIN_CHARACTER_CLASSES,
  PASSWORD_CHARACTERS_PATTERN,
  PASSWORD_MAX_CHARACTERS,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '../../contract/interactions/identifiers.ts'
import type { PasswordRuleSet } from '../../contract/tenants/settings.ts'

type PasswordProblem =
  | { kind: 'invalid_password' }
  | { kind: 'password_min_length'; min: number }
  | { kind: 'password_max_length'; max: number }

export type PasswordRule = 'length' | 'classes' | 'characters'

/**
 * Checks a new password against each rule. Returns, for each rule, whether the password satisfies it
 * (spec/accounts#password-policy).
 */
export function checkPasswordRules(
  password: string,
  rules: PasswordRuleSet,
): Readonly<Partial<Record<PasswordRule, boolean>>> {
  const { min, max } = lengthsOf(rules)
  const length = lengthOf(password, rules)
  const lengthRule = { length: min <= length && length <= max }
  if (rules === 'Length') return lengthRule
  const classes = CHARACTER_CLASSES.filter((characters) => characters.test(password))
  return {
    ...lengthRule,
    classes: classes.length >= MIN_CHARACTER_CLASSES,
    characters: PASSWORD_CHARACTERS_PATTERN.test(password),
  }
}

/** Returns the first problem with a new password, in the order of spec/accounts#password-policy. */
export function findPasswordProblem(password: string, rules: PasswordRuleSet): PasswordProblem | null {
  const { min, max } = lengthsOf(rules)
  const length = lengthOf(password, rules)
  const { characters = true, classes = true } = checkPasswordRules(password, rules)
  if (!characters) return { kind: 'invalid_password' }
  if (length > max) return { kind: 'password_max_length', max }
  if (length < min) return { kind: 'password_min_length', min }
  return classes ? null : { kind: 'invalid_password' }
}

/** Returns the rule that the first problem with a new password is about, unless there is no password or no problem. */
export function findBrokenRule(password: string, rules: PasswordRuleSet): PasswordRule | undefined {
  if (password === '') return undefined
  const checked = checkPasswordRules(password, rules)
  return (['characters', 'length', 'classes'] as const).find((rule) => checked[rule] === false)
}

const lengthsOf = (rules: PasswordRuleSet) => ({
  min: PASSWORD_MIN_LENGTH,
  max: rules === 'Length' ? PASSWORD_MAX_CHARACTERS : PASSWORD_MAX_LENGTH,
})

/** Counts characters. Under the rule set `Length`, code points are counted (NIST SP 800-63B-4 §3.1.1.2). */
const lengthOf = (password: string, rules: PasswordRuleSet) =>
  rules === 'Length' ? [...password].length : password.length
