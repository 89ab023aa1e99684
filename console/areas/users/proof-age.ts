import { isRecentProof } from '../../session/proof-age.ts'

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
