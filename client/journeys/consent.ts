import type { FormJourney, PageJourneys } from '../reactions/reactions.ts'
import { reactionTo } from './reaction-table.ts'

/** POST consent, then back to the application (spec/pages#consent). The button of a third party's page is the decision. */
const consentJourney: FormJourney = async ({ api, form, boot }) => {
  const { decision } = form
  const consented = await api.consent(decision === 'allow' || decision === 'deny' ? { decision } : {})
  return consented.ok
    ? { kind: 'leave', url: consented.value.redirectTo, replace: true }
    : reactionTo(consented.error, boot)
}

export const consentJourneys: PageJourneys = { send: consentJourney }
