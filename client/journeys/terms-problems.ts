import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { InteractionEvent } from '../../src/contract/interactions/identifiers.ts'
import { requiresExplicitAgreement } from '../../src/domain/interactions/terms.ts'
import { createTranslator, surroundWithSpaces, type Translate } from '../context/phrases.ts'
import {
  createIdentifierValidator,
  omitFieldsWithoutProblem,
  signInIdentifierTypes,
  type Validator,
  validatePassword,
} from './problems.ts'

/** Reports a required terms checkbox that is not checked. */
export const createTermsValidator =
  (event: InteractionEvent): Validator =>
  (form, boot) =>
    omitFieldsWithoutProblem({
      termsAgreement:
        requiresExplicitAgreement(boot.experience, event) && !form.termsAgreement
          ? termsDemand(boot, createTranslator(boot))
          : null,
    })

export const validateRegisterTerms = createTermsValidator('Register')
export const validateSignInTerms = createTermsValidator('SignIn')

const both =
  (one: Validator, other: Validator): Validator =>
  (form, boot) => ({ ...one(form, boot), ...other(form, boot) })

export const validateRegistration = both(
  createIdentifierValidator(({ experience }) => experience.signUp.identifiers),
  validateRegisterTerms,
)

/** The first step of sign-in asks only for an identifier. */
const identifier = createIdentifierValidator(signInIdentifierTypes, 'known')

/** The validators of the sign-in page's forms, keyed by what each form asks for. */
export const signInValidators = {
  identifier: both(identifier, validateSignInTerms),
  password: both(both(identifier, validatePassword), validateSignInTerms),
  social: validateSignInTerms,
}

/**
 * Returns the sentence "To proceed, please agree to the Terms of Use and Privacy Policy" as plain text
 * (spec/pages#terms-agreement).
 */
function termsDemand({ experience, language }: BootData, t: Translate): string {
  const { termsOfUseUrl, privacyPolicyUrl } = experience
  const names = [
    termsOfUseUrl && t('description.terms_of_use'),
    privacyPolicyUrl && t('description.privacy_policy'),
  ]
  const list = names.filter(Boolean).join(surroundWithSpaces(t('description.and'), language))
  return t('description.agree_with_terms_modal').replace(/<link>.*?<\/link>/, list)
}
