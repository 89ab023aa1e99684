/**
 * Returns the state of a social sign-in, which names its interaction (spec/interaction#social-state): `{uid}.{random}`.
 * The callback address is registered with the provider and cannot name it. The random part makes the state a secret.
 */
export const socialState = (uid: string, random: string): string => `${uid}.${random}`

/**
 * Takes the place of the interaction id in the state if a signed-in user links an account
 * (spec/account-centre#identities). No interaction has this id.
 */
export const ACCOUNT_LINK = 'account'

/**
 * Takes the place of the interaction id in the state if an operator tests a sign-in (spec/connectors#sign-in-test). The
 * id of the test follows.
 */
export const SIGN_IN_TEST = 'sign-in-test'

/** Returns the id of the test that a state belongs to, or null. */
export const parseSignInTest = (state: string | null): string | null =>
  parseInteraction(state) === SIGN_IN_TEST ? (state?.slice(SIGN_IN_TEST.length + 1) ?? null) : null

/** Returns null for a state in another form. */
export function parseInteraction(state: string | null): string | null {
  return /^([\w-]{1,64})\.[\w-]{11,}$/.exec(state ?? '')?.[1] ?? null
}

/** Returns the redirect URI of a connector (spec/connectors#callback). */
export const callbackAddress = (origin: string, connectorId: string): string =>
  `${origin}/callback/${encodeURIComponent(connectorId)}`

/** Returns the redirect URI as a template, for a connector that is not installed yet (RFC 6570 §2). */
export const callbackTemplate = (origin: string): string => `${origin}/callback/{id}`
