/** The transitions of an interaction record (spec/interaction#record). Each returns a new record or an error. */
import { type Refusal, refuse } from '../../contract/errors.ts'
import type { InteractionEvent, Profile } from '../../contract/interactions/identifiers.ts'
import type {
  ConnectorSession,
  Enrolment,
  Interaction,
  Proof,
} from '../../contract/interactions/interaction.ts'
import type { AccountLookup } from './accounts.ts'

/**
 * The initial data of an interaction. `afterReset` names the password reset that precedes the interaction
 * (spec/interaction#after-reset).
 */
export type InteractionStart = {
  proof?: Proof | undefined
  profile?: Profile | undefined
  afterReset?: string | undefined
}

/**
 * Returns a new record, for PUT /interaction. It replaces everything: earlier proofs, the pinned account and the
 * connector session are dropped (spec/interaction#start).
 */
export function createInteraction(
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
 * Switches between sign-in and registration, for PUT /interaction/event. Switching to or from a password reset is an
 * error (spec/interaction#event). If the event stays the same, the same object is returned.
 */
export function switchEvent(interaction: Interaction, event: InteractionEvent): Interaction | Refusal {
  if (event === interaction.event) return interaction
  if (event === 'ForgotPassword' || interaction.event === 'ForgotPassword') {
    return refuse('session.interaction_not_found')
  }
  return { ...interaction, event }
}

/**
 * Adds a proof, for PATCH /interaction/identifiers. It replaces any proof of the same kind (spec/interaction#proof). A
 * social proof also uses up the connector session (ADR-0042).
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

/** Replaces the profile, for PUT /interaction/profile (spec/interaction#profile). */
export function putProfile(interaction: Interaction, profile: Profile): Interaction {
  return { ...interaction, profile }
}

/** Merges the profile shallowly, for PATCH /interaction/profile. */
export function patchProfile(interaction: Interaction, profile: Profile): Interaction {
  return { ...interaction, profile: { ...interaction.profile, ...profile } }
}

/** Removes the profile and the connector session, for DELETE /interaction/profile. */
export function dropProfile(interaction: Interaction): Interaction {
  const { profile, connectorSession, ...rest } = interaction
  return rest
}

/**
 * Stores a new connector session, for POST social-authorization-uri. It replaces any previous one, even of another
 * connector (spec/interaction#connector-session).
 */
export function setConnectorSession(interaction: Interaction, session: ConnectorSession): Interaction {
  return { ...interaction, connectorSession: session }
}

/**
 * Returns the connector session to which a callback belongs. The session must have begun in this interaction, with this
 * connector and state. A client that has compared the state itself may omit it (spec/connectors#callback-data), but
 * must not send a different one.
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

/** Removes the connector session, which can be used only once, whether or not the attempt succeeds. */
export function dropConnectorSession(interaction: Interaction): Interaction {
  const { connectorSession, ...rest } = interaction
  return rest
}

/**
 * Returns lookups for the accounts that the proofs of addresses, passwords and factors belong to. Proofs of social
 * identities are ignored.
 */
export function listProvenAccounts({ proofs }: Interaction): AccountLookup[] {
  const lookups = proofs.flatMap((proof): AccountLookup[] => {
    if (proof.kind === 'social') return []
    return ['userId' in proof ? { by: 'id', value: proof.userId } : { by: proof.kind, value: proof.value }]
  })
  return [...new Map(lookups.map((lookup) => [JSON.stringify(lookup), lookup])).values()]
}

/**
 * Returns a separate proof for an address that the social provider has already verified
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
