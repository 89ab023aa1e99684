import { LANGUAGE_PARAM } from '../../src/contract/experience/languages.ts'
import type { BootData } from '../../src/contract/interactions/boot.ts'
import { INTERACTION_PARAM, type NavigationState } from '../../src/contract/interactions/interaction.ts'
import { isRecord } from '../../src/contract/is-record.ts'
import { requiresExplicitAgreement } from '../../src/domain/interactions/terms.ts'
import { buildCallbackUrl, parseInteractionState } from '../../src/domain/social/social-state.ts'
import type { CallFailure } from '../api/api.ts'
import { connectorIdFromPath } from '../context/paths.ts'
import type { FormJourney, PageJourneys, Reaction } from '../reactions/reactions.ts'
import { askForTermsAgreement, getReactionToFailure } from './reaction-table.ts'
import { createSocialFailureMessage, createSocialFailureReactions } from './social-failures.ts'
import { registerWithSocial, replaceHistoryEntry } from './social-register.ts'
import { agreementStatement, askForMissingItem, getReactionToSubmit, withAgreedTerms } from './submit.ts'

type Input = Parameters<FormJourney>[0]

/** Sends the provider's response with PATCH identifiers, then submits (spec/pages#social-return). */
const proveIdentity: FormJourney = async (input) => {
  const { api, boot } = input
  const data = readProviderResponse(boot)
  const connectorId = connectorIdFromPath(boot.path)
  // Reject a response that belongs to another interaction. The server compares the rest of the state.
  if (!boot.interaction || parseInteractionState(data.state ?? null) !== boot.interaction) {
    return showOnFirstPage(createSocialFailureMessage('vestibule.social_expired', connectorId, boot), boot)
  }
  const redirectUri = buildCallbackUrl(boot.origin, connectorId)
  const proved = await api.prove({ connectorId, connectorData: { ...data, redirectUri } })
  if (!proved.ok) {
    return showOnFirstPage(
      getReactionToFailure(proved.error, boot, createSocialFailureReactions(connectorId, boot)),
      boot,
    )
  }
  return continueWithIdentity(input)
}

/** Rejects a response to an authorization that belongs to another app (spec/pages#social-state). */
const reject: FormJourney = async ({ boot }) =>
  showOnFirstPage(
    createSocialFailureMessage('vestibule.social_expired', connectorIdFromPath(boot.path), boot),
    boot,
  )

/** Continues after the user has agreed to the terms. The identity has already been verified. */
const agree: FormJourney = (input) => continueWithIdentity({ ...input, boot: withAgreedTerms(input.boot) })

/**
 * Signs the user in to the account that has the identity. New users register, or link the identity to an account
 * with the same address.
 */
async function continueWithIdentity(input: Input): Promise<Reaction> {
  const { api, boot } = input
  if (boot.experience.signInMode === 'Register') return registerOrLink(input, {})
  const submitted = await api.submit(agreementStatement(boot))
  if (!submitted.ok && submitted.error.code === 'user.identity_not_exist') {
    return boot.experience.signInMode === 'SignIn'
      ? showOnFirstPage(
          createSocialFailureMessage('vestibule.social_no_account', connectorIdFromPath(boot.path), boot),
          boot,
        )
      : registerOrLink(input, submitted.error.data)
  }
  const here = { ...boot, search: '' } // the next pages must not receive the provider's response
  return showOnFirstPage(
    getReactionToSubmit(submitted, here, { 'user.missing_profile': askForMissingItem(here, 'SignIn') }),
    boot,
  )
}

async function registerOrLink(input: Input, data: CallFailure['data']): Promise<Reaction> {
  const { boot } = input
  const connectorId = connectorIdFromPath(boot.path)
  if (requiresExplicitAgreement(boot.experience, 'Register') && !boot.navigation?.hasAgreed) {
    return askForTermsAgreement(boot, 1)
  }
  const relatedUser = readRelatedUser(data)
  return relatedUser
    ? { kind: 'goTo', path: `/social/link/${connectorId}`, navigation: { relatedUser }, replace: true }
    : showOnFirstPage(await registerWithSocial(input, connectorId), boot)
}

/**
 * Returns the provider's response: the query without our own parameters. If a name occurs twice, the last value is
 * used.
 */
function readProviderResponse({ search }: BootData): Record<string, string> {
  const {
    [INTERACTION_PARAM]: _,
    [LANGUAGE_PARAM]: __,
    ...data
  } = Object.fromEntries(new URLSearchParams(search))
  return data
}

/** Shows an error on the first page, because the current page redirects automatically (spec/pages#social-return). */
function showOnFirstPage(reaction: Reaction, { experience, navigation }: BootData): Reaction {
  // Users who decline go back to the first page, because the current page has nothing to show.
  if (reaction.kind === 'confirm') return { ...reaction, back: 1 }
  const isMessage = reaction.kind === 'inline' || (reaction.kind === 'alert' && reaction.back === 1)
  if (!isMessage) return replaceHistoryEntry(reaction)
  return {
    kind: 'goTo',
    path: experience.signInMode === 'Register' ? '/register' : '/sign-in',
    ...(navigation?.identifier && { navigation: { identifier: navigation.identifier } }),
    message: reaction.message,
    tone: 'tone' in reaction ? reaction.tone : undefined,
    hasToast: 'hasToast' in reaction ? reaction.hasToast : undefined,
    replace: true,
  }
}

function readRelatedUser(data: unknown): NavigationState['relatedUser'] {
  if (!isRecord(data) || !isRecord(data.relatedUser)) return undefined
  const { type, value } = data.relatedUser
  return (type === 'email' || type === 'phone') && typeof value === 'string' ? { type, value } : undefined
}

export const journeys: PageJourneys = { send: proveIdentity, reject, agree }
