import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { InteractionEvent } from '../../src/contract/interactions/identifiers.ts'
import { asksForTerms } from '../../src/domain/interactions/terms.ts'
import { createTranslator, spacedWord, type Translate } from '../context/phrases.ts'
import {
  identifierProblems,
  knownIdentifiers,
  omitEmpty,
  passwordProblems,
  type Validator,
} from './problems.ts'

/** Reports a required terms checkbox that is not checked. */
export const termsProblems =
  (event: InteractionEvent): Validator =>
  (form, boot) =>
    omitEmpty({
      termsAgreement:
        asksForTerms(boot.experience, event) && !form.termsAgreement
          ? termsDemand(boot, createTranslator(boot))
          : null,
    })

export const registerTermsProblems = termsProblems('Register')
export const signInTermsProblems = termsProblems('SignIn')

const both =
  (one: Validator, other: Validator): Validator =>
  (form, boot) => ({ ...one(form, boot), ...other(form, boot) })

export const registerProblems = both(
  identifierProblems(({ experience }) => experience.signUp.identifiers),
  registerTermsProblems,
)

/** The first step of sign-in asks only for an identifier. */
const identifier = identifierProblems(knownIdentifiers, 'known')

/** The validators of the sign-in page's forms, by what the forms ask for. */
export const signInProblems = {
  identifier: both(identifier, signInTermsProblems),
  password: both(both(identifier, passwordProblems), signInTermsProblems),
  social: signInTermsProblems,
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
  const list = names.filter(Boolean).join(spacedWord(t('description.and'), language))
  return t('description.agree_with_terms_modal').replace(/<link>.*?<\/link>/, list)
}
