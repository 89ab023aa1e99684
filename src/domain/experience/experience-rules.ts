/** What the operator's settings allow, and what the pages show by them (spec/interaction#settings-checks, spec/experience#mode). */
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

/** The sign-in mode decides which events may begin; a forgotten password may always be reset. */
export function forbidsEvent(
  { signInMode }: Pick<SignInExperience, 'signInMode'>,
  event: InteractionEvent,
): Refusal | null {
  return event === forbiddenEvent[signInMode] ? refuse('auth.forbidden') : null
}

/**
 * Refuses an identifier whose method is not enabled. A password is reset by a code alone (spec/interaction#settings-checks).
 * `before` is the record that the identifier is added to.
 */
export function refusesIdentifier(
  settings: Pick<Experience, 'signIn' | 'signUp' | 'socialConnectors' | 'passkeys'>,
  event: InteractionEvent,
  payload: IdentifierPayload,
  before: Pick<Interaction, 'proofs'> = { proofs: [] },
): Refusal | null {
  if (event === 'ForgotPassword') {
    return 'verificationCode' in payload ? null : refuse('user.sign_in_method_not_enabled')
  }
  if ('passkey' in payload) {
    const isOffered = settings.passkeys === true && event === 'SignIn'
    return isOffered ? null : refuse('user.sign_in_method_not_enabled')
  }
  if ('connectorId' in payload) return refusesConnector(settings, payload.connectorId)

  const { signIn, signUp } = settings
  const type = 'username' in payload ? 'username' : 'email' in payload ? 'email' : 'phone'
  // A registration proves its address by a code, and so does a sign-in that something else has begun and that adds one.
  const addsAddress = event === 'Register' || before.proofs.some(({ kind }) => kind !== type)
  const isOfSignUp = addsAddress && (signUp.identifiers.includes(type) || signUp.verify)
  const isAllowed = signIn.methods.some(
    (method) =>
      method.identifier === type &&
      ('password' in payload ? method.password : method.verificationCode || isOfSignUp),
  )
  return isAllowed ? null : refuse('user.sign_in_method_not_enabled')
}

/**
 * Refuses a sign-in whose account is found by a method that is off: by a code of sign-up, or since the settings changed. A code
 * also says to which account a new social identity is linked (spec/interaction#settings-checks).
 */
export function refusesFirstProof(
  { signIn, passkeys }: Pick<Experience, 'signIn' | 'passkeys'>,
  { proofs, profile }: Pick<Interaction, 'proofs' | 'profile'>,
  proof: Proof,
): Refusal | null {
  return isOn() ? null : refuse('user.sign_in_method_not_enabled')

  function isOn(): boolean {
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
      // Which connectors are offered is known with their targets; a second factor finds no account.
      case 'social':
      case 'totp':
      case 'backupCode':
      case 'emailFactor':
      case 'phoneFactor':
        return true
    }
  }
}

/** Whether any page has a field for a phone number. */
export const acceptsPhones = ({
  signIn,
  signUp,
  forgotPassword,
}: Pick<Experience, 'signIn' | 'signUp' | 'forgotPassword'>): boolean =>
  forgotPassword.phone ||
  signUp.identifiers.includes('phone') ||
  signIn.methods.some(({ identifier }) => identifier === 'phone')

/** A connector that is installed, and that the pages do not offer, signs no user in (spec/interaction#settings-checks). */
export function refusesConnector(
  { socialConnectors }: Pick<Experience, 'socialConnectors'>,
  connectorId: string,
): Refusal | null {
  const isOffered = socialConnectors.some(({ id }) => id === connectorId)
  return isOffered ? null : refuse('session.invalid_connector_id', { connectorId })
}

/** Refuses a profile with parts that sign-up does not ask for. A reset may have any. */
export function refusesProfile(
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

/** What /sign-in shows (spec/pages#sign-in). Methods without any factor do not count. */
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

/** The step after an identifier alone (spec/pages#sign-in). */
export function firstStep({
  identifier,
  password,
  verificationCode,
  isPasswordPrimary,
}: SignInMethod): 'password' | 'code' {
  if (identifier === 'username') return 'password'
  return password && (isPasswordPrimary || !verificationCode) ? 'password' : 'code'
}

/** Whether /sign-in links to /register (spec/experience#mode). Whether registration is allowed is decided by `forbidsEvent`. */
export function offersRegistration({
  signInMode,
  signUp,
}: Pick<SignInExperience, 'signInMode' | 'signUp'>): boolean {
  return signInMode === 'SignInAndRegister' && signUp.identifiers.length > 0
}

/** Whether /register links to /sign-in (spec/experience#mode). */
export function offersSignIn({
  signInMode,
  signIn,
}: Pick<SignInExperience, 'signInMode' | 'signIn'>): boolean {
  return signInMode === 'SignInAndRegister' && signIn.methods.length > 0
}

const ALL_DIGITS = /^\d+$/
/** A number of this length is more likely a phone number than the beginning of an e-mail address. */
const PHONE_FROM_LENGTH = 3

/** The kind of identifier that is being typed into a field for several kinds; null while that is undecided (ADR-0031, spec/pages#identifier-field). */
export function guessType(
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
  // Deleting digits of a phone number must not remove its country code.
  if (isNumber && current === 'phone') return 'phone'
  if (accepted.includes('username')) return 'username'
  if (accepted.includes('email')) return 'email'
  return current
}
