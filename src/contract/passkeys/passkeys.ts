/**
 * Passkeys: discoverable WebAuthn credentials (W3C Web Authentication Level 3) as a factor of their own
 * (spec/accounts#passkeys).
 */

/** A browser's response to a request for a passkey, as JSON (WebAuthn §5.8.2). Binary values are base64url. */
export type PasskeyAssertion = {
  id: string
  rawId: string
  type: 'public-key'
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle?: string | undefined
  }
}

/** A browser's response after creating a passkey. */
export type PasskeyAttestation = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] | undefined }
}

/** WebAuthn §4: a credential id has at most 1,023 bytes. */
export const CREDENTIAL_ID_MAX_LENGTH = 1_364

/** The length of a COSE key in base64url, large enough for RSA with 16,384 bits. Our choice. */
export const PUBLIC_KEY_MAX_LENGTH = 4_096

/** The length of the name that the user sees in the list. Our choice. */
export const PASSKEY_NAME_MAX_LENGTH = 64

/** COSE algorithms in order of preference: -8 Ed25519, -7 ES256, -257 RS256 (RFC 9053, RFC 8812). */
export const PASSKEY_ALGORITHMS = [-8, -7, -257]

/**
 * The maximum number of passkeys of a user, more than anybody has authenticators. The list is returned without paging.
 * Our choice.
 */
export const MAX_PASSKEYS = 20

/** How long a browser waits for its user, in milliseconds. WebAuthn §15.1 recommends five to ten minutes. */
export const CEREMONY_TIMEOUT = 300_000

/** The purposes for which a passkey is created (spec/accounts#security-keys). */
export const passkeyPurposes = ['signIn', 'secondFactor'] as const
export type PasskeyPurpose = (typeof passkeyPurposes)[number]

/** A passkey as its user and operators see it. */
export type Passkey = {
  /** The credential id, by which signals to browsers name the passkey. */
  id: string
  name: string | null
  /** The model of the authenticator (AAGUID); all zeros if it does not reveal its model. */
  aaguid: string
  rpId: string
  transports: string[]
  /** Whether the passkey may be copied to other devices, and whether it has been (WebAuthn §6.1.3). */
  isBackupEligible: boolean
  isBackedUp: boolean
  createdAt: number
  lastUsedAt: number | null
  /** Set for a security key that only serves as a second factor and cannot sign in on its own. */
  isSecondFactor: boolean
}

export type PasskeySettings = {
  enabled: boolean
  /** The domain to which passkeys belong (`rp.id`), or null until it is chosen (spec/accounts#passkey-domain). */
  rpId: string | null
  /** Where users manage their passkeys, for `/.well-known/passkey-endpoints`. */
  manageUrl: string | null
  /** Whether users without a passkey are offered one when they sign in (spec/accounts#passkey-offer). */
  offer: boolean
}

/**
 * What a browser can do about the passkeys of a user who signs in, as stated with the submit
 * (spec/interaction#submit-passkeys).
 */
export const passkeyAbilities = ['conditional', 'offer', 'signals'] as const
export type PasskeyAbility = (typeof passkeyAbilities)[number]

/**
 * How a passkey is created after a sign-in: silently, by a browser that has just filled in the password, or on a page
 * that offers it.
 */
export type PasskeyCreation = Exclude<PasskeyAbility, 'signals'>

/** What the browser of a user who has just signed in may do about passkeys before it continues. */
export type PasskeysAfterSubmit = {
  /** The ways to try in this order, until one succeeds. */
  creations: PasskeyCreation[]
  /** The passkeys that the tenant accepts for this user, for signals to authenticators (WebAuthn §5.1.10). */
  accepted?: AcceptedPasskeys | undefined
}

export type AcceptedPasskeys = {
  rpId: string
  /** The `user.id` in the passkeys, base64url. */
  userId: string
  name: string
  displayName: string
  credentialIds: string[]
}
