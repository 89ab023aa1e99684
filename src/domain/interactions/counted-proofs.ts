import type { Interaction, ProvenEnrolment } from '../../contract/interactions/interaction.ts'
import { isSecondFactor } from '../factors/second-factor.ts'
import type { SubmitOutcome } from './submit.ts'

/**
 * The interaction with what its outcome was decided on: second factors where one was asked for and shown, a new
 * authenticator app where the outcome writes it. The level of the sign-in counts nothing else (spec/provider#authentication-levels).
 */
export const withCountedProofs = (interaction: Interaction, outcome: SubmitOutcome): Interaction => ({
  ...interaction,
  enrolment: writtenEnrolment(outcome),
  proofs: hasProvenFactor(outcome)
    ? interaction.proofs
    : interaction.proofs.filter((proof) => !isSecondFactor(proof)),
})

const hasProvenFactor = (outcome: SubmitOutcome) =>
  outcome.kind === 'signIn' && outcome.factor?.kind === 'proven'

function writtenEnrolment(outcome: SubmitOutcome): ProvenEnrolment | undefined {
  if (outcome.kind === 'register') return outcome.enrolment
  return outcome.kind === 'signIn' && outcome.factor?.kind === 'missing'
    ? outcome.factor.enrolment
    : undefined
}
