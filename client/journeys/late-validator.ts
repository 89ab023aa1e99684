import type { AsyncValidator } from './problems.ts'
import type { signInProblems } from './sign-in-problems.ts'

/**
 * What is wrong with a form of the sign-in page comes with the journeys as well: hydration does not need it. Without them the call
 * says what is wrong, with the form or with the network.
 */
export const lateValidator =
  (form: keyof typeof signInProblems): AsyncValidator =>
  async (...formAndBoot) => {
    const all = await import('./all.ts').catch(() => null)
    return all?.signInProblems[form](...formAndBoot) ?? {}
  }
