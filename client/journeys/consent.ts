import { react } from '../reaction-table.ts'
import type { FormJourney } from './forms.ts'

/** POST consent, then out (contract 2.8). */
export const consent: FormJourney = async ({ api, boot }) => {
  const consented = await api.consent()
  return consented.ok ? { kind: 'leave', url: consented.value.redirectTo } : react(consented.error, boot)
}
