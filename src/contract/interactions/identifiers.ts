import type { PasskeyAssertion } from '../passkeys/passkeys.ts'

/** The types of identifiers with which users sign in (spec/accounts#identifiers). The order has no meaning. */
export const identifierTypes = ['username', 'email', 'phone'] as const
export type IdentifierType = (typeof identifierTypes)[number]

export type Identifier = { type: IdentifierType; value: string }

export const interactionEvents = ['SignIn', 'Register', 'ForgotPassword'] as const
export type InteractionEvent = (typeof interactionEvents)[number]

/** The profile fields that users are asked for if they are missing (spec/interaction#missing-profile). */
export type MissingProfileItem = 'password' | IdentifierType | 'emailOrPhone'

/** One way to prove an identity (spec/interaction#identifier-payload). */
export type IdentifierPayload =
  | { username: string; password: string }
  | { email: string; password: string }
  | { phone: string; password: string }
  | { email: string; verificationCode: string }
  | { phone: string; verificationCode: string }
  | { connectorId: string; connectorData: Record<string, unknown> }
  | { connectorId: string; email: string }
  | { connectorId: string; phone: string }
  | { passkey: PasskeyAssertion }

/** Returns an identifier with its password as a payload. */
export function withPassword({ type, value }: Identifier, password: string) {
  switch (type) {
    case 'email':
      return { email: value, password }
    case 'phone':
      return { phone: value, password }
    case 'username':
      return { username: value, password }
  }
}

/** A second factor of the account that the interaction has identified (spec/interaction#second-factor). */
export type FactorPayload =
  | { totpCode: string }
  | { backupCode: string }
  | { emailCode: string }
  | { phoneCode: string }
  | { securityKey: PasskeyAssertion }

/** The user's input for an account that is being registered or completed (spec/interaction#profile-payload). */
export type Profile = {
  username?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  connectorId?: string | undefined
  password?: string | undefined
}

/** The pattern for usernames that the server enforces (spec/accounts#identifiers). */
export const USERNAME_PATTERN = /^[A-Z_a-z]\w*$/
/**
 * The pattern for phone numbers as they are stored and returned: digits without the plus sign that requests may contain
 * (spec/accounts#phone).
 */
export const PHONE_PATTERN = /^\d+$/
/** Drops the plus sign with which a request may write a phone number. */
export const withoutPlus = (text: string): string => text.replace(/^\+(?=\d)/, '')

/** The length of the columns that store identifiers (spec/limits#columns). */
export const IDENTIFIER_MAX_LENGTH = 128

/**
 * The maximum length of a sealed identifier, which is padded to the longest one (spec/interaction#remembered-account).
 */
export const SEALED_ACCOUNT_MAX_LENGTH = 1_000

/** The maximum length of a password in UTF-16 units. It bounds the cost of hashing (spec/accounts#password-policy). */
export const PASSWORD_MAX_LENGTH = 256
/** The maximum length of a password under the rule `Length`, in characters, each of which may take two UTF-16 units. */
export const PASSWORD_MAX_CHARACTERS = 128
export const PASSWORD_MIN_LENGTH = 8 // spec/accounts#password-policy
/**
 * Matches letters, digits and ASCII punctuation. A password must mix at least two of these three classes
 * (spec/accounts#password-policy).
 */
export const PASSWORD_CHARACTERS_PATTERN = /^[\x21-\x7e]*$/
export const MIN_CHARACTER_CLASSES = 2
export const CHARACTER_CLASSES = [/[A-Za-z]/, /\d/, /[^A-Za-z\d]/] as const
