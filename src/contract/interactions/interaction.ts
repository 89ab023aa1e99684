import type { AgreeToTermsPolicy } from '../experience/experience.ts'
import type { InteractionEvent, Profile } from './identifiers.ts'

/** The user's decision about a third party's consent request (spec/interaction#consent). */
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

/**
 * A proof of identity that the user has provided in the interaction (spec/interaction#proof-kinds). An interaction
 * keeps at most one proof of each kind.
 */
export type Proof =
  | (Dated & { kind: 'account'; userId: string })
  | AddressProof
  | (Dated & { kind: 'social'; connectorId: string; profile: SocialProfile })
  | PasskeyProof
  | FactorProof

/**
 * The time of a proof, in epoch milliseconds. For a code, this is when the code was sent: entering it proves only that
 * the user could read messages at that time. For a social identity, it is when the sign-in began, because the provider
 * may have responded at any time since.
 */
type Dated = { provenAt: number }

/** A proof of a second factor of the account that the interaction has identified (spec/accounts#second-factors). */
export const factorProofKinds = ['totp', 'backupCode', 'emailFactor', 'phoneFactor'] as const
export type FactorProof = Dated & { kind: (typeof factorProofKinds)[number]; userId: string }

/** The second factors that are codes sent to an address of the account, in the order in which they are offered. */
export const addressFactors = ['phone', 'email'] as const
export type AddressFactor = (typeof addressFactors)[number]

/** An address that was verified by a code or reported by a social provider, whose connector is `connectorId`. */
type AddressProof = Dated & {
  kind: 'email' | 'phone'
  value: string
  connectorId?: string | undefined
}

/**
 * A passkey proof. `isBackedUp` means that the passkey has been copied elsewhere, so it does not prove possession of a
 * single device. Without user verification, a passkey is only a second factor.
 */
export type PasskeyProof = Dated & {
  kind: 'passkey'
  userId: string
  credentialId: string
  isUserVerified: boolean
  isBackedUp: boolean
}

/**
 * An authenticator app that is being set up in this interaction. Submitting the interaction stores the app with the
 * account (spec/interaction#enrolment).
 */
export type Enrolment = {
  /** The secret in Base32. */
  secret: string
  /**
   * Set once the user has entered a code. Contains the time step of that code and the digests of the backup codes that
   * were shown.
   */
  proven?: { step: number; digests: readonly string[] } | undefined
}

/** An authenticator app that the user has confirmed with a code. */
export type ProvenEnrolment = Enrolment & { proven: NonNullable<Enrolment['proven']> }

/**
 * The state of an authorization at a social provider, kept until the user returns (spec/interaction#connector-session).
 * It can be used only once.
 */
export type ConnectorSession = {
  connectorId: string
  state: string
  redirectUri: string
  /** Values that the connector needs to verify the response, such as a nonce or a PKCE verifier. */
  kept: Record<string, string>
  /** The time at which the session began, in epoch milliseconds. */
  beganAt: number
}

/** The URLs of the operator's documents, each null if there is no such document. */
export type TermsDocuments = { termsOfUseUrl: string | null; privacyPolicyUrl: string | null }

/**
 * A user's agreement to the terms, and whether it was explicit or implied by continuing
 * (spec/accounts#terms-agreement).
 */
export type TermsAgreement = TermsDocuments & {
  /** The time at which the user agreed, in epoch milliseconds. */
  agreedAt: number
  policy: AgreeToTermsPolicy
}

/** The sealed record of one interaction in progress (spec/interaction#record). */
export type Interaction = {
  event: InteractionEvent
  proofs: readonly Proof[]
  profile?: Profile | undefined
  /**
   * The id of the pinned account. The first submission that finds an account sets it, even if that submission fails
   * (spec/interaction#pinned-account).
   */
  accountId?: string | undefined
  connectorSession?: ConnectorSession | undefined
  enrolment?: Enrolment | undefined
  /**
   * The types of addresses to which codes may be sent because the sign-in is unusual (spec/accounts#unusual-sign-in).
   */
  addressChallenge?: readonly AddressFactor[] | undefined
  /** Set if the user has chosen to set up a second factor later (spec/accounts#put-off). */
  putsOffSecondFactor?: true | undefined
  /** The agreement that was sent with a rejected submission (spec/interaction#agreement). */
  termsAgreement?: TermsAgreement | undefined
  /** The user's choice to remember the browser, sent with a rejected submission (spec/accounts#remembered-browser). */
  remembersBrowser?: boolean | undefined
  /**
   * The id of the password reset after which this record began. It contains the account and the channels to which codes
   * were sent. Records from before the reset are void (spec/interaction#after-reset).
   */
  afterReset?: string | undefined
}

/**
 * The account that has to prove a second factor, as its user entered it or else masked, and its masked addresses to
 * which a code can be sent. `requestedAt` is the time of the request, in epoch milliseconds, and `unsent` the reason
 * why the first code was not sent.
 */
type SecondFactorSummary = {
  account?: { type: 'username' | 'email' | 'phone'; value: string } | undefined
  targets: { [factor in AddressFactor]?: string | undefined }
  requestedAt?: number | undefined
  unsent?: UnsentReason | undefined
}

/**
 * The reasons for which a code was not sent: too many codes were sent before, or the message could not be delivered.
 */
export const unsentReasons = ['limit', 'failure'] as const
export type UnsentReason = (typeof unsentReasons)[number]

/**
 * The identifier of a sign-in. For a remembered account, `value` is only its mask, and `account` contains the
 * identifier sealed for this interaction (spec/interaction#remembered-account).
 */
export type EnteredIdentifier = {
  type: 'username' | 'email' | 'phone'
  value: string
  account?: string | undefined
}

/** State that one page passes on to the next (spec/interaction#navigation-state). */
export type NavigationState = {
  identifier?: EnteredIdentifier | undefined
  /** The address of a social account, if it already belongs to another account. Shown masked (spec/pages#continue). */
  registeredSocialIdentity?: { email?: string | undefined; phone?: string | undefined } | undefined
  relatedUser?: { type: 'email' | 'phone'; value: string } | undefined
  /** The event, for pages that serve several events; it determines the title of /continue (spec/pages#titles). */
  event?: 'SignIn' | 'Register' | undefined
  /** True if the user agreed to the terms before going to a social provider. */
  hasAgreed?: true | undefined
  /**
   * The time at which the last code was sent, in epoch milliseconds. The user has to wait for some time after that
   * before requesting another code.
   */
  codeSentAt?: number | undefined
  /** The facts about the account that the pages for the second factor show (spec/pages#second-factor). */
  secondFactor?: SecondFactorSummary | undefined
  /** The masked address to which a second-factor code was sent (spec/pages#second-factor). */
  factorCode?: { channel: 'email' | 'phone'; sentTo: string } | undefined
  /** The data to show for an authenticator app that is being set up (spec/pages#second-factor). */
  totp?: { secret: string; address: string } | undefined
  /** The backup codes, which are shown only once, on a separate page. */
  backupCodes?: string[] | undefined
  /** The URL at which a completed sign-in continues after an intermediate page (spec/pages#passkey-offer). */
  onward?: string | undefined
  /** A message to show once, on the next page. */
  flash?: FlashMessage | undefined
  /** An error message from the previous page, shown once, on the next page. */
  problem?: string | undefined
  /** The appearance of the message in `problem`, if it is no error. */
  problemTone?: MessageTone | undefined
}

/** The appearance of a message that is no error: the user cancelled something (`calm`), or has no connection. */
export const messageTones = ['calm', 'offline'] as const
export type MessageTone = (typeof messageTones)[number]

/** The keys of flash messages, which report on the next page what happened on the previous one. */
export const flashPhrases = ['password_changed', 'passcode_sent'] as const
export type FlashMessage = (typeof flashPhrases)[number]

/**
 * The header with which API calls name their interaction. Pages use the query parameter and hidden field below
 * (spec/interaction#interaction-name).
 */
export const INTERACTION_HEADER = 'Interaction'
export const INTERACTION_PARAM = 'interaction'

/** The query of `/restart` that lets the user sign in to a different account (spec/provider#restart). */
export const SWITCH_ACCOUNT_QUERY = { prompt: 'login' } as const
/** The hidden field that identifies which form of a page was submitted. The page's main form omits it. */
export const INTENT_FIELD = 'intent'
