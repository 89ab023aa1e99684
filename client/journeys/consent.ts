import type { FormJourney, PageJourneys } from './journey.ts'
import { react } from './reaction-table.ts'

/** POST consent, then out (contract 2.8). */
export const consent: FormJourney = async ({ api, boot }) => {
  const consented = await api.consent()
  if (consented.ok) return { kind: 'leave', url: consented.value.redirectTo, replace: true }

  // The page promises to pass by: what stops it has to stay in sight.
  const reaction = react(consented.error, boot)
  return reaction.kind === 'toast' ? { kind: 'inline', field: null, message: reaction.message } : reaction
}

export const consentJourneys: PageJourneys = { send: consent }
