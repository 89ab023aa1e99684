import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { NavigationState } from '../../src/contract/interactions/interaction.ts'
import type { FormJourney, Journeys, PageJourneys, Reaction } from '../reactions/reactions.ts'
import { type JourneyCall, runUntilFailure } from './calls.ts'
import { codeReactions, readConnectorToLink } from './code-reactions.ts'
import { findFirstProblem } from './problems.ts'
import { CODE_FIELD, getReactionToFailure, getReactionToMissingNavigation } from './reaction-table.ts'
import { readCode, validateCodeIn } from './read-code.ts'
import {
  type Address,
  addressPayload,
  codeAddressPayload,
  isAddress,
  requestCodeFor,
  type VerificationFlow,
} from './send-code.ts'
import { agreeToTerms, askForMissingItem, submitAndReact } from './submit.ts'

const validateCode = validateCodeIn(CODE_FIELD)

/** Sends the code with PATCH identifiers, adds the address to the profile if the account lacks it, and submits. */
function codeJourney(flow: VerificationFlow): FormJourney {
  return async ({ api, form, boot }) => {
    const address = addressOf(boot)
    if (!address) return getReactionToMissingNavigation(boot)
    const problem = findFirstProblem(validateCode(form, boot))
    if (problem) return problem

    const failure = await runUntilFailure(
      () => api.prove({ ...codeAddressPayload(address), verificationCode: readCode(form, CODE_FIELD) }),
      ...(completesProfile(flow) ? [() => api.completeProfile(addressPayload(address))] : []),
    )
    const reaction = failure
      ? getReactionToFailure(failure, boot)
      : await submitAndReact(api, boot, codeReactions[flow](address, boot))
    return clearRejectedCode(reaction)
  }
}

/** Checks whether this flow adds the verified address to the account. */
const completesProfile = (flow: VerificationFlow) => flow === 'register' || flow === 'continue'

/**
 * Creates the account after the user has confirmed "does not exist, create one?". The address has already been
 * verified (spec/interaction#flow-code).
 */
const registerInstead: FormJourney = async (input) => {
  const { api, boot } = input
  const address = addressOf(boot)
  if (!address) return getReactionToMissingNavigation(boot)
  return continueInstead(
    input,
    'Register',
    () => api.setEvent({ event: 'Register' }),
    () => api.replaceProfile(addressPayload(address)),
  )
}

/**
 * Signs in after the user has confirmed "already exists, sign in?" (spec/interaction#flow-code): immediately, or
 * with the password if users cannot sign in with codes.
 */
const signInInstead: FormJourney = async (input) => {
  const { experience, navigation } = input.boot
  const address = addressOf(input.boot)
  const method = experience.signIn.methods.find(({ identifier }) => identifier === address?.type)
  if (address && method && !method.verificationCode) {
    return {
      kind: 'goTo',
      path: '/sign-in/password',
      navigation: { identifier: address, hasAgreed: navigation?.hasAgreed },
    }
  }
  return continueInstead(
    input,
    'SignIn',
    () => input.api.dropProfile(),
    () => input.api.setEvent({ event: 'SignIn' }),
  )
}

/**
 * Links the social identity to the account with the address that was just verified, after the user has confirmed
 * "already exists, link?" (spec/interaction#flow-social).
 */
const linkInstead: FormJourney = async (input) => {
  const { api, boot } = input
  const connectorId = readConnectorToLink(boot)
  if (!connectorId) return getReactionToMissingNavigation(boot)
  return continueInstead(
    input,
    'SignIn',
    () => api.setEvent({ event: 'SignIn' }),
    () => api.replaceProfile({ connectorId }),
  )
}

/** Continues after the user has confirmed a dialog. */
async function continueInstead(
  { api, boot }: Parameters<FormJourney>[0],
  event: NonNullable<NavigationState['event']>,
  ...calls: JourneyCall[]
): Promise<Reaction> {
  const failure = await runUntilFailure(...calls)
  return failure
    ? getReactionToFailure(failure, boot)
    : submitAndReact(api, boot, { 'user.missing_profile': askForMissingItem(boot, event) })
}

/** Sends another code to the same address without leaving the page (spec/pages#resend). */
function resend(flow: VerificationFlow): FormJourney {
  return async ({ api, boot }) => {
    const address = addressOf(boot)
    if (!address) return getReactionToMissingNavigation(boot)
    const sent = await requestCodeFor({ api, boot, flow, address, replace: true })
    return sent.kind === 'goTo' ? { ...sent, flash: 'passcode_sent' } : sent
  }
}

function addressOf({ navigation }: BootData): Address | null {
  const identifier = navigation?.identifier
  return identifier && isAddress(identifier) ? identifier : null
}

/** Clears the code boxes after a rejected code (spec/pages#code-boxes). */
function clearRejectedCode(reaction: Reaction): Reaction {
  if (reaction.kind !== 'inline' || reaction.canRepeat) return reaction
  return { ...reaction, clears: `${CODE_FIELD}_` }
}

const forms = <More extends Journeys>(flow: VerificationFlow, more: More) => ({
  send: codeJourney(flow),
  resend: resend(flow),
  ...more,
})

/**
 * Returns the journeys of {flow}/verification-code: entering the code, requesting another code, and confirming
 * the flow's dialog.
 */
export const codeJourneys = {
  'sign-in': forms('sign-in', { agree: agreeToTerms, register: registerInstead }),
  register: forms('register', { agree: agreeToTerms, signIn: signInInstead }),
  'forgot-password': forms('forgot-password', {}),
  continue: forms('continue', { agree: agreeToTerms, link: linkInstead }),
} satisfies Record<VerificationFlow, PageJourneys>
