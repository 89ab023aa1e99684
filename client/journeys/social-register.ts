import { firstFailure } from './calls.ts'
import type { FormJourney } from './journey.ts'
import { react } from './reaction-table.ts'
import type { Reaction } from './reactions.ts'
import { askForMissing, submit } from './submit.ts'

/**
 * PUT event, PATCH profile with the identity, submit (contract 2.8). What the account lacks is asked for by pages that know
 * which identity waits to be linked (contract 10.5), should an address turn out to be somebody's.
 */
export async function registerSocially(
  { api, boot }: Parameters<FormJourney>[0],
  connectorId: string,
): Promise<Reaction> {
  const failure = await firstFailure(
    () => api.setEvent({ event: 'Register' }),
    () => api.completeProfile({ connectorId }),
  )
  if (failure) return react(failure, boot)
  const search = `?${new URLSearchParams({ link_social: connectorId })}`
  return submit(api, boot, { 'user.missing_profile': askForMissing({ ...boot, search }, 'Register') })
}

/** The pages that only decide where to go are not come back to (contract 10.4). */
export const replacing = (reaction: Reaction): Reaction =>
  reaction.kind === 'goTo' || reaction.kind === 'leave' ? { ...reaction, replace: true } : reaction
