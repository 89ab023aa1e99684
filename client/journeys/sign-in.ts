import { withPassword } from '../../src/contract/interactions/identifiers.ts'
import type { EnteredIdentifier } from '../../src/contract/interactions/interaction.ts'
import { firstStep, signInScreen } from '../../src/domain/experience/experience-rules.ts'
import { queryWithoutInteraction } from '../context/paths.ts'
import type { FormJourney, PageJourneys, Reaction } from '../reactions/reactions.ts'
import { readIdentifier } from './identifiers.ts'
import { findFirstProblem, signInIdentifierTypes, validatePassword } from './problems.ts'
import { getReactionToFailure, getReactionToMissingNavigation } from './reaction-table.ts'
import { isAddress, requestCodeFor } from './send-code.ts'
import { socialStartJourneys } from './social-start.ts'
import { agreeToTerms, submitAndReact, withAgreementFromForm } from './submit.ts'
import { validateSignInTerms } from './terms-problems.ts'

type Input = Parameters<FormJourney>[0]

/**
 * Sends the form of the first page. Depending on the settings, it asks only for the identifier or also for the
 * password (spec/pages#sign-in).
 */
const begin: FormJourney = async (input) => {
  const { form, boot } = input
  const read = await readKnownIdentifier(input)
  if (read.kind === 'problem') return { kind: 'inline', about: 'identifier', message: read.message }
  const problem = findFirstProblem(validateSignInTerms(form, boot))
  if (problem) return problem

  const next = signInScreen(boot.experience).kind === 'identifier' ? goToNextStep : signInWith
  return next(read.identifier, { ...input, boot: withAgreementFromForm(form, boot) })
}

/** Goes to the next step after a form that asks only for the identifier (spec/pages#sign-in). */
async function goToNextStep(identifier: EnteredIdentifier, { api, boot }: Input): Promise<Reaction> {
  const method = boot.experience.signIn.methods.find((each) => each.identifier === identifier.type)
  if (method && firstStep(method) === 'code' && isAddress(identifier)) {
    return requestCodeFor({ api, boot, flow: 'sign-in', address: identifier })
  }
  const navigation = { identifier, hasAgreed: boot.navigation?.hasAgreed }
  return { kind: 'goTo', path: `/sign-in/password${queryWithoutInteraction(boot.search)}`, navigation }
}

/** Signs in with the password and the identifier from the previous page. */
const signInWithKnownIdentifier: FormJourney = async (input) => {
  const identifier = input.boot.navigation?.identifier
  return identifier ? signInWith(identifier, input) : getReactionToMissingNavigation(input.boot)
}

/** Sends a code as an alternative to the password. */
const switchToCode: FormJourney = async (input) => {
  const { api, boot } = input
  const identifier = boot.navigation?.identifier
  if (!identifier || !isAddress(identifier)) return getReactionToMissingNavigation(input.boot)
  const sent = await requestCodeFor({ api, boot, flow: 'sign-in', address: identifier })
  return sent.kind === 'goTo' ? { ...sent, isSibling: true } : sent
}

/** Goes to the page for forgotten passwords, with the identifier if it is valid (spec/pages#forgot-password). */
const forget: FormJourney = async (input) => {
  const read = await readKnownIdentifier(input)
  const identifier = read.kind === 'identifier' ? read.identifier : input.boot.navigation?.identifier
  return { kind: 'goTo', path: '/forgot-password', ...(identifier && { navigation: { identifier } }) }
}

/** Sends PUT interaction with the password, then submits (spec/interaction#flow-password). */
async function signInWith(identifier: EnteredIdentifier, { api, form, boot }: Input): Promise<Reaction> {
  const { account } = identifier
  const password = form.password ?? ''
  const problem = findFirstProblem(validatePassword(form, boot))
  if (problem) return problem

  const started = await api.start({
    event: 'SignIn',
    identifier: account ? { account, password } : withPassword(identifier, password),
  })
  return started.ok ? submitAndReact(api, boot) : getReactionToFailure(started.error, boot)
}

const readKnownIdentifier = ({ form, boot }: Input) =>
  readIdentifier({ form, boot, accepted: signInIdentifierTypes(boot), purpose: 'known' })

/** On both sign-in pages, the link for forgotten passwords runs `forget`. Without JavaScript, it is a plain link. */
export const signInJourneys: PageJourneys = {
  send: begin,
  agree: agreeToTerms,
  forget,
  ...socialStartJourneys,
  passkey: async (input) => (await import('./passkey.ts')).signInWithPasskey(input),
}
export const signInPasswordJourneys: PageJourneys = {
  send: signInWithKnownIdentifier,
  agree: agreeToTerms,
  code: switchToCode,
  forget,
}
