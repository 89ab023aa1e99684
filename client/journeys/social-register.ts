import type { FormJourney, Reaction } from '../reactions/reactions.ts'
import { firstFailure } from './calls.ts'
import { reactionTo } from './reaction-table.ts'
import { socialFailures } from './social-failures.ts'
import { askForMissing, submitAndReact } from './submit.ts'

/**
 * Sends PUT event and PATCH profile with the identity, then submits (spec/interaction#flow-social). The pages that ask
 * for what the account lacks find the connector in `link_social`, so that an address in use can be linked instead.
 */
export async function registerWithSocial(
  { api, boot }: Parameters<FormJourney>[0],
  connectorId: string,
): Promise<Reaction> {
  const failures = socialFailures(connectorId, boot)
  const failure = await firstFailure(
    () => api.setEvent({ event: 'Register' }),
    () => api.completeProfile({ connectorId }),
  )
  if (failure) return reactionTo(failure, boot, failures)
  const search = `?${new URLSearchParams({ link_social: connectorId })}`
  return submitAndReact(api, boot, {
    ...failures,
    'user.missing_profile': askForMissing({ ...boot, search }, 'Register'),
  })
}

/** Replaces the history entry of a page that redirects by itself (spec/pages#history). */
export const replaceHistoryEntry = (reaction: Reaction): Reaction =>
  reaction.kind === 'goTo' || reaction.kind === 'leave' ? { ...reaction, replace: true } : reaction
