import type { AsyncValidator } from './problems.ts'
import type { signInValidators } from './terms-problems.ts'

/**
 * Validates a form of the sign-in page. The code is loaded together with the journeys, because hydration does not
 * need it. If it cannot be loaded, the API call reports the invalid form or the network error.
 */
export const createLazyValidator =
  (kind: keyof typeof signInValidators): AsyncValidator =>
  async (...form) => {
    const all = await import('./all.ts').catch(() => null)
    return all?.signInValidators[kind](...form) ?? {}
  }
