import type { AsyncValidator } from './problems.ts'
import type { signInProblems } from './terms-problems.ts'

/**
 * What is wrong with a form of the sign-in page comes with the journeys as well: hydration does not need it. Without them the call
 * says what is wrong, with the form or with the network.
 */
export const validateLate =
  (kind: keyof typeof signInProblems): AsyncValidator =>
  async (...form) => {
    const all = await import('./all.ts').catch(() => null)
    return all?.signInProblems[kind](...form) ?? {}
  }
