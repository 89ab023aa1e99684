import { consentJourneys } from './consent.ts'
import type { FormJourney, PageJourneys } from './journey.ts'
import { registerJourneys, registerPasswordJourneys } from './register.ts'
import { signInJourneys } from './sign-in.ts'

/**
 * What can be posted, by the path of the page the form is on, which is also where it is posted. The server's table: in
 * the browser every page brings its own.
 */
export const formJourneys: Readonly<Record<string, PageJourneys>> = {
  '/sign-in': signInJourneys,
  '/sign-in/consent': consentJourneys,
  '/register': registerJourneys,
  '/register/password': registerPasswordJourneys,
}

/** Null for a form that no page has. */
export function findJourney(path: string, intent: string): FormJourney | null {
  const journeys = Object.hasOwn(formJourneys, path) ? formJourneys[path] : undefined
  return (journeys && Object.hasOwn(journeys, intent) && journeys[intent]) || null
}
