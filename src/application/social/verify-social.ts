import { refuse } from '../../contract/errors.ts'
import type { IdentifierPayload } from '../../contract/interactions/identifiers.ts'
import { isRefusal, orRefuse, refuseWith } from '../../contract/refused.ts'
import {
  dropConnectorSession,
  openConnectorSession,
  provenSocialAddress,
} from '../../domain/interactions/interaction.ts'
import type { CountedAttempt, VerificationDependencies } from '../counted-attempt.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import { asSocial, profileOf } from './social-provider.ts'
import { isWayBack, readWithConnector } from './social-sign-in.ts'

/** The key of both social identifiers, for every event (spec/management#audit-keys). */
const SOCIAL_SUBMIT = 'Interaction.SignIn.Identifier.Social.Submit'

type SocialPayload = Extract<IdentifierPayload, { connectorData: unknown }>
type SocialAddress = Exclude<Extract<IdentifierPayload, { connectorId: string }>, SocialPayload>

/** The answer of a social provider (spec/interaction#verification). */
export async function attemptSocial(
  dependencies: VerificationDependencies,
  call: InteractionCall,
  { connectorId, connectorData }: SocialPayload,
): Promise<CountedAttempt> {
  const { open, audit } = call
  const { row, connector, client } = await readWithConnector(dependencies, call, connectorId)
  return {
    row,
    async prove(interaction) {
      audit.begin(SOCIAL_SUBMIT, { connectorId })
      const social = asSocial(connector)
      if (isRefusal(social)) refuseWith('session.invalid_connector_id', { connectorId })
      const session = orRefuse(openConnectorSession(interaction, { connectorId, connectorData }))
      // The application may have changed while its user was away.
      if (!isWayBack(client, { ...session, origin: call.origin }))
        refuseWith('session.connector_validation_session_not_found')
      try {
        const profile = await profileOf(dependencies, social, { data: connectorData, session })
        return { kind: 'social', connectorId, profile, provenAt: session.beganAt }
      } catch (error) {
        if (interaction) await open.saveRefused(dropConnectorSession(interaction))
        throw error
      }
    },
  }
}

/** An address that a social proof of the record contains (spec/interaction#social-address). */
export async function attemptSocialAddress(
  { open, audit }: InteractionCall,
  payload: SocialAddress,
): Promise<CountedAttempt> {
  return {
    row: await open.row(),
    async prove(interaction) {
      audit.begin(SOCIAL_SUBMIT)
      return orRefuse(
        interaction
          ? provenSocialAddress(interaction, payload)
          : refuse('session.connector_session_not_found'),
      )
    },
  }
}
