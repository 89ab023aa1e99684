/**
 * The state of a social sign-in names its interaction (spec/interaction#social-state): `{uid}.{random}`. The callback's
 * address is registered at the provider and cannot name it. The random part makes the state a secret.
 */
export const socialState = (uid: string, random: string): string => `${uid}.${random}`

/** In place of the interaction: of a link that a signed-in user makes (spec/account-centre#identities). No interaction has this id. */
export const ACCOUNT_LINK = 'account'

/** Likewise, of a sign-in that an operator tests (spec/connectors#sign-in-test). What follows is the id of the test. */
export const SIGN_IN_TEST = 'sign-in-test'

/** The test that a state belongs to. */
export const signInTestOf = (state: string | null): string | null =>
  interactionOfState(state) === SIGN_IN_TEST ? (state?.slice(SIGN_IN_TEST.length + 1) ?? null) : null

/** Null for a state in another form. */
export function interactionOfState(state: string | null): string | null {
  return /^([\w-]{1,64})\.[\w-]{11,}$/.exec(state ?? '')?.[1] ?? null
}

/** The redirect URI of a connector (spec/connectors#callback). */
export const callbackAddress = (origin: string, connectorId: string): string =>
  `${origin}/callback/${encodeURIComponent(connectorId)}`

/** The same for a connector that is not installed yet (RFC 6570 §2). */
export const callbackTemplate = (origin: string): string => `${origin}/callback/{id}`
