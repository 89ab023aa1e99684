import { MINUTE } from '../../src/contract/time.ts'

/** spec/management#operator-proof, with five minutes to type in. Milliseconds. */
export const MAX_PROOF_AGE = 55 * MINUTE

/** Whether the API takes a sign-in of that time as a proof, for what is begun now. */
export const isRecentProof = (provedAt: number | null, now = Date.now()): boolean =>
  provedAt !== null && now - provedAt < MAX_PROOF_AGE
