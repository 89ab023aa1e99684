import { connectorIdFromPath } from '../context/paths.ts'
import { createTranslator } from '../context/phrases.ts'
import { type FormJourney, messageAboveForm, type PageJourneys } from '../reactions/reactions.ts'
import { runUntilFailure } from './calls.ts'
import { getReactionToFailure } from './reaction-table.ts'
import { addressPayload } from './send-code.ts'
import { createSocialFailureReactions } from './social-failures.ts'
import { registerWithSocial, replaceHistoryEntry } from './social-register.ts'
import { agreeToTerms, askForMissingItem, submitAndReact } from './submit.ts'

/**
 * Links the social identity to the account with the address that the provider has verified
 * (spec/interaction#flow-social).
 */
const linkIdentity: FormJourney = async ({ api, boot }) => {
  const relatedUser = boot.navigation?.relatedUser
  if (!relatedUser) {
    return messageAboveForm(createTranslator(boot)('vestibule.related_account_missing'))
  }
  const connectorId = connectorIdFromPath(boot.path)
  const failures = createSocialFailureReactions(connectorId, boot)
  const failure = await runUntilFailure(
    () => api.setEvent({ event: 'SignIn' }),
    () => api.prove({ connectorId, ...addressPayload(relatedUser) }),
    () => api.completeProfile({ connectorId }),
  )
  if (failure) return getReactionToFailure(failure, boot, failures)
  return replaceHistoryEntry(
    await submitAndReact(api, boot, {
      ...failures,
      'user.missing_profile': askForMissingItem(boot, 'SignIn'),
    }),
  )
}

/** Creates an account for the social identity. */
const register: FormJourney = async (input) =>
  replaceHistoryEntry(await registerWithSocial(input, connectorIdFromPath(input.boot.path)))

/** Continues after the user has agreed to the terms. */
const agree: FormJourney = async (input) => replaceHistoryEntry(await agreeToTerms(input))

export const journeys: PageJourneys = { send: linkIdentity, register, agree }
