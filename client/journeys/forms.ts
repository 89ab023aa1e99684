import { findPage } from '../routes.ts'
import { codeJourneys } from './code.ts'
import { consentJourneys } from './consent.ts'
import { continueAddressJourneys, continuePasswordJourneys, continueUsernameJourneys } from './continue.ts'
import { forgotPasswordJourneys, resetPasswordJourneys } from './forgot-password.ts'
import type { FormJourney, PageJourneys } from './journey.ts'
import { registerJourneys, registerPasswordJourneys } from './register.ts'
import { signInJourneys, signInPasswordJourneys } from './sign-in.ts'
import { socialLinkJourneys } from './social-link.ts'
import { socialReturnJourneys } from './social-return.ts'
import { startJourneys } from './social-start.ts'

/**
 * What can be posted, by the path of the page the form is on, which is also where it is posted. The server's table: in
 * the browser every page brings its own.
 */
export const formJourneys: Readonly<Record<string, PageJourneys>> = {
  '/sign-in': { ...signInJourneys, ...startJourneys },
  '/sign-in/password': signInPasswordJourneys,
  '/sign-in/consent': consentJourneys,
  '/sign-in/social/:connectorId': socialReturnJourneys,
  '/social/link/:connectorId': socialLinkJourneys,
  '/register': { ...registerJourneys, ...startJourneys },
  '/register/password': registerPasswordJourneys,
  '/forgot-password': forgotPasswordJourneys,
  '/forgot-password/reset': resetPasswordJourneys,
  '/continue/password': continuePasswordJourneys,
  '/continue/username': continueUsernameJourneys,
  '/continue/email': continueAddressJourneys,
  '/continue/phone': continueAddressJourneys,
  '/continue/emailOrPhone': continueAddressJourneys,
  '/sign-in/verification-code': codeJourneys['sign-in'],
  '/register/verification-code': codeJourneys.register,
  '/forgot-password/verification-code': codeJourneys['forgot-password'],
  '/continue/verification-code': codeJourneys.continue,
}

/** The forms of the page at a path. */
export function journeysAt(path: string): PageJourneys | null {
  const row = findPage(path)
  return (row && formJourneys[row.path]) ?? null
}

/** Null for a form that no page has. */
export function findJourney(path: string, intent: string): FormJourney | null {
  const journeys = journeysAt(path)
  return (journeys && Object.hasOwn(journeys, intent) && journeys[intent]) || null
}
