import type { BootData } from '../../src/contract/interactions/boot.ts'
import type { InteractionEvent } from '../../src/contract/interactions/identifiers.ts'
import { bytesToBase64Url } from '../../src/domain/base64.ts'
import { signInScreen } from '../../src/domain/experience/experience-rules.ts'
import { requiresExplicitAgreement } from '../../src/domain/interactions/terms.ts'
import { buildCallbackUrl, formatSocialState } from '../../src/domain/social/social-state.ts'
import type { FormJourney, Journeys } from '../reactions/reactions.ts'
import { findFirstProblem } from './problems.ts'
import { askForTermsAgreement, getReactionToFailure } from './reaction-table.ts'
import { createSocialFailureReactions } from './social-failures.ts'
import { createTermsValidator } from './terms-problems.ts'

const STATE_BYTES = 16 // RFC 6749 §10.10: 128 bits

/**
 * Sends PUT interaction and redirects to the provider. The provider redirects back to /callback/{connectorId}
 * (spec/pages#social-start).
 */
const startSocial: FormJourney = async ({ api, form, boot }) => {
  const { connectorId = '' } = form
  const { experience, interaction, origin, navigation } = boot
  const event = termsEventAbove(boot)
  const problem = event && findFirstProblem(createTermsValidator(event)(form, boot))
  if (problem) return problem
  if (!event && !form.termsAgreement && mustAgreeFirst(boot))
    return { ...askForTermsAgreement(boot, 0), intent: 'agreeSocial' }

  const started = await api.start({ event: experience.signInMode === 'Register' ? 'Register' : 'SignIn' })
  if (!started.ok) return getReactionToFailure(started.error, boot)
  const state = formatSocialState(interaction ?? '', randomText())
  const authorization = await api.authorizeAt({
    connectorId,
    state,
    redirectUri: buildCallbackUrl(origin, connectorId),
  })
  if (!authorization.ok)
    return getReactionToFailure(authorization.error, boot, createSocialFailureReactions(connectorId, boot))
  // Pass the agreement on, so that users are not asked for it again when they return from the provider.
  if (form.termsAgreement || navigation?.hasAgreed)
    await api.keepNavigation({ ...navigation, hasAgreed: true, flash: undefined })
  return { kind: 'leave', url: authorization.value.redirectTo, connectorId, state }
}

/**
 * Returns the event for which the terms checkbox above the social buttons asks for agreement
 * (spec/pages#terms-agreement).
 */
function termsEventAbove({ path, experience }: BootData): InteractionEvent | null {
  if (path === '/register') return experience.signUp.identifiers.length === 0 ? 'Register' : null
  return path === '/sign-in' && signInScreen(experience).kind === 'socialOnly' ? 'SignIn' : null
}

/**
 * Checks whether the form above the social buttons has a required checkbox that is not ticked. If only new users have
 * to agree, a user on /sign-in may have an account, and new users are asked when they return
 * (spec/pages#terms-agreement).
 */
const mustAgreeFirst = ({ path, experience, navigation }: BootData): boolean =>
  requiresExplicitAgreement(experience, path === '/register' ? 'Register' : 'SignIn') &&
  !navigation?.hasAgreed

/** Continues to the provider after the user has agreed to the terms. */
const agreeAndStart: FormJourney = (input) =>
  startSocial({ ...input, form: { ...input.form, termsAgreement: 'true' } })

const randomText = () => bytesToBase64Url(crypto.getRandomValues(new Uint8Array(STATE_BYTES)))

/** The journeys of the social buttons, used by every page that has them. */
export const socialStartJourneys: Journeys = { social: startSocial, agreeSocial: agreeAndStart }
