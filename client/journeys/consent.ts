import type { FormJourney, PageJourneys } from './journey.ts'
import { reactionTo } from './reaction-table.ts'

/** POST consent, then back to the application (spec/pages#consent). The button of a third party's page is the decision. */
export const consentJourney: FormJourney = async ({ api, form, boot }) => {
  const { decision } = form
  const consented = await api.consent(decision === 'allow' || decision === 'deny' ? { decision } : {})
  if (consented.ok) return { kind: 'leave', url: consented.value.redirectTo, replace: true }

  // A toast would disappear, and the page would seem to go on.
  const reaction = reactionTo(consented.error, boot)
  return reaction.kind === 'toast' ? { kind: 'inline', field: null, message: reaction.message } : reaction
}

export const consentJourneys: PageJourneys = { send: consentJourney }
