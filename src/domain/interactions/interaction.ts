/** The transitions of an interaction's record (spec/interaction#record). Each returns a new record or a refusal. */
import { type Refusal, refuse } from '../../contract/errors.ts'
import type { InteractionEvent, Profile } from '../../contract/interactions/identifiers.ts'
import type {
  ConnectorSession,
  Enrolment,
  Interaction,
  Proof,
} from '../../contract/interactions/interaction.ts'
import type { AccountLookup } from './accounts.ts'

/** `afterReset` names the password reset that the record follows (spec/interaction#after-reset). */
export type InteractionStart = {
  proof?: Proof | undefined
  profile?: Profile | undefined
  afterReset?: string | undefined
}

/**
 * PUT /interaction replaces everything: earlier proofs, the pinned account and the connector session are dropped
 * (spec/interaction#start).
 */
export function newInteraction(
  event: InteractionEvent,
  { proof, profile, afterReset }: InteractionStart,
): Interaction {
  return {
    event,
    proofs: proof ? [proof] : [],
    ...(profile && { profile }),
    ...(afterReset !== undefined && { afterReset }),
  }
}

/**
 * PUT /interaction/event switches between sign-in and registration, but not to or from a password reset
 * (spec/interaction#event). The same event changes nothing and returns the same object.
 */
export function switchEvent(interaction: Interaction, event: InteractionEvent): Interaction | Refusal {
  if (event === interaction.event) return interaction
  if (event === 'ForgotPassword' || interaction.event === 'ForgotPassword') {
    return refuse('session.interaction_not_found')
  }
  return { ...interaction, event }
}

/**
 * PATCH /interaction/identifiers replaces the proof of the same kind and appends the new one (spec/interaction#proof).
 * A social proof uses up the connector session (ADR-0042).
 */
export function addProof(interaction: Interaction, proof: Proof): Interaction {
  const { connectorSession, ...rest } = interaction
  return {
    ...rest,
    proofs: [...interaction.proofs.filter(({ kind }) => kind !== proof.kind), proof],
    ...(connectorSession && proof.kind !== 'social' && { connectorSession }),
  }
}

/** Stores the authenticator app that is being set up, replacing any previous one (spec/interaction#enrolment). */
export const putEnrolment = (interaction: Interaction, enrolment: Enrolment): Interaction => ({
  ...interaction,
  enrolment,
})

/** PUT /interaction/profile replaces the profile (spec/interaction#profile). */
export function putProfile(interaction: Interaction, profile: Profile): Interaction {
  return { ...interaction, profile }
}

/** PATCH /interaction/profile merges the profile shallowly. */
export function patchProfile(interaction: Interaction, profile: Profile): Interaction {
  return { ...interaction, profile: { ...interaction.profile, ...profile } }
}

/** DELETE /interaction/profile also drops the connector session. */
export function dropProfile(interaction: Interaction): Interaction {
  const { profile, connectorSession, ...rest } = interaction
  return rest
}

/**
 * POST social-authorization-uri replaces the previous connector session, even one of another connector
 * (spec/interaction#connector-session).
 */
export function beginSocial(interaction: Interaction, session: ConnectorSession): Interaction {
  return { ...interaction, connectorSession: session }
}

/**
 * Returns the connector session that a callback belongs to: begun in this interaction, at this connector and with this
 * state. A client that has compared the state itself may leave it out (spec/connectors#callback-data), but must not
 * send another.
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

/** A connector session can be used once, whether it succeeds or fails. */
export function dropConnectorSession(interaction: Interaction): Interaction {
  const { connectorSession, ...rest } = interaction
  return rest
}

/**
 * Returns the accounts to which the proofs of addresses, passwords and factors belong. A social identity by itself does
 * not count.
 */
export function provenAccounts({ proofs }: Interaction): AccountLookup[] {
  const lookups = proofs.flatMap((proof): AccountLookup[] => {
    if (proof.kind === 'social') return []
    return ['userId' in proof ? { by: 'id', value: proof.userId } : { by: proof.kind, value: proof.value }]
  })
  return [...new Map(lookups.map((lookup) => [JSON.stringify(lookup), lookup])).values()]
}

/**
 * Turns an address that the social provider has already proved into a proof of its own
 * (spec/interaction#social-address).
 */
export function provenSocialAddress(
  interaction: Interaction,
  claim: { connectorId: string; email: string } | { connectorId: string; phone: string },
): Proof | Refusal {
  const [kind, value] =
    'email' in claim ? (['email', claim.email] as const) : (['phone', claim.phone] as const)
  const social = interaction.proofs.find(
    (proof) =>
      proof.kind === 'social' && proof.connectorId === claim.connectorId && proof.profile[kind] === value,
  )
  if (!social) return refuse('session.connector_session_not_found')
  return { kind, value, provenAt: social.provenAt, connectorId: claim.connectorId }
}
