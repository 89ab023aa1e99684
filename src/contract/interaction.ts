import type { InteractionEvent, Profile } from './identifiers.ts'

/** What a social provider said about a person (product 3). */
export type SocialProfile = {
  id: string
  email?: string | undefined
  phone?: string | undefined
  name?: string | undefined
  avatar?: string | undefined
}

/** Something the visitor has shown to be true (contract 2.1). At most one of each kind is kept. */
export type Proof =
  /** `provenAt` in epoch milliseconds: a password shown before it was revoked proves nothing afterwards. */
  | { kind: 'account'; userId: string; provenAt: number }
  | { kind: 'email'; value: string }
  | { kind: 'phone'; value: string }
  | { kind: 'social'; connectorId: string; profile: SocialProfile }

/** What an authorization at a social provider was begun with, until the visitor returns from it. Used once. */
export type ConnectorSession = {
  connectorId: string
  state: string
  redirectUri: string
  /** The connector's own: a nonce, a PKCE verifier. */
  kept: Record<string, string>
}

/** The sealed record of one interaction in progress (decision 2). */
export type Interaction = {
  event: InteractionEvent
  proofs: readonly Proof[]
  profile?: Profile | undefined
  /** Pinned by the first submit that resolved an account, even when that submit then failed (contract 2.4.6). */
  accountId?: string | undefined
  /** Whatever a connector asked us to keep until the visitor returns, e.g. a nonce. */
  connectorSession?: ConnectorSession | undefined
  /** The password reset this record comes after; a record from before it is dead (decision 8). */
  afterReset?: string | undefined
}

/** How the visitor got to a page that needs to know what was typed before (decision 7). */
export type NavigationState = {
  identifier?: { type: 'username' | 'email' | 'phone'; value: string } | undefined
  /** A social address that already belongs to an account, to be shown masked (contract 10.4). */
  registeredSocialIdentity?: { email?: string | undefined; phone?: string | undefined } | undefined
  relatedUser?: { type: 'email' | 'phone'; value: string } | undefined
  /** What the visitor came for, where a page belongs to either event: /continue has its title (decision 12). */
  event?: 'SignIn' | 'Register' | undefined
  /** The terms were agreed to before a social provider was asked who this is. */
  hasAgreed?: true | undefined
  /** Said once on the page this leads to. */
  flash?: FlashMessage | undefined
  /** What went wrong on the page before, in words already; said once, too. */
  problem?: string | undefined
}

/** What one page has to say about another, by its phrase. */
export const flashPhrases = ['password_changed', 'passcode_sent'] as const
export type FlashMessage = (typeof flashPhrases)[number]

/** Requests name their interaction with this header; pages with this query key and hidden field (decision 4). */
export const INTERACTION_HEADER = 'Interaction'
export const INTERACTION_PARAM = 'interaction'
/** The hidden field that says which of its forms a page sends; the main one has none. */
export const INTENT_FIELD = 'intent'
