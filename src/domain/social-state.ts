/**
 * The state of a social sign-in names its interaction (spec/interaction#social-state): `{uid}.{random}`. The callback's
 * address is registered at the provider and cannot name it. The random part makes the state a secret.
 */
export const socialState = (uid: string, random: string): string => `${uid}.${random}`

/** Null for a state in another form. */
export function interactionOfState(state: string | null): string | null {
  return /^([\w-]{1,64})\.[\w-]{11,}$/.exec(state ?? '')?.[1] ?? null
}

/** The redirect URI of a connector (spec/connectors#callback). */
export const callbackAddress = (origin: string, connectorId: string): string =>
  `${origin}/callback/${encodeURIComponent(connectorId)}`
