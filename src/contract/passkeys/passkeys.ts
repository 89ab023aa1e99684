/**
 * Passkeys: discoverable WebAuthn credentials (W3C Web Authentication Level 3) that can be used without another factor
 * (spec/accounts#passkeys).
 */

/** A browser's response to a request for a passkey, as JSON (WebAuthn §5.8.2). Binary values are in base64url. */
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

/** The maximum length of a credential id in base64url: 1,023 bytes (WebAuthn §4). */
export const CREDENTIAL_ID_MAX_LENGTH = 1_364

/** The maximum length of a COSE key in base64url. It is large enough for RSA with 16,384 bits. Our choice. */
export const PUBLIC_KEY_MAX_LENGTH = 4_096

/** The maximum length of the name that users see in their list of passkeys. Our choice. */
export const PASSKEY_NAME_MAX_LENGTH = 64

/** The accepted COSE algorithms in order of preference: -8 Ed25519, -7 ES256, -257 RS256 (RFC 9053, RFC 8812). */
export const PASSKEY_ALGORITHMS = [-8, -7, -257]

/**
 * The maximum number of passkeys per user. Nobody has that many authenticators, and a list of this length needs no
 * pagination. Our choice.
 */
export const MAX_PASSKEYS = 20

/** The time for which a browser waits for the user, in milliseconds. WebAuthn §15.1 recommends five to ten minutes. */
export const CEREMONY_TIMEOUT_MS = 300_000

/** The purposes for which a passkey is created (spec/accounts#security-keys). */
export const passkeyPurposes = ['signIn', 'secondFactor'] as const
export type PasskeyPurpose = (typeof passkeyPurposes)[number]

/** A passkey as the user and operators see it. */
export type Passkey = {
  /** The credential id, which identifies the passkey in signals to browsers. */
  id: string
  name: string | null
  /** The model of the authenticator (AAGUID). All zeros if the authenticator does not reveal it. */
  aaguid: string
  rpId: string
  transports: string[]
  /** Two flags say if the passkey can be copied to other devices, and if it has been copied (WebAuthn §6.1.3). */
  isBackupEligible: boolean
  isBackedUp: boolean
  createdAt: number
  lastUsedAt: number | null
  /** Set for a security key that only serves as a second factor and cannot sign in on its own. */
  isSecondFactor: boolean
}

export type PasskeySettings = {
  enabled: boolean
  /**
   * The domain to which passkeys belong (`rp.id`), or null if none has been chosen yet (spec/accounts#passkey-domain).
   */
  rpId: string | null
  /** The URL at which users manage their passkeys, for `/.well-known/passkey-endpoints`. */
  manageUrl: string | null
  /** If true, users without a passkey are offered one when they sign in (spec/accounts#passkey-offer). */
  offer: boolean
}

/**
 * The passkey operations that a browser supports, as reported when the interaction is submitted
 * (spec/interaction#submit-passkeys).
 */
export const passkeyAbilities = ['conditional', 'offer', 'signals'] as const
export type PasskeyAbility = (typeof passkeyAbilities)[number]

/**
 * The way in which a passkey is created after a sign-in: silently, by a browser that has just filled in the password,
 * or on a page that offers to create one.
 */
export type PasskeyCreation = Exclude<PasskeyAbility, 'signals'>

/** The passkey operations that the browser may perform after a sign-in, before it continues. */
export type PasskeysAfterSubmit = {
  /** The ways to create a passkey, tried in this order until one succeeds. */
  creations: PasskeyCreation[]
  /**
   * The passkeys that the tenant accepts for this user. The browser signals them to authenticators (WebAuthn §5.1.10).
   */
  accepted?: AcceptedPasskeys | undefined
}

export type AcceptedPasskeys = {
  rpId: string
  /** The user handle in the passkeys (`user.id`), in base64url. */
  userId: string
  name: string
  displayName: string
  credentialIds: string[]
}
