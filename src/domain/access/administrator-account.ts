import type { SignInExperience } from '../../contract/experience/experience.ts'
import type { TermsAgreement } from '../../contract/interactions/interaction.ts'
import { hasTerms, type TermsSettings } from '../interactions/terms.ts'

/**
 * Returns the identifiers that the invitation form offers to a new owner. The owner also chooses a password, because no
 * connector for sending codes may be installed yet. Identifiers from the sign-up settings are preferred, so that the
 * first sign-in does not ask for another one.
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

/**
 * Returns the agreement to the terms that a new owner gives by submitting the invitation form. Returns undefined if the
 * tenant has no terms.
 */
export function createAgreement(settings: TermsSettings, agreedAt: number): TermsAgreement | undefined {
  if (!hasTerms(settings)) return undefined
  const { termsOfUseUrl, privacyPolicyUrl, agreeToTermsPolicy: policy } = settings
  return { agreedAt, policy, termsOfUseUrl, privacyPolicyUrl }
}
