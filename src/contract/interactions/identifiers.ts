import type { PasskeyAssertion } from '../passkeys/passkeys.ts'

/** The kinds of sign-in names (spec/accounts#identifiers). Their order has no meaning. */
export const identifierTypes = ['username', 'email', 'phone'] as const
export type IdentifierType = (typeof identifierTypes)[number]

export type Identifier = { type: IdentifierType; value: string }

export const interactionEvents = ['SignIn', 'Register', 'ForgotPassword'] as const
export type InteractionEvent = (typeof interactionEvents)[number]

/** Parts of a profile that may be missing and are asked for later (spec/interaction#missing-profile). */
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

/** One second factor of the account that the interaction has named (spec/interaction#second-factor). */
export type FactorPayload =
  | { totpCode: string }
  | { backupCode: string }
  | { emailCode: string }
  | { phoneCode: string }
  | { securityKey: PasskeyAssertion }

/** What the user enters about an account that is created or completed (spec/interaction#profile-payload). */
export type Profile = {
  username?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  connectorId?: string | undefined
  password?: string | undefined
}

/** Patterns of the server (spec/accounts#identifiers). */
export const USERNAME_PATTERN = /^[A-Z_a-z]\w*$/
/** The API takes and answers phone numbers as digits without the plus sign (spec/accounts#phone). */
export const PHONE_PATTERN = /^\d+$/

/** Length of the columns (spec/limits#columns). */
export const IDENTIFIER_MAX_LENGTH = 128

/** Bounds the work of one hash (spec/accounts#password-policy). */
export const PASSWORD_MAX_LENGTH = 256
/** Of a password of any characters, each of which may be two units of UTF-16. */
export const LONG_PASSWORD_LENGTH = 128
export const PASSWORD_MIN_LENGTH = 8 // spec/accounts#password-policy
/** Letters, digits and ASCII punctuation; a password mixes two of these three classes (spec/accounts#password-policy). */
export const PASSWORD_CHARACTERS = /^[\x21-\x7e]*$/
export const CHARACTER_CLASSES_NEEDED = 2
export const CHARACTER_CLASSES = [/[A-Za-z]/, /\d/, /[^A-Za-z\d]/] as const
