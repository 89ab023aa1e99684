import type { AsyncValidator } from './problems.ts'
import type { signInProblems } from './terms-problems.ts'

/**
 * Validates a form of the sign-in page. The code is loaded together with the journeys, because hydration does not
 * need it. If it cannot be loaded, the API call reports the invalid form or the network error.
 */
export const validateLazily =
  (kind: keyof typeof signInProblems): AsyncValidator =>
  async (...form) => {
    const all = await import('./all.ts').catch(() => null)
    return all?.signInProblems[kind](...form) ?? {}
  }
