/**
 * Returns the state of a social sign-in, which identifies its interaction (spec/interaction#social-state):
 * `{uid}.{random}`. The callback URL is registered with the provider, so it cannot contain the interaction id. The
 * random part makes the state secret.
 */
export const formatSocialState = (uid: string, random: string): string => `${uid}.${random}`

/**
 * The text that replaces the interaction id in the state when a signed-in user links an account
 * (spec/account-centre#identities). No interaction has this id.
 */
export const ACCOUNT_LINK_STATE = 'account'

/**
 * The text that replaces the interaction id in the state when an operator tests a sign-in
 * (spec/connectors#sign-in-test). It is followed by the id of the test.
 */
export const SIGN_IN_TEST_STATE = 'sign-in-test'

/** Returns the id of the sign-in test in a state, or null if the state does not belong to a test. */
export const parseSignInTestState = (state: string | null): string | null =>
  parseInteractionState(state) === SIGN_IN_TEST_STATE
    ? (state?.slice(SIGN_IN_TEST_STATE.length + 1) ?? null)
    : null

/** Returns the interaction id in a state, or null if the state is malformed. */
export function parseInteractionState(state: string | null): string | null {
  return /^([\w-]{1,64})\.[\w-]{11,}$/.exec(state ?? '')?.[1] ?? null
}

/** Returns the redirect URI of a connector (spec/connectors#callback). */
export const buildCallbackUrl = (origin: string, connectorId: string): string =>
  `${origin}/callback/${encodeURIComponent(connectorId)}`

/** Returns a template of the redirect URI, for a connector that is not installed yet (RFC 6570 §2). */
export const callbackTemplate = (origin: string): string => `${origin}/callback/{id}`
