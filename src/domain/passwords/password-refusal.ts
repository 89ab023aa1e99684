import type { Refusal } from '../../contract/errors.ts'
import { invalidInput } from '../../contract/invalid-input.ts'
import type { PasswordPolicy } from '../../contract/tenants/settings.ts'
import { findPasswordProblem } from './password-policy.ts'

/**
 * Returns an error for a new password that breaks the tenant's rules, in the same form as a schema error
 * (spec/accounts#password-policy).
 */
export function checkPasswordPolicy(password: string, { rules }: PasswordPolicy): Refusal | null {
  const problem = findPasswordProblem(password, rules)
  if (!problem) return null
  const message = `breaks the password policy: ${problem.kind}`
  return invalidInput({ issues: [{ code: 'custom', path: ['password'], message }] }).refusal
}
