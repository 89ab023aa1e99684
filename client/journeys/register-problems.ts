import type { BootData } from '../../src/contract/boot.ts'
import { needsTerms } from '../../src/domain/experience-rules.ts'
import { betweenWords, createTranslator, type Translate } from '../app/phrases.ts'
import { identifierProblem } from './identifiers.ts'
import { type FindProblems, foundProblems } from './problems.ts'

export const registerProblems: FindProblems = (form, boot) => ({
  ...foundProblems({
    identifier: identifierProblem({ form, boot, accepted: boot.experience.signUp.identifiers }),
  }),
  ...termsProblems(form, boot),
})

export const termsProblems: FindProblems = (form, boot) =>
  foundProblems({
    termsAgreement:
      needsTerms(boot.experience) && !form.termsAgreement ? termsDemand(boot, createTranslator(boot)) : null,
  })

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
