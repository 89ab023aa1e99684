import type { PageJourneys } from '../reactions/reactions.ts'
import { codeJourneys } from './code.ts'
import { consentJourneys } from './consent.ts'
import { continueAddressJourneys, continuePasswordJourneys, continueUsernameJourneys } from './continue.ts'
import { forgotPasswordJourneys, resetPasswordJourneys } from './forgot-password.ts'
import { registerJourneys, registerPasswordJourneys } from './register.ts'
import { signInJourneys, signInPasswordJourneys } from './sign-in.ts'

export { createApi, fetchWithRetries } from '../api/api.ts'
export { watchCapsLock } from '../browser/caps-lock.ts'
export { signInValidators } from './terms-problems.ts'

/**
 * The journeys that a page needs for its first call. They are in one chunk, because they share most of their
 * code. The rows of the page table (`client/app/routes.ts`) name the journeys of their pages.
 */
export const formJourneys = {
  consent: consentJourneys,
  continueAddress: continueAddressJourneys,
  continueCode: codeJourneys.continue,
  continuePassword: continuePasswordJourneys,
  continueUsername: continueUsernameJourneys,
  forgotPassword: forgotPasswordJourneys,
  forgotPasswordCode: codeJourneys['forgot-password'],
  register: registerJourneys,
  registerCode: codeJourneys.register,
  registerPassword: registerPasswordJourneys,
  resetPassword: resetPasswordJourneys,
  signIn: signInJourneys,
  signInCode: codeJourneys['sign-in'],
  signInPassword: signInPasswordJourneys,
} satisfies Record<string, PageJourneys>
