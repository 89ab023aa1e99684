import type { AsyncValidator } from './problems.ts'
import type { signInProblems } from './terms-problems.ts'

/**
 * Validates a form of the sign-in page with code that is loaded together with the journeys, because hydration does not
 * need it. If that fails, the call reports the problem of the form or the network.
 */
export const validateLazily =
  (kind: keyof typeof signInProblems): AsyncValidator =>
  async (...form) => {
    const all = await import('./all.ts').catch(() => null)
    return all?.signInProblems[kind](...form) ?? {}
  }
