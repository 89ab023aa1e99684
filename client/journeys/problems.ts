import type { BootData } from '../../src/contract/boot.ts'
import type { IdentifierType } from '../../src/contract/identifiers.ts'
import {
  PASSWORD_CHARACTERS,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
} from '../../src/contract/identifiers.ts'
import { needsTerms, signInScreen } from '../../src/domain/experience-rules.ts'
import { passwordProblem } from '../../src/domain/password-policy.ts'
import { usernameProblem } from '../../src/domain/username-rules.ts'
import { type PhraseKey, type Translate, translator } from '../phrases.ts'
import type { Reaction } from '../reactions.ts'

export type FormValues = Readonly<Record<string, string>>

/** What is wrong with a form before anybody is asked, by field, in the order of the page (product 5). */
export type Problems = Readonly<Record<string, string>>

export type FindProblems = (form: FormValues, boot: BootData) => Problems

/** The names of identifiers as labels. */
export const identifierLabels = {
  username: 'input.username',
  email: 'input.email',
  phone: 'input.phone_number',
} as const satisfies Record<IdentifierType, PhraseKey>

/** The names of identifiers inside sentences. */
const identifierNames = {
  username: 'description.username',
  email: 'description.email',
  phone: 'description.phone_number',
} as const satisfies Record<IdentifierType, PhraseKey>

/** Sign-in forms only ask that something was typed: what else is wrong with it is the server's to say. */
export const signInProblems: FindProblems = (form, boot) => {
  const t = translator(boot)
  const screen = signInScreen(boot.experience)
  const types = 'identifiers' in screen ? screen.identifiers.map((type) => t(identifierNames[type])) : []
  return told({
    identifier: typed(form, 'identifier')
      ? null
      : capitalized(t('error.general_required', { types }), boot.language),
    password: form.password ? null : t('error.password_required'),
  })
}

export const registerProblems: FindProblems = (form, boot) => {
  const t = translator(boot)
  const problem = usernameProblem(typed(form, 'identifier'))
  return told({
    identifier: problem && t(`error.${problem}`),
    termsAgreement: needsTerms(boot.experience) && !form.termsAgreement ? termsDemand(boot, t) : null,
  })
}

export const newPasswordProblems: FindProblems = (form, boot) => {
  const t = translator(boot)
  const { newPassword = '', confirmPassword = '' } = form
  return told({
    newPassword: newPassword === '' ? t('error.password_required') : newPasswordProblem(newPassword, t),
    confirmPassword:
      confirmsPassword(boot) && confirmPassword !== newPassword ? t('error.passwords_do_not_match') : null,
  })
}

/** The product has one phrase for everything but "too short"; what the rule does not say there has one of ours. */
function newPasswordProblem(password: string, t: Translate): string | null {
  const problem = passwordProblem(password)
  if (!problem) return null
  if (!PASSWORD_CHARACTERS.test(password)) return t('vestibule.password_characters')
  if (password.length > PASSWORD_MAX_LENGTH) {
    return t('vestibule.password_max_length', { max: PASSWORD_MAX_LENGTH })
  }
  return t(`error.${problem.kind}`, { min: PASSWORD_MIN_LENGTH })
}

/** A new password is typed twice only where a forgotten one could not be reset (product 5). */
export function confirmsPassword({ experience: { forgotPassword } }: BootData): boolean {
  return !forgotPassword.email && !forgotPassword.phone
}

/** An identifier as it is sent. */
export const typed = (form: FormValues, name: string): string => form[name]?.trim() ?? ''

/** The first problem as a reaction, for the server; the browser has shown all of them already. */
export function firstProblem(problems: Problems): Reaction | null {
  const [first] = Object.entries(problems)
  return first ? { kind: 'inline', field: first[0], message: first[1] } : null
}

/** "To proceed, please agree to the Terms of Use and Privacy Policy" (product 5), as plain text. */
export function termsDemand({ experience }: BootData, t: Translate): string {
  const { termsOfUseUrl, privacyPolicyUrl } = experience
  const names = [
    termsOfUseUrl && t('description.terms_of_use'),
    privacyPolicyUrl && t('description.privacy_policy'),
  ]
  const list = names.filter(Boolean).join(` ${t('description.and')} `)
  return t('description.agree_with_terms_modal').replace(/<link>.*?<\/link>/, list)
}

const capitalized = (text: string, language: string) =>
  text.charAt(0).toLocaleUpperCase(language) + text.slice(1)

function told(problems: Record<string, string | null>): Problems {
  return Object.fromEntries(
    Object.entries(problems).filter((entry): entry is [string, string] => entry[1] !== null),
  )
}
