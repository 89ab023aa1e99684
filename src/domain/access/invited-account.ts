import type { SignInExperience } from '../../contract/experience/experience.ts'
import type { TermsAgreement } from '../../contract/interactions/interaction.ts'
import { hasTerms, type TermsSettings } from '../interactions/terms.ts'

/** The fields that the form for a new account has, besides the agreement to the terms. */
export type NewAccountForm = {
  /** The identifiers that the account can sign in with. */
  identifiers: readonly ('username' | 'email')[]
  /** The address of the invitation if the account signs in with it, so that nobody has to enter it. */
  email: string | null
  hasPassword: boolean
}

type FormSettings = Pick<SignInExperience, 'signIn' | 'signUp'>

/**
 * Returns what the invitation page asks for to create an account, or null if it cannot create one: in a tenant in which
 * nobody signs in with a password, a new account needs codes to its address, and therefore a proven one.
 */
export function newAccountForm(
  { signIn, signUp }: FormSettings,
  { email, isProven }: { email: string | null; isProven: boolean },
): NewAccountForm | null {
  const receivesCodes = signIn.methods.some(
    ({ identifier, verificationCode }) => identifier === 'email' && verificationCode,
  )
  if (email !== null && isProven && receivesCodes && !signUp.password)
    return { identifiers: ['email'], email, hasPassword: false }
  const identifiers = selectPasswordIdentifiers({ signIn, signUp })
  if (identifiers.length === 0) return null
  const usesEmail = email !== null && identifiers.includes('email')
  return {
    identifiers: usesEmail ? ['email'] : identifiers,
    email: usesEmail ? email : null,
    hasPassword: true,
  }
}

/**
 * Returns the identifiers that sign in with a password, because no connector for sending codes may be installed yet.
 * Identifiers from the sign-up settings are preferred, so that the first sign-in does not ask for another one.
 */
function selectPasswordIdentifiers({ signIn, signUp }: FormSettings): ('username' | 'email')[] {
  const types = signIn.methods.flatMap(({ identifier, password }) =>
    password && identifier !== 'phone' ? [identifier] : [],
  )
  const signUpTypes = types.filter((type) => signUp.identifiers.includes(type))
  return signUpTypes.length > 0 ? signUpTypes : types
}

/**
 * Returns the agreement to the terms that a new user gives by submitting the invitation form. Returns undefined if the
 * tenant has no terms.
 */
export function createAgreement(settings: TermsSettings, agreedAt: number): TermsAgreement | undefined {
  if (!hasTerms(settings)) return undefined
  const { termsOfUseUrl, privacyPolicyUrl, agreeToTermsPolicy: policy } = settings
  return { agreedAt, policy, termsOfUseUrl, privacyPolicyUrl }
}
