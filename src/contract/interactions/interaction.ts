import type { AgreeToTermsPolicy } from '../experience/experience.ts'
import type { InteractionEvent, Profile } from './identifiers.ts'

/** The user's answer to the consent question of a third party (spec/interaction#consent). */
export const consentDecisions = ['allow', 'deny'] as const
export type ConsentDecision = (typeof consentDecisions)[number]

/** A user's profile as a social provider reports it. */
export type SocialProfile = {
  id: string
  email?: string | undefined
  phone?: string | undefined
  name?: string | undefined
  avatar?: string | undefined
}

/** Something that the user has proved (spec/interaction#proof-kinds). At most one proof of each kind is kept. */
export type Proof =
  | (Dated & { kind: 'account'; userId: string })
  | AddressProof
  | (Dated & { kind: 'social'; connectorId: string; profile: SocialProfile })
  | PasskeyProof
  | FactorProof

/**
 * The time of a proof in epoch milliseconds. A code counts as proved when it was sent, because whoever enters it could
 * read messages at that moment. A social identity counts as proved when its sign-in began, because the provider's
 * response may have been obtained at any time since.
 */
type Dated = { provenAt: number }

/** The second factors of the interaction's account (spec/accounts#second-factors). */
export const factorProofKinds = ['totp', 'backupCode', 'emailFactor', 'phoneFactor'] as const
export type FactorProof = Dated & { kind: (typeof factorProofKinds)[number]; userId: string }

/**
 * The second factors that consist of a code sent to an address of the account, in the order in which they are offered.
 */
export const addressFactors = ['phone', 'email'] as const
export type AddressFactor = (typeof addressFactors)[number]

/** Proof by a code, or by the social provider of the connector that reported the address. */
type AddressProof = Dated & {
  kind: 'email' | 'phone'
  value: string
  connectorId?: string | undefined
}

/**
 * `isBackedUp` means that a copy exists elsewhere, so the passkey does not prove possession of a single device. Without
 * user verification it is only a second factor.
 */
export type PasskeyProof = Dated & {
  kind: 'passkey'
  userId: string
  credentialId: string
  isUserVerified: boolean
  isBackedUp: boolean
}

/** An authenticator app that is being set up, until a submit stores it (spec/interaction#enrolment). */
export type Enrolment = {
  /** The secret in Base32. */
  secret: string
  /**
   * Set once the user has entered a code: the time step of that code, and the digests of the backup codes that were
   * shown.
   */
  proven?: { step: number; digests: readonly string[] } | undefined
}

/** An authenticator app that the user has confirmed with a code. */
export type ProvenEnrolment = Enrolment & { proven: NonNullable<Enrolment['proven']> }

/**
 * The state of an authorization at a social provider until the user returns (spec/interaction#connector-session). It
 * can be used once.
 */
export type ConnectorSession = {
  connectorId: string
  state: string
  redirectUri: string
  /** Values of the connector, such as a nonce or a PKCE verifier. */
  kept: Record<string, string>
  /** In epoch milliseconds. */
  beganAt: number
}

/** The operator's documents, each null if there was none. */
export type TermsDocuments = { termsOfUseUrl: string | null; privacyPolicyUrl: string | null }

/**
 * A user's agreement to the terms, and whether it was given by continuing or on request
 * (spec/accounts#terms-agreement).
 */
export type TermsAgreement = TermsDocuments & {
  /** In epoch milliseconds. */
  agreedAt: number
  policy: AgreeToTermsPolicy
}

/** The sealed record of one interaction in progress (spec/interaction#record). */
export type Interaction = {
  event: InteractionEvent
  proofs: readonly Proof[]
  profile?: Profile | undefined
  /** Set by the first submit that finds an account, even if that submit fails (spec/interaction#pinned-account). */
  accountId?: string | undefined
  connectorSession?: ConnectorSession | undefined
  enrolment?: Enrolment | undefined
  /**
   * The kinds of addresses to which codes may be sent because the sign-in is unusual (spec/accounts#unusual-sign-in).
   */
  addressChallenge?: readonly AddressFactor[] | undefined
  /** Set if the user has put off setting up a second factor (spec/accounts#put-off). */
  putsOffSecondFactor?: true | undefined
  /** The agreement that came with a rejected submit (spec/interaction#agreement). */
  termsAgreement?: TermsAgreement | undefined
  /** The choice that came with a rejected submit (spec/accounts#remembered-browser). */
  remembersBrowser?: boolean | undefined
  /**
   * The password reset that this record follows, with its account and the channels of its codes. Records from before
   * the reset are void (spec/interaction#after-reset).
   */
  afterReset?: string | undefined
}

/** What a page needs to know from the pages before it (spec/interaction#navigation-state). */
export type NavigationState = {
  identifier?: { type: 'username' | 'email' | 'phone'; value: string } | undefined
  /** The address of a social account that belongs to another account; shown masked (spec/pages#continue). */
  registeredSocialIdentity?: { email?: string | undefined; phone?: string | undefined } | undefined
  relatedUser?: { type: 'email' | 'phone'; value: string } | undefined
  /** The event, for pages that serve both: the title of /continue depends on it (spec/pages#titles). */
  event?: 'SignIn' | 'Register' | undefined
  /** The user agreed to the terms before going to a social provider. */
  hasAgreed?: true | undefined
  /** When the last code was sent, in epoch milliseconds. The waiting time for another code starts then. */
  codeSentAt?: number | undefined
  /** The masked address to which a second-factor code was sent (spec/pages#second-factor). */
  factorCode?: { channel: 'email' | 'phone'; sentTo: string } | undefined
  /** What the page shows for an authenticator app that is being set up (spec/pages#second-factor). */
  totp?: { secret: string; address: string } | undefined
  /** Shown once, on their own page. */
  backupCodes?: string[] | undefined
  /** Where a completed sign-in continues, for the page shown in between (spec/pages#passkey-offer). */
  onward?: string | undefined
  /** Shown once, on the next page. */
  flash?: FlashMessage | undefined
  /** The error message of the previous page. Shown once, on the next page. */
  problem?: string | undefined
}

/** The phrases of flash messages: what one page reports about the page before it. */
export const flashPhrases = ['password_changed', 'passcode_sent'] as const
export type FlashMessage = (typeof flashPhrases)[number]

/**
 * API calls name their interaction in this header, and pages in this query parameter and hidden field
 * (spec/interaction#interaction-name).
 */
export const INTERACTION_HEADER = 'Interaction'
export const INTERACTION_PARAM = 'interaction'

/** The query of `/restart` that lets the user sign in to another account (spec/provider#restart). */
export const SWITCH_ACCOUNT_QUERY = { prompt: 'login' } as const
/** The hidden field that tells the forms of a page apart when they are posted. The main form has none. */
export const INTENT_FIELD = 'intent'
