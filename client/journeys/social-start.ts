import type { BootData } from '../../src/contract/boot.ts'
import { callbackAddress, socialState } from '../../src/domain/social-state.ts'
import type { FormJourney, Journeys } from './journey.ts'
import { firstProblem } from './problems.ts'
import { react } from './reaction-table.ts'
import { termsProblems } from './register-problems.ts'

const STATE_BYTES = 16 // contract 10.5 has 8; RFC 6749 §10.10 asks for 128 bits

/** PUT interaction, then to the provider (contract 2.8), which sends the visitor back to /callback/{connectorId}. */
const startSocial: FormJourney = async ({ api, form, boot }) => {
  const { connectorId = '' } = form
  const { experience, interaction, origin, navigation } = boot
  const asksForTerms = agreesBefore(boot)
  const problem = asksForTerms ? firstProblem(termsProblems(form, boot)) : null
  if (problem) return problem

  const started = await api.start({ event: experience.signInMode === 'Register' ? 'Register' : 'SignIn' })
  if (!started.ok) return react(started.error, boot)
  const asked = await api.authorizeAt({
    connectorId,
    state: socialState(interaction ?? '', randomText()),
    redirectUri: callbackAddress(origin, connectorId),
  })
  if (!asked.ok) return react(asked.error, boot)
  // Whoever has agreed here is not asked again over there.
  if (asksForTerms) await api.keepNavigation({ ...navigation, hasAgreed: true, flash: undefined })
  return { kind: 'leave', url: asked.value.redirectTo, connectorId }
}

/** Where social buttons are all there is to register with, the terms stand above them (contract 10.4). */
const agreesBefore = ({ path, experience }: BootData) =>
  path === '/register' && experience.signUp.identifiers.length === 0

function randomText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(STATE_BYTES))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Of the social buttons, on every page that has them. */
export const socialStartJourneys: Journeys = { social: startSocial }
