import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { InteractionEvent } from '../../src/contract/interactions/identifiers.ts'
import { asksForTerms } from '../../src/domain/interactions/terms.ts'
import { betweenWords, createTranslator, type Translate } from '../context/phrases.ts'
import type { FormValues } from '../reactions/reactions.ts'
import { type Validator, withoutEmpty } from './problems.ts'

/** A box that is asked for and not ticked. */
export const termsProblemsOf =
  (event: InteractionEvent): Validator =>
  (form, boot) =>
    withoutEmpty({
      termsAgreement:
        asksForTerms(boot.experience, event) && !form.termsAgreement
          ? termsDemand(boot, createTranslator(boot))
          : null,
    })

export const registerTermsProblems = termsProblemsOf('Register')

/** Of the sign-in page. */
export const signInTermsProblems = termsProblemsOf('SignIn')
export const andTerms =
  (validate: Validator): Validator =>
  (form, boot) => ({ ...validate(form, boot), ...signInTermsProblems(form, boot) })

/** "To proceed, please agree to the Terms of Use and Privacy Policy", as plain text (spec/pages#terms-agreement). */
function termsDemand({ experience, language }: BootData, t: Translate): string {
  const { termsOfUseUrl, privacyPolicyUrl } = experience
  const names = [
    termsOfUseUrl && t('description.terms_of_use'),
    privacyPolicyUrl && t('description.privacy_policy'),
  ]
  const list = names.filter(Boolean).join(betweenWords(t('description.and'), language))
  return t('description.agree_with_terms_modal').replace(/<link>.*?<\/link>/, list)
}

/** The ticked box is remembered by the pages that follow, of which one submits. */
export const withAgreement = (form: FormValues, boot: BootData): BootData =>
  form.termsAgreement ? { ...boot, navigation: { ...boot.navigation, hasAgreed: true } } : boot
