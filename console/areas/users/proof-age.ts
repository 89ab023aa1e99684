/** spec/management#operator-proof, with five minutes to type in. Milliseconds. */
export const OLDEST_PROOF = 55 * 60_000

/** Whether the API takes a sign-in of that time as a proof, for what is begun now. */
export const isRecentProof = (provedAt: number | null, now = Date.now()): boolean =>
  provedAt !== null && now - provedAt < OLDEST_PROOF

/**
 * What is asked before a role is taken: about an `own` one, because it is not certain that it can be given back, and with an `old`
 * sign-in, because giving it back would leave the page for another one. Null where it can be undone.
 */
export function questionBeforeTaking(
  { isOwn, provedAt }: { isOwn: boolean; provedAt: number | null },
  now = Date.now(),
): 'own' | 'old' | null {
  if (isOwn) return 'own'
  return isRecentProof(provedAt, now) ? null : 'old'
}
