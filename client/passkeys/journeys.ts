import { createTranslator } from '../context/phrases.ts'
import { getReactionToMissingNavigation } from '../journeys/reaction-table.ts'
import type { FormJourney, PageJourneys, Reaction } from '../reactions/reactions.ts'

/**
 * Creates a passkey on the page that offers one (spec/pages#passkey-offer). Dismissing the browser's dialog
 * postpones the offer.
 */
const createPasskey: FormJourney = async (input) => {
  const { createPasskey } = await import('../browser/new-passkey.ts')
  const outcome = await createPasskey(input.api)
  switch (outcome.kind) {
    case 'created':
      return leave(input, outcome)
    case 'declined':
      return later(input)
    case 'failed':
      return leave(input)
  }
}

const later: FormJourney = async (input) => {
  // Best effort: if this fails, the next sign-in makes the offer again.
  await input.api.calls.passkeys['put-off'].$post().catch(() => {})
  return leave(input)
}

function leave({ boot }: Parameters<FormJourney>[0], created?: { name: string | null }): Reaction {
  const url = boot.navigation?.onward
  if (!url) return getReactionToMissingNavigation(boot)
  const t = createTranslator(boot)
  const done =
    created &&
    (created.name
      ? t('vestibule.passkey_offer_saved_to', { name: created.name })
      : t('vestibule.passkey_offer_saved'))
  return { kind: 'leave', url, done }
}

export const journeys: PageJourneys = { send: createPasskey, later }
