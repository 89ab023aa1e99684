/**
 * The state of a social sign-in names its interaction (decision 4), so that the callback, whose address is registered at
 * the provider and can name nothing, leads back to it: `{uid}.{random}`. What makes it a secret is the random part.
 */
export const socialState = (uid: string, random: string): string => `${uid}.${random}`

/** Null for a state that is none of ours. */
export function interactionOfState(state: string | null): string | null {
  return /^([\w-]{1,64})\.[\w-]{11,}$/.exec(state ?? '')?.[1] ?? null
}

/** Where a provider sends the visitor back to (contract 10.5). */
export const callbackAddress = (origin: string, connectorId: string): string =>
  `${origin}/callback/${encodeURIComponent(connectorId)}`
