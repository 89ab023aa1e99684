import type { FormJourney, PageJourneys } from '../reactions/reactions.ts'
import { getReactionToFailure } from './reaction-table.ts'

/**
 * Sends POST consent and returns to the application (spec/pages#consent). For a third-party application, the
 * value of the button is the user's decision.
 */
const consentJourney: FormJourney = async ({ api, form, boot }) => {
  const { decision } = form
  const consented = await api.consent(decision === 'allow' || decision === 'deny' ? { decision } : {})
  return consented.ok
    ? { kind: 'leave', url: consented.value.redirectTo, replace: true }
    : getReactionToFailure(consented.error, boot)
}

export const consentJourneys: PageJourneys = { send: consentJourney }
