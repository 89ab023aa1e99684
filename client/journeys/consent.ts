import type { FormJourney, PageJourneys } from './journey.ts'
import { react } from './reaction-table.ts'

/** POST consent, then back to the application (spec/pages#consent). The button of a third party's page is the decision. */
export const consent: FormJourney = async ({ api, form, boot }) => {
  const { decision } = form
  const consented = await api.consent(decision === 'allow' || decision === 'deny' ? { decision } : {})
  if (consented.ok) return { kind: 'leave', url: consented.value.redirectTo, replace: true }

  // A toast would disappear, and the page would seem to go on.
  const reaction = react(consented.error, boot)
  return reaction.kind === 'toast' ? { kind: 'inline', field: null, message: reaction.message } : reaction
}

export const consentJourneys: PageJourneys = { send: consent }
