import { navigationMissing } from '../journeys/reaction-table.ts'
import type { FormJourney, PageJourneys, Reaction } from '../reactions/reactions.ts'

/** The page that offers a passkey (spec/pages#passkey-offer). A dialog that is declined puts the offer off. */
const make: FormJourney = async (input) => {
  const { makePasskey } = await import('../browser/new-passkey.ts')
  const outcome = await makePasskey(input.api, 'offer')
  return outcome === 'declined' ? later(input) : leave(input)
}

const later: FormJourney = async (input) => {
  // Not worth to keep anybody: at worst the next sign-in asks again.
  await input.api.calls.passkeys['put-off'].$post().catch(() => {})
  return leave(input)
}

function leave({ boot }: Parameters<FormJourney>[0]): Reaction {
  const url = boot.navigation?.onward
  return url ? { kind: 'leave', url } : navigationMissing(boot)
}

export const journeys: PageJourneys = { send: make, later }
