/** The names by which a person is known. Order matters to nobody; the tables of contract 1.2 and 2.3 do. */
export const identifierTypes = ['username', 'email', 'phone'] as const
export type IdentifierType = (typeof identifierTypes)[number]

export type Identifier = { type: IdentifierType; value: string }

export const interactionEvents = ['SignIn', 'Register', 'ForgotPassword'] as const
export type InteractionEvent = (typeof interactionEvents)[number]

/** What a visitor may leave out and is asked for later (contract 2.6). */
export type MissingProfileItem = 'password' | IdentifierType | 'emailOrPhone'

/** One way of saying who you are: the union of contract 1.2, in its order. */
export type IdentifierPayload =
  | { username: string; password: string }
  | { email: string; password: string }
  | { phone: string; password: string }
  | { email: string; verificationCode: string }
  | { phone: string; verificationCode: string }
  | { connectorId: string; connectorData: Record<string, unknown> }
  | { connectorId: string; email: string }
  | { connectorId: string; phone: string }

/** What a visitor tells us about the account to be made or completed (contract 1.2). */
export type Profile = {
  username?: string | undefined
  email?: string | undefined
  phone?: string | undefined
  connectorId?: string | undefined
  password?: string | undefined
}

/** Server-side patterns of contract 1.2. */
export const USERNAME_PATTERN = /^[A-Z_a-z]\w*$/
export const EMAIL_PATTERN = /^\S+@\S+\.\S+$/
/** On the wire a phone number is digits without the plus sign (contract 11.9). */
export const PHONE_PATTERN = /^\d+$/

/** Columns hold this many characters (product 3). */
export const IDENTIFIER_MAX_LENGTH = 128

/** Ours (decision 13): bounds the work of one hash. */
export const PASSWORD_MAX_LENGTH = 256
export const PASSWORD_MIN_LENGTH = 8 // spec 9
/** Letters, digits and ASCII punctuation (spec 5), and the three kinds of which two must be mixed. */
export const PASSWORD_CHARACTERS = /^[\x21-\x7e]*$/
export const CHARACTER_CLASSES_NEEDED = 2
export const CHARACTER_CLASSES = [/[A-Za-z]/, /\d/, /[^A-Za-z\d]/] as const
