/**
 * Decides what the operator's settings allow, and what the pages show as a result (spec/interaction#settings-checks,
 * spec/experience#mode).
 */
import { type Refusal, refuse } from '../../contract/errors.ts'
import type {
  Experience,
  SignInExperience,
  SignInMethod,
  SignInMode,
} from '../../contract/experience/experience.ts'
import {
  type IdentifierPayload,
  type IdentifierType,
  type InteractionEvent,
  identifierTypes,
  type Profile,
} from '../../contract/interactions/identifiers.ts'
import type { Interaction, Proof } from '../../contract/interactions/interaction.ts'

const forbiddenEvent = {
  SignIn: 'Register',
  Register: 'SignIn',
  SignInAndRegister: null,
} satisfies Record<SignInMode, InteractionEvent | null>

/** Returns an error if the sign-in mode does not allow this event. Resetting a forgotten password is always allowed. */
export function forbidsEvent(
  { signInMode }: Pick<SignInExperience, 'signInMode'>,
  event: InteractionEvent,
): Refusal | null {
  return event === forbiddenEvent[signInMode] ? refuse('auth.forbidden') : null
}

/**
 * Returns an error for an identifier whose sign-in method is disabled. Only codes can reset a password
 * (spec/interaction#settings-checks). `before` is the interaction record before the identifier is added.
 */
export function checkIdentifier(
  settings: Pick<Experience, 'signIn' | 'signUp' | 'socialConnectors' | 'passkeys'>,
  event: InteractionEvent,
  payload: IdentifierPayload,
  before: Pick<Interaction, 'proofs'> = { proofs: [] },
): Refusal | null {
  if (event === 'ForgotPassword') {
    return 'verificationCode' in payload ? null : refuse('user.sign_in_method_not_enabled')
  }
  if ('passkey' in payload) {
    const isEnabled = settings.passkeys === true && event === 'SignIn'
    return isEnabled ? null : refuse('user.sign_in_method_not_enabled')
  }
  if ('connectorId' in payload) return checkOfferedConnector(settings, payload.connectorId)

  const { signIn, signUp } = settings
  const type = 'username' in payload ? 'username' : 'email' in payload ? 'email' : 'phone'
  // A new address is verified with a code even if codes are not a sign-in method. A registration adds an address, and
  // so can a sign-in that began with another proof.
  const addsAddress = event === 'Register' || before.proofs.some(({ kind }) => kind !== type)
  const isForSignUp = addsAddress && (signUp.identifiers.includes(type) || signUp.verify)
  const isAllowed = signIn.methods.some(
    (method) =>
      method.identifier === type &&
      ('password' in payload ? method.password : method.verificationCode || isForSignUp),
  )
  return isAllowed ? null : refuse('user.sign_in_method_not_enabled')
}

/**
 * Returns an error if the method that identified the account is disabled. This can happen if the code was meant for
 * sign-up, or if the settings have changed. A code may also identify the account to which a new social identity is
 * linked (spec/interaction#settings-checks).
 */
export function checkFirstProof(
  { signIn, passkeys }: Pick<Experience, 'signIn' | 'passkeys'>,
  { proofs, profile }: Pick<Interaction, 'proofs' | 'profile'>,
  proof: Proof,
): Refusal | null {
  return isEnabled() ? null : refuse('user.sign_in_method_not_enabled')

  function isEnabled(): boolean {
    switch (proof.kind) {
      case 'account':
        return signIn.methods.some(({ password }) => password)
      case 'passkey':
        return passkeys === true
      case 'email':
      case 'phone':
        return (
          proof.connectorId !== undefined ||
          signIn.methods.some(
            ({ identifier, verificationCode }) => identifier === proof.kind && verificationCode,
          ) ||
          proofs.some((other) => other.kind === 'social' && other.connectorId === profile?.connectorId)
        )
      // A connector is checked separately, together with its target. A second factor does not identify an account.
      case 'social':
      case 'totp':
      case 'backupCode':
      case 'emailFactor':
      case 'phoneFactor':
        return true
    }
  }
}

/** Checks whether any page has a phone number field. */
export const acceptsPhones = ({
  signIn,
  signUp,
  forgotPassword,
}: Pick<Experience, 'signIn' | 'signUp' | 'forgotPassword'>): boolean =>
  forgotPassword.phone ||
  signUp.identifiers.includes('phone') ||
  signIn.methods.some(({ identifier }) => identifier === 'phone')

/** Returns an error for an installed connector that the pages do not offer (spec/interaction#settings-checks). */
export function checkOfferedConnector(
  { socialConnectors }: Pick<Experience, 'socialConnectors'>,
  connectorId: string,
): Refusal | null {
  const isOffered = socialConnectors.some(({ id }) => id === connectorId)
  return isOffered ? null : refuse('session.invalid_connector_id', { connectorId })
}

/** Returns an error for a profile with data that sign-up does not request. A password reset accepts any profile. */
export function checkProfile(
  { signUp }: Pick<SignInExperience, 'signUp'>,
  event: InteractionEvent,
  profile: Profile,
): Refusal | null {
  if (event === 'ForgotPassword') return null

  const isAllowed =
    identifierTypes.every((type) => profile[type] === undefined || signUp.identifiers.includes(type)) &&
    (profile.password === undefined || signUp.password)
  return isAllowed ? null : refuse('user.sign_in_method_not_enabled')
}

type SignInScreen =
  | { kind: 'password'; identifiers: IdentifierType[] }
  | { kind: 'identifier'; identifiers: IdentifierType[] }
  | { kind: 'socialOnly' }
  | { kind: 'none' }

/**
 * Returns the form that /sign-in shows (spec/pages#sign-in). Methods that use neither passwords nor codes are ignored.
 */
export function signInScreen({
  signIn,
  socialConnectors,
}: Pick<Experience, 'signIn' | 'socialConnectors'>): SignInScreen {
  const methods = signIn.methods.filter(({ password, verificationCode }) => password || verificationCode)
  if (methods.length === 0) return { kind: socialConnectors.length > 0 ? 'socialOnly' : 'none' }

  const identifiers = methods.map(({ identifier }) => identifier)
  return {
    kind: methods.some(({ verificationCode }) => verificationCode) ? 'identifier' : 'password',
    identifiers,
  }
}

/** Returns the step that follows when the user has entered only an identifier (spec/pages#sign-in). */
export function firstStep({
  identifier,
  password,
  verificationCode,
  isPasswordPrimary,
}: SignInMethod): 'password' | 'code' {
  if (identifier === 'username') return 'password'
  return password && (isPasswordPrimary || !verificationCode) ? 'password' : 'code'
}

/**
 * Checks whether /sign-in links to /register (spec/experience#mode). `forbidsEvent` determines whether registration is
 * allowed.
 */
export function offersRegistration({
  signInMode,
  signUp,
}: Pick<SignInExperience, 'signInMode' | 'signUp'>): boolean {
  return signInMode === 'SignInAndRegister' && signUp.identifiers.length > 0
}

/** Checks whether /register links to /sign-in (spec/experience#mode). */
export function offersSignIn({
  signInMode,
  signIn,
}: Pick<SignInExperience, 'signInMode' | 'signIn'>): boolean {
  return signInMode === 'SignInAndRegister' && signIn.methods.length > 0
}

const ALL_DIGITS = /^\d+$/
/** A text with this many digits is more likely to be a phone number than the start of an email address. */
const PHONE_FROM_LENGTH = 3

/**
 * Guesses which type of identifier the user is typing into a field for several types. Returns null while it is still
 * unclear (spec/pages#identifier-field).
 */
export function guessIdentifierType(
  text: string,
  accepted: readonly IdentifierType[],
  current: IdentifierType | null = null,
): IdentifierType | null {
  const [only, ...others] = accepted
  if (only && others.length === 0) return only
  if (text === '') return null

  const isNumber = accepted.includes('phone') && ALL_DIGITS.test(text)
  if (isNumber && text.length >= PHONE_FROM_LENGTH) return 'phone'
  if (accepted.includes('email') && text.includes('@')) return 'email'
  // Keep the type, so that the country code does not disappear when the user deletes digits of a phone number.
  if (isNumber && current === 'phone') return 'phone'
  if (accepted.includes('username')) return 'username'
  if (accepted.includes('email')) return 'email'
  return current
}
