import { getReactionToMissingNavigation } from '../journeys/reaction-table.ts'
import type { FormJourney, PageJourneys, Reaction } from '../reactions/reactions.ts'

/**
 * Creates a passkey on the page that offers one (spec/pages#passkey-offer). Dismissing the browser's dialog
 * postpones the offer.
 */
const createPasskey: FormJourney = async (input) => {
  const { createPasskey } = await import('../browser/new-passkey.ts')
  const outcome = await createPasskey(input.api, 'offer')
  return outcome === 'declined' ? later(input) : leave(input)
}

const later: FormJourney = async (input) => {
  // Best effort: if this fails, the next sign-in makes the offer again.
  await input.api.calls.passkeys['put-off'].$post().catch(() => {})
  return leave(input)
}

function leave({ boot }: Parameters<FormJourney>[0]): Reaction {
  const url = boot.navigation?.onward
  return url ? { kind: 'leave', url } : getReactionToMissingNavigation(boot)
}

export const journeys: PageJourneys = { send: createPasskey, later }
