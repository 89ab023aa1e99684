import type { BootData } from '../../src/contract/boot.ts'
import {
  PASSWORD_CHARACTERS,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '../../src/contract/identifiers.ts'
import { passwordProblem } from '../../src/domain/password-policy.ts'
import { createTranslator, type Translate } from '../app/phrases.ts'
import { type FindProblems, foundProblems } from './problems.ts'

export const newPasswordProblems: FindProblems = (form, boot) => {
  const t = createTranslator(boot)
  const { newPassword = '', confirmPassword = '' } = form
  return foundProblems({
    newPassword: newPassword === '' ? t('error.password_required') : newPasswordProblem(newPassword, t),
    confirmPassword:
      confirmsPassword(boot) && confirmPassword !== newPassword ? t('error.passwords_do_not_match') : null,
  })
}

/** The phrase of the first rule that the password breaks (spec/accounts#password-policy). */
function newPasswordProblem(password: string, t: Translate): string | null {
  const problem = passwordProblem(password)
  if (!problem) return null
  if (!PASSWORD_CHARACTERS.test(password)) return t('vestibule.password_characters')
  if (password.length > PASSWORD_MAX_LENGTH) {
    return t('vestibule.password_max_length', { max: PASSWORD_MAX_LENGTH })
  }
  return t(`error.${problem.kind}`, { min: PASSWORD_MIN_LENGTH })
}

/** The rules in short, beside the field. */
export const newPasswordHint = (t: Translate): string =>
  t('vestibule.password_hint', { min: PASSWORD_MIN_LENGTH })

/** A new password is typed twice only where a forgotten one cannot be reset (spec/pages#password-fields). */
export function confirmsPassword({ experience: { forgotPassword } }: BootData): boolean {
  return !forgotPassword.email && !forgotPassword.phone
}
