import type { FormJourney, Reaction } from '../reactions/reactions.ts'
import { runUntilFailure } from './calls.ts'
import { getReactionToFailure } from './reaction-table.ts'
import { createSocialFailureReactions } from './social-failures.ts'
import { askForMissingItem, submitAndReact } from './submit.ts'

/**
 * Sends PUT event and PATCH profile with the identity, then submits (spec/interaction#flow-social). The pages
 * that ask for missing account data find the connector in `link_social`, so that users can link an account whose
 * address is already in use.
 */
export async function registerWithSocial(
  { api, boot }: Parameters<FormJourney>[0],
  connectorId: string,
): Promise<Reaction> {
  const failures = createSocialFailureReactions(connectorId, boot)
  const failure = await runUntilFailure(
    () => api.setEvent({ event: 'Register' }),
    () => api.completeProfile({ connectorId }),
  )
  if (failure) return getReactionToFailure(failure, boot, failures)
  const search = `?${new URLSearchParams({ link_social: connectorId })}`
  return submitAndReact(api, boot, {
    ...failures,
    'user.missing_profile': askForMissingItem({ ...boot, search }, 'Register'),
  })
}

/** Replaces the history entry of a page that redirects automatically (spec/pages#history). */
export const replaceHistoryEntry = (reaction: Reaction): Reaction =>
  reaction.kind === 'goTo' || reaction.kind === 'leave' ? { ...reaction, replace: true } : reaction
