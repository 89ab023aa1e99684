import { LANGUAGE_PARAM } from '../../src/contract/experience/languages.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { INTERACTION_PARAM, type NavigationState } from '../../src/contract/interactions/interaction.ts'
import { isRecord } from '../../src/contract/is-record.ts'
import { asksForTerms } from '../../src/domain/interactions/terms.ts'
import { parseInteraction } from '../../src/domain/social/social-state.ts'
import type { CallFailure } from '../api/api.ts'
import { connectorAt } from '../context/paths.ts'
import type { FormJourney, PageJourneys, Reaction } from '../reactions/reactions.ts'
import { reactionTo, termsQuestion } from './reaction-table.ts'
import { socialFailures, socialMessage } from './social-failures.ts'
import { registerSocially, replacingHistory } from './social-register.ts'
import { afterSubmit, agreed, askForMissing, statementIn } from './submit.ts'

type Input = Parameters<FormJourney>[0]

/** PATCH identifiers with the provider's answer, then submit (spec/pages#social-return). */
const proveIdentity: FormJourney = async (input) => {
  const { api, boot } = input
  const data = answerIn(boot)
  const connectorId = connectorAt(boot.path)
  // A state of another interaction was not requested here; the server compares the rest of the state.
  if (!boot.interaction || parseInteraction(data.state ?? null) !== boot.interaction) {
    return atTheStart(socialMessage('vestibule.social_expired', connectorId, boot), boot)
  }
  const proved = await api.prove({ connectorId, connectorData: data })
  if (!proved.ok) {
    return atTheStart(reactionTo(proved.error, boot, socialFailures(connectorId, boot)), boot)
  }
  return continueWithIdentity(input)
}

/** Yes to the terms: the identity is proved already. */
const agree: FormJourney = (input) => continueWithIdentity({ ...input, boot: agreed(input.boot) })

/** The account of the identity signs in. A new user registers, or links the identity to an account with the same address. */
async function continueWithIdentity(input: Input): Promise<Reaction> {
  const { api, boot } = input
  if (boot.experience.signInMode === 'Register') return registerOrLink(input, {})
  const submitted = await api.submit(statementIn(boot))
  if (!submitted.ok && submitted.error.code === 'user.identity_not_exist') {
    return boot.experience.signInMode === 'SignIn'
      ? atTheStart(socialMessage('vestibule.social_no_account', connectorAt(boot.path), boot), boot)
      : registerOrLink(input, submitted.error.data)
  }
  const here = { ...boot, search: '' } // no other page gets the provider's answer
  return atTheStart(
    afterSubmit(submitted, here, { 'user.missing_profile': askForMissing(here, 'SignIn') }),
    boot,
  )
}

async function registerOrLink(input: Input, data: CallFailure['data']): Promise<Reaction> {
  const { boot } = input
  const connectorId = connectorAt(boot.path)
  if (asksForTerms(boot.experience, 'Register') && !boot.navigation?.hasAgreed) {
    return termsQuestion(boot, 1)
  }
  const relatedUser = relatedUserIn(data)
  return relatedUser
    ? { kind: 'goTo', path: `/social/link/${connectorId}`, navigation: { relatedUser }, replace: true }
    : atTheStart(await registerSocially(input, connectorId), boot)
}

/** The query without our own parameters. Of two with one name the last counts. */
function answerIn({ search }: BootData): Record<string, string> {
  const {
    [INTERACTION_PARAM]: _,
    [LANGUAGE_PARAM]: __,
    ...data
  } = Object.fromEntries(new URLSearchParams(search))
  return data
}

/** This page only passes by, so a refusal is shown on the first page (ADR-0044). */
function atTheStart(reaction: Reaction, { experience, navigation }: BootData): Reaction {
  // A no leads to the first page: this one has nothing to show.
  if (reaction.kind === 'confirm') return { ...reaction, back: 1 }
  if (reaction.kind !== 'inline' && reaction.kind !== 'alert') {
    return replacingHistory(reaction)
  }
  return {
    kind: 'goTo',
    path: experience.signInMode === 'Register' ? '/register' : '/sign-in',
    ...(navigation?.identifier && { navigation: { identifier: navigation.identifier } }),
    message: reaction.message,
    replace: true,
  }
}

function relatedUserIn(data: unknown): NavigationState['relatedUser'] {
  if (!isRecord(data) || !isRecord(data.relatedUser)) return undefined
  const { type, value } = data.relatedUser
  return (type === 'email' || type === 'phone') && typeof value === 'string' ? { type, value } : undefined
}

export const journeys: PageJourneys = { send: proveIdentity, agree }
