import type { SignInExperience } from '../../contract/experience/experience.ts'
import type { TermsAgreement } from '../../contract/interactions/interaction.ts'
import { hasTerms, type TermsSettings } from '../interactions/terms.ts'

/**
 * Returns the identifiers that the account form of an invitation offers. They are used with a password, because there
 * may be no connector for sending codes yet. If possible, they are those of the sign-up settings; otherwise, the first
 * sign-in would ask for another identifier.
 */
export function selectInvitationIdentifiers({
  signIn,
  signUp,
}: Pick<SignInExperience, 'signIn' | 'signUp'>): ('username' | 'email')[] {
  const types = signIn.methods.flatMap(({ identifier, password }) =>
    password && identifier !== 'phone' ? [identifier] : [],
  )
  const signUpTypes = types.filter((type) => signUp.identifiers.includes(type))
  return signUpTypes.length > 0 ? signUpTypes : types
}

/** Returns the agreement to the terms that the new owner gives by submitting the form, as in a registration. */
export function createAgreement(settings: TermsSettings, agreedAt: number): TermsAgreement | undefined {
  if (!hasTerms(settings)) return undefined
  const { termsOfUseUrl, privacyPolicyUrl, agreeToTermsPolicy: policy } = settings
  return { agreedAt, policy, termsOfUseUrl, privacyPolicyUrl }
}
