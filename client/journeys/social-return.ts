import type { BootData } from '../../src/contract/boot.ts'
import { INTERACTION_PARAM, type NavigationState } from '../../src/contract/interaction.ts'
import { isRecord } from '../../src/contract/is-record.ts'
import { LANGUAGE_PARAM } from '../../src/contract/languages.ts'
import { needsTerms } from '../../src/domain/experience-rules.ts'
import { interactionOfState } from '../../src/domain/social-state.ts'
import { translator } from '../app/phrases.ts'
import { connectorAt } from '../social/connector-path.ts'
import type { Failure } from './api.ts'
import type { FormJourney, PageJourneys } from './journey.ts'
import { react } from './reaction-table.ts'
import type { Reaction } from './reactions.ts'
import { registerSocially, replacing } from './social-register.ts'
import { afterSubmit, askForMissing } from './submit.ts'

type Input = Parameters<FormJourney>[0]

/** PATCH identifiers with what the provider has sent along, submit (contract 2.8). */
const showAnswer: FormJourney = async (input) => {
  const { api, boot } = input
  const data = answerIn(boot)
  // What names no interaction, or another, was not asked for here; the server compares the rest of the state.
  if (!boot.interaction || interactionOfState(data.state ?? null) !== boot.interaction) {
    return atTheStart(invalid(boot), boot)
  }
  const proved = await api.prove({ connectorId: connectorAt(boot.path), connectorData: data })
  if (!proved.ok) {
    return atTheStart(
      react(proved.error, boot, { 'session.connector_validation_session_not_found': () => invalid(boot) }),
      boot,
    )
  }
  return enter(input)
}

/** Yes to the terms: the proof is there already. */
const agree: FormJourney = (input) =>
  enter({ ...input, boot: { ...input.boot, navigation: { ...input.boot.navigation, hasAgreed: true } } })

/** Whose identity it is signs in; who is new here registers, or links it to what seems to be their account. */
async function enter(input: Input): Promise<Reaction> {
  const { api, boot } = input
  if (boot.experience.signInMode === 'Register') return welcome(input, {})
  const submitted = await api.submit()
  if (!submitted.ok && submitted.error.code === 'user.identity_not_exist') {
    return boot.experience.signInMode === 'SignIn'
      ? atTheStart({ kind: 'toast', message: submitted.error.message }, boot)
      : welcome(input, submitted.error.data)
  }
  const here = { ...boot, search: '' } // what the provider has sent is nobody else's business
  return atTheStart(
    afterSubmit(submitted, here, { 'user.missing_profile': askForMissing(here, 'SignIn') }),
    boot,
  )
}

async function welcome(input: Input, data: Failure['data']): Promise<Reaction> {
  const { boot } = input
  const t = translator(boot)
  const connectorId = connectorAt(boot.path)
  if (needsTerms(boot.experience) && !boot.navigation?.hasAgreed) {
    return {
      kind: 'confirm',
      message: t('description.agree_with_terms_modal'),
      yes: t('action.agree'),
      intent: 'agree',
      back: 1,
      about: 'terms',
    }
  }
  const relatedUser = relatedUserIn(data)
  return relatedUser
    ? { kind: 'goTo', path: `/social/link/${connectorId}`, navigation: { relatedUser }, replace: true }
    : atTheStart(await registerSocially(input, connectorId), boot)
}

/** All that is not ours. The last of a name counts. */
function answerIn({ search }: BootData): Record<string, string> {
  const {
    [INTERACTION_PARAM]: _,
    [LANGUAGE_PARAM]: __,
    ...data
  } = Object.fromEntries(new URLSearchParams(search))
  return data
}

const invalid = (boot: BootData): Reaction => ({
  kind: 'toast',
  message: translator(boot)('error.invalid_connector_auth'),
})

/** This page has nothing to do on it: what goes wrong is said where one begins. */
function atTheStart(reaction: Reaction, { experience, navigation }: BootData): Reaction {
  if (reaction.kind !== 'toast' && reaction.kind !== 'inline' && reaction.kind !== 'alert') {
    return replacing(reaction)
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

export const socialReturnJourneys: PageJourneys = { send: showAnswer, agree }
