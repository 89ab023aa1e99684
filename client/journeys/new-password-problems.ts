import type { BootData } from '../../src/contract/interactions/boot.ts'
import {
  PASSWORD_CHARACTERS_PATTERN,
  PASSWORD_MIN_LENGTH,
} from '../../src/contract/interactions/identifiers.ts'
import type { PasswordRuleSet } from '../../src/contract/tenants/settings.ts'
import { findPasswordProblem } from '../../src/domain/passwords/password-policy.ts'
import { createTranslator, type Translate } from '../context/phrases.ts'
import { omitFieldsWithoutProblem, type Validator } from './problems.ts'

export const validateNewPassword: Validator = (form, boot) => {
  const t = createTranslator(boot)
  const { newPassword = '', confirmPassword = '' } = form
  return omitFieldsWithoutProblem({
    newPassword: newPassword === '' ? t('error.password_required') : newPasswordProblem(newPassword, boot, t),
    confirmPassword:
      isPasswordTypedTwice(boot) && confirmPassword !== newPassword
        ? t('error.passwords_do_not_match')
        : null,
  })
}

/** Returns the phrase for the first rule that the password violates (spec/accounts#password-policy). */
function newPasswordProblem(password: string, { experience }: BootData, t: Translate): string | null {
  const problem = findPasswordProblem(password, getPasswordRules(experience))
  if (!problem) return null
  if (problem.kind === 'password_max_length') return t('vestibule.password_max_length', { max: problem.max })
  const sentence = t(`error.${problem.kind}`, { min: PASSWORD_MIN_LENGTH })
  return PASSWORD_CHARACTERS_PATTERN.test(password) || problem.kind === 'password_min_length'
    ? sentence
    : t('vestibule.password_characters', { problem: sentence })
}

export const getPasswordRules = ({ passwordRules }: BootData['experience']): PasswordRuleSet =>
  passwordRules ?? 'CharacterClasses'

/**
 * Checks whether a new password must be typed twice. This is the case only if forgotten passwords cannot be reset
 * (spec/pages#password-fields).
 */
export function isPasswordTypedTwice({ experience: { forgotPassword } }: BootData): boolean {
  return !forgotPassword.email && !forgotPassword.phone
}
