import type { FormJourney, PageJourneys, Reaction } from '../reactions/reactions.ts'
import { readIdentifier } from './identifiers.ts'
import { setPassword } from './new-password.ts'
import { findFirstProblem } from './problems.ts'
import { getReactionToFailure } from './reaction-table.ts'
import { isAddress, requestCodeFor } from './send-code.ts'
import { socialStartJourneys } from './social-start.ts'
import {
  agreeToTerms,
  askForMissingItem,
  firstMissingItem,
  submitAndReact,
  withAgreementFromForm,
} from './submit.ts'
import { validateRegisterTerms } from './terms-problems.ts'

/** Checks a new username and goes to the password page, or sends a code to a new address (spec/pages#register). */
const chooseIdentifier: FormJourney = async (input) => {
  const { api, form, boot } = input
  const read = await readIdentifier({ form, boot, accepted: boot.experience.signUp.identifiers })
  if (read.kind === 'problem') return { kind: 'inline', about: 'identifier', message: read.message }
  const problem = findFirstProblem(validateRegisterTerms(form, boot))
  if (problem) return problem

  const { identifier } = read
  const agreed = withAgreementFromForm(form, boot)
  return isAddress(identifier)
    ? requestCodeFor({ api, boot: agreed, flow: 'register', address: identifier })
    : chooseUsername(identifier.value, { ...input, boot: agreed })
}

/**
 * Sends PUT interaction with the username and submits. The response either rejects a username in use or asks for
 * a password (spec/interaction#flow-username).
 */
async function chooseUsername(
  username: string,
  { api, boot }: Parameters<FormJourney>[0],
): Promise<Reaction> {
  const started = await api.start({ event: 'Register', profile: { username } })
  if (!started.ok) return getReactionToFailure(started.error, boot)
  const navigation = { identifier: { type: 'username', value: username } } as const
  return submitAndReact(api, boot, {
    'user.missing_profile': (failure) =>
      firstMissingItem(failure.data) === 'password'
        ? { kind: 'goTo', path: '/register/password', navigation }
        : askForMissingItem({ ...boot, navigation }, 'Register')(failure, boot),
  })
}

export const registerJourneys: PageJourneys = {
  send: chooseIdentifier,
  agree: agreeToTerms,
  ...socialStartJourneys,
}
export const registerPasswordJourneys: PageJourneys = { send: setPassword, agree: agreeToTerms }
