/** Passkeys: discoverable WebAuthn credentials (W3C Web Authentication Level 3) as a factor of their own (spec/accounts#passkeys). */

/** What a browser answers to a request for a passkey, as JSON (WebAuthn §5.8.2). Binary values are base64url. */
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

/** What a browser answers when a passkey was created. */
export type PasskeyAttestation = {
  id: string
  rawId: string
  type: 'public-key'
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] | undefined }
}

/** WebAuthn §4: a credential id has at most 1,023 bytes. */
export const CREDENTIAL_ID_MAX_LENGTH = 1_364

/** In COSE, base64url; large enough for RSA with 16,384 bits. Ours. */
export const PUBLIC_KEY_MAX_LENGTH = 4_096

/** The name that its user reads in the list. Ours. */
export const PASSKEY_NAME_MAX_LENGTH = 64

/** COSE: -8 Ed25519, -7 ES256, -257 RS256 (RFC 9053, RFC 8812), in the order of preference. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257]

/** More than any person has authenticators; a list is answered whole. Ours. */
export const MAX_PASSKEYS = 20

/** Milliseconds that a browser waits for its user, WebAuthn §15.1 recommends five to ten minutes. */
export const CEREMONY_TIMEOUT = 300_000

/** What a passkey is made for (spec/accounts#security-keys). */
export const passkeyPurposes = ['signIn', 'secondFactor'] as const
export type PasskeyPurpose = (typeof passkeyPurposes)[number]

/** A passkey as its user and operators see it. */
export type Passkey = {
  /** The credential id, which signals to browsers name too. */
  id: string
  name: string | null
  /** The model of the authenticator (AAGUID), all zeros where it does not say. */
  aaguid: string
  rpId: string
  transports: string[]
  /** Whether it may be copied to other devices, and whether it is (WebAuthn §6.1.3). */
  isBackupEligible: boolean
  isBackedUp: boolean
  createdAt: number
  lastUsedAt: number | null
  /** A security key that adds to another proof, and signs nobody in by itself. */
  isSecondFactor: boolean
}

export type PasskeySettings = {
  enabled: boolean
  /** The domain to which passkeys belong (`rp.id`); null until it is chosen (spec/accounts#passkey-domain). */
  rpId: string | null
  /** Where users manage their passkeys, for `/.well-known/passkey-endpoints`. */
  manageUrl: string | null
  /** Whether users who have none are asked to make one when they sign in (spec/accounts#passkey-offer). */
  offer: boolean
}

/** What a browser can do about the passkeys of a user who signs in: stated with the submit (spec/interaction#submit-passkeys). */
export const passkeyAbilities = ['conditional', 'offer', 'signals'] as const
export type PasskeyAbility = (typeof passkeyAbilities)[number]

/** How a passkey is made after a sign-in: without a question, by a browser that has just filled in the password, or on a page that offers it. */
export type PasskeyCreation = Exclude<PasskeyAbility, 'signals'>

/** What the browser of a user who has just signed in may do about passkeys before it goes on. */
export type PasskeysAfterSubmit = {
  /** In this order, until one was made. */
  creations: PasskeyCreation[]
  /** For signals to authenticators (WebAuthn §5.1.10): what the tenant knows of this user. */
  accepted?: AcceptedPasskeys | undefined
}

export type AcceptedPasskeys = {
  rpId: string
  /** As in the passkeys (`user.id`), base64url. */
  userId: string
  name: string
  displayName: string
  credentialIds: string[]
}
