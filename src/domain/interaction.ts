/** The transitions of an interaction's record (contract 1.3, 2.1). Each answers a new record or a refusal. */
import { type Refusal, refuse } from '../contract/errors.ts'
import type { InteractionEvent, Profile } from '../contract/identifiers.ts'
import type { ConnectorSession, Interaction, Proof } from '../contract/interaction.ts'

/** What a record may begin with. `afterReset` names the password reset it comes after (decision 8). */
export type Beginning = {
  proof?: Proof | undefined
  profile?: Profile | undefined
  afterReset?: string | undefined
}

/** PUT /interaction replaces everything: earlier proofs, the pinned account and the connector session are gone (contract 1.3). */
export function start(event: InteractionEvent, { proof, profile, afterReset }: Beginning): Interaction {
  return {
    event,
    proofs: proof ? [proof] : [],
    ...(profile && { profile }),
    ...(afterReset !== undefined && { afterReset }),
  }
}

/** PUT /interaction/event: sign-in and registration may turn into each other, a reset stays one (contract 1.3). The same event changes nothing, and answers the same object. */
export function switchEvent(interaction: Interaction, event: InteractionEvent): Interaction | Refusal {
  if (event === interaction.event) return interaction
  if (event === 'ForgotPassword' || interaction.event === 'ForgotPassword') {
    return refuse('session.interaction_not_found')
  }
  return { ...interaction, event }
}

/** PATCH /interaction/identifiers: replaces the proof of the same kind and comes last (contract 1.3). A social proof has used up the connector session (contract 2.1). */
export function addProof(interaction: Interaction, proof: Proof): Interaction {
  const { connectorSession, ...rest } = interaction
  return {
    ...rest,
    proofs: [...interaction.proofs.filter(({ kind }) => kind !== proof.kind), proof],
    ...(connectorSession && proof.kind !== 'social' && { connectorSession }),
  }
}

/** PUT /interaction/profile (contract 1.3). */
export function putProfile(interaction: Interaction, profile: Profile): Interaction {
  return { ...interaction, profile }
}

/** PATCH /interaction/profile: a shallow merge (contract 1.3). */
export function patchProfile(interaction: Interaction, profile: Profile): Interaction {
  return { ...interaction, profile: { ...interaction.profile, ...profile } }
}

/** DELETE /interaction/profile takes the connector session with it (contract 1.3). */
export function dropProfile(interaction: Interaction): Interaction {
  const { profile, connectorSession, ...rest } = interaction
  return rest
}

/** POST social-authorization-uri: another one, also of another connector, takes the place of the one before. */
export function beginSocial(interaction: Interaction, session: ConnectorSession): Interaction {
  return { ...interaction, connectorSession: session }
}

/**
 * What the visitor returned to was begun in this interaction, at this connector, and with this state. Whoever checks
 * the state alone may leave it out (contract 9.1), but not give another.
 */
export function openConnectorSession(
  interaction: Interaction | null,
  { connectorId, connectorData }: { connectorId: string; connectorData: Record<string, unknown> },
): ConnectorSession | Refusal {
  const session = interaction?.connectorSession
  const { state } = connectorData
  const isSame = session?.connectorId === connectorId && (state === undefined || state === session.state)
  return session && isSame ? session : refuse('session.connector_validation_session_not_found')
}

/** A session that was used is gone, whatever came of it. */
export function dropConnectorSession(interaction: Interaction): Interaction {
  const { connectorSession, ...rest } = interaction
  return rest
}

/** An address the social provider has already proved, claimed as a proof of its own (contract 2.2, last row). */
export function provenSocialAddress(
  interaction: Interaction,
  claim: { connectorId: string; email: string } | { connectorId: string; phone: string },
): Proof | Refusal {
  const [kind, value] =
    'email' in claim ? (['email', claim.email] as const) : (['phone', claim.phone] as const)
  const isProven = interaction.proofs.some(
    (proof) =>
      proof.kind === 'social' && proof.connectorId === claim.connectorId && proof.profile[kind] === value,
  )
  return isProven ? { kind, value } : refuse('session.connector_session_not_found')
}
