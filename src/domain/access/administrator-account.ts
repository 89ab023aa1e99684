import type { SignInExperience } from '../../contract/experience/experience.ts'
import type { TermsAgreement } from '../../contract/interactions/interaction.ts'
import { needsTerms, type TermsSettings } from '../interactions/terms.ts'

/**
 * By what the account that an invitation makes can sign in: with a password, since there may be nothing yet that sends codes, and if possible
 * by what the sign-up asks for, which a sign-in would ask for otherwise.
 */
export function namesWithPassword({
  signIn,
  signUp,
}: Pick<SignInExperience, 'signIn' | 'signUp'>): ('username' | 'email')[] {
  const names = signIn.methods.flatMap(({ identifier, password }) =>
    password && identifier !== 'phone' ? [identifier] : [],
  )
  const identifiers = names.filter((name) => signUp.identifiers.includes(name))
  return identifiers.length > 0 ? identifiers : names
}

/** What its owner agrees to with the form, as at a registration. */
export function agreementBy(settings: TermsSettings, agreedAt: number): TermsAgreement | undefined {
  if (!needsTerms(settings)) return undefined
  const { termsOfUseUrl, privacyPolicyUrl, agreeToTermsPolicy: policy } = settings
  return { agreedAt, policy, termsOfUseUrl, privacyPolicyUrl }
}
