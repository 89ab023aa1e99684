import type { AgreeToTermsPolicy } from '../experience/experience.ts'
import type { InteractionEvent, Profile } from './identifiers.ts'

/** What a user says to what a third party asks for (spec/interaction#consent). */
export const consentDecisions = ['allow', 'deny'] as const
export type ConsentDecision = (typeof consentDecisions)[number]

/** What a social provider reports about a user. */
export type SocialProfile = {
  id: string
  email?: string | undefined
  phone?: string | undefined
  name?: string | undefined
  avatar?: string | undefined
}

/** Something the user has proved (spec/interaction#proof-kinds). At most one of each kind is kept. */
export type Proof =
  | (Dated & { kind: 'account'; userId: string })
  | AddressProof
  | (Dated & { kind: 'social'; connectorId: string; profile: SocialProfile })
  | PasskeyProof
  | FactorProof

/**
 * In epoch milliseconds. A code was proved when it was sent: whoever enters it could read the messages of that moment. A social
 * identity was proved when its sign-in began, since an answer of the provider may have been fetched at any time after that.
 */
type Dated = { provenAt: number }

/** Second factors of the pinned account (spec/accounts#second-factors). */
export const factorProofKinds = ['totp', 'backupCode', 'emailFactor', 'phoneFactor'] as const
export type FactorProof = Dated & { kind: (typeof factorProofKinds)[number]; userId: string }

/** Kinds of second factors that a code to an address of the account proves, in the order in which they are offered. */
export const addressFactors = ['phone', 'email'] as const
export type AddressFactor = (typeof addressFactors)[number]

/** By a code, or by the social provider of this connector, which reported the address. */
type AddressProof = Dated & {
  kind: 'email' | 'phone'
  value: string
  connectorId?: string | undefined
}

/** `isBackedUp`: a copy of it is elsewhere, so that it proves no single device. Without a verified user it is a second factor alone. */
export type PasskeyProof = Dated & {
  kind: 'passkey'
  userId: string
  credentialId: string
  isUserVerified: boolean
  isBackedUp: boolean
}

/** What is kept of an authenticator app that is being set up, before a submit writes it (spec/interaction#enrolment). */
export type Enrolment = {
  /** In Base32. */
  secret: string
  /** Once a code of it was shown: the code's step, and the digests of the backup codes that the user was given. */
  proven?: { step: number; digests: readonly string[] } | undefined
}

/** An authenticator app that the user has, with the codes. */
export type ProvenEnrolment = Enrolment & { proven: NonNullable<Enrolment['proven']> }

/** What an authorization at a social provider began with, until the user returns (spec/interaction#connector-session). Used once. */
export type ConnectorSession = {
  connectorId: string
  state: string
  redirectUri: string
  /** Values of the connector: a nonce, a PKCE verifier. */
  kept: Record<string, string>
  /** In epoch milliseconds. */
  beganAt: number
}

/** The documents of the operator; null for one that there was not. */
export type TermsDocuments = { termsOfUseUrl: string | null; privacyPolicyUrl: string | null }

/** That a user agreed to documents, and by which policy: by continuing, or asked (spec/accounts#terms-agreement). */
export type TermsAgreement = TermsDocuments & {
  /** Epoch milliseconds. */
  agreedAt: number
  policy: AgreeToTermsPolicy
}

/** The sealed record of one interaction in progress (spec/interaction#record). */
export type Interaction = {
  event: InteractionEvent
  proofs: readonly Proof[]
  profile?: Profile | undefined
  /** Set by the first submit that finds an account, also when that submit fails (spec/interaction#pinned-account). */
  accountId?: string | undefined
  connectorSession?: ConnectorSession | undefined
  enrolment?: Enrolment | undefined
  /** To which addresses of the account codes may go, since the sign-in is unusual (spec/accounts#unusual-sign-in). */
  addressChallenge?: readonly AddressFactor[] | undefined
  /** The user does not want to set up a second factor now (spec/accounts#put-off). */
  putsOffSecondFactor?: true | undefined
  /** Stated with a submit that was refused (spec/interaction#agreement). */
  termsAgreement?: TermsAgreement | undefined
  /** Likewise (spec/accounts#remembered-browser). */
  remembersBrowser?: boolean | undefined
  /** The password reset this record comes after, with its account and the channels of its codes; a record from before it is void (spec/interaction#after-reset). */
  afterReset?: string | undefined
}

/** What a page needs to know from the pages before it (spec/interaction#navigation-state). */
export type NavigationState = {
  identifier?: { type: 'username' | 'email' | 'phone'; value: string } | undefined
  /** The address of a social account that belongs to another account, to be shown masked (spec/pages#continue). */
  registeredSocialIdentity?: { email?: string | undefined; phone?: string | undefined } | undefined
  relatedUser?: { type: 'email' | 'phone'; value: string } | undefined
  /** The event, on pages that belong to either: the title of /continue depends on it (spec/pages#titles). */
  event?: 'SignIn' | 'Register' | undefined
  /** The user agreed to the terms before going to a social provider. */
  hasAgreed?: true | undefined
  /** When the last code was sent, in epoch milliseconds: the time until another may be asked for counts from it. */
  codeSentAt?: number | undefined
  /** Where a code as second factor was sent, masked (spec/pages#second-factor). */
  factorCode?: { channel: 'email' | 'phone'; sentTo: string } | undefined
  /** An authenticator app that is being set up: what its page shows (spec/pages#second-factor). */
  totp?: { secret: string; address: string } | undefined
  /** Shown on their page, and never again. */
  backupCodes?: string[] | undefined
  /** Where the sign-in that has just ended goes on: for the page between them (spec/pages#passkey-offer). */
  onward?: string | undefined
  /** Shown once, on the next page. */
  flash?: FlashMessage | undefined
  /** The message of what went wrong on the page before. Shown once, on the next page. */
  problem?: string | undefined
}

/** Flash messages, by their phrases: what one page shows about the one before it. */
export const flashPhrases = ['password_changed', 'passcode_sent'] as const
export type FlashMessage = (typeof flashPhrases)[number]

/** Calls name their interaction in this header; pages in this query parameter and hidden field (spec/interaction#interaction-name). */
export const INTERACTION_HEADER = 'Interaction'
export const INTERACTION_PARAM = 'interaction'

/** Of `/restart`: the request asks who signs in (spec/provider#restart). */
export const SWITCH_ACCOUNT = { prompt: 'login' } as const
/** The hidden field that names which of its forms a page posts; the main form has none. */
export const INTENT_FIELD = 'intent'
