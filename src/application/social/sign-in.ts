import { refuse } from '../../contract/errors.ts'
import type { IdentifierPayload } from '../../contract/interactions/identifiers.ts'
import { unprocessableInput } from '../../contract/invalid-input.ts'
import { isRefusal, RefusalError, refuseWith, throwIfRefused } from '../../contract/refused.ts'
import { checkOfferedConnector } from '../../domain/experience/experience-rules.ts'
import {
  dropConnectorSession,
  openConnectorSession,
  provenSocialAddress,
  setConnectorSession,
} from '../../domain/interactions/interaction.ts'
import { type CallbackClient, isNativeCallback } from '../../domain/social/native-callback.ts'
import { buildCallbackUrl } from '../../domain/social/social-state.ts'
import { type ConnectorRow, connectorQuery, unsealConnector } from '../../storage/connectors/connectors.ts'
import { interactionClientQuery } from '../../storage/interactions/oidc-reads.ts'
import type { CountedAttempt, VerificationDependencies } from '../attempts.ts'
import { findDemo } from '../connectors/demo-connectors.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import type { OidcInteraction } from '../interactions/oidc-interaction.ts'
import {
  beginAuthorization,
  fetchSocialProfile,
  type SocialProviderDependencies,
  toSocialConnector,
} from './provider.ts'

type ConnectorReading = Pick<Dependencies, 'db' | 'seals' | 'settings' | 'tenantSettings'>

type AuthorizationRequest = {
  connectorId: string
  state?: string | undefined
  redirectUri?: string | undefined
}

/**
 * Returns the URL at which the user signs in with a provider, and stores the connector session in the record
 * (spec/interaction#social-start).
 */
export async function startSocialSignIn(
  dependencies: ConnectorReading & SocialProviderDependencies,
  call: InteractionCall,
  { connectorId, state, redirectUri }: AuthorizationRequest,
): Promise<string> {
  const { open, audit } = call
  const { row, connector, client } = await readWithConnector(dependencies, call, connectorId)
  const before = await open.record(row)
  audit.begin(`Interaction.${before.event}.Identifier.Social.Create`, { connectorId })
  if (!state || !redirectUri) refuseWith('session.insufficient_info')
  const social = throwIfRefused(toSocialConnector(connector))
  throwIfRefused(checkOfferedConnector(await call.experience(), connectorId))
  if (!isOwnCallback(client, { origin: call.origin, connectorId, redirectUri })) {
    throw new RefusalError(
      unprocessableInput([{ path: ['redirectUri'], message: 'is not the callback of this connector' }]),
    )
  }
  const { uri, session } = await beginAuthorization(dependencies, social, { state, redirectUri })
  await open.save(setConnectorSession(before, session))
  return uri
}

/**
 * Checks whether the callback URL is ours or belongs to an app of the interaction's client. Otherwise the provider
 * could send the code to any other URL that is registered with it.
 */
const isOwnCallback = (
  client: CallbackClient | undefined,
  { origin, connectorId, redirectUri }: { origin: string; connectorId: string; redirectUri: string },
): boolean => redirectUri === buildCallbackUrl(origin, connectorId) || isNativeCallback(client, redirectUri)

/**
 * Reads the interaction, its client and a connector in one round trip. The connector is null if it is not installed.
 */
async function readWithConnector(
  dependencies: ConnectorReading,
  { open, tenantId }: Pick<InteractionCall, 'open' | 'tenantId'>,
  connectorId: string,
): Promise<{ row: OidcInteraction; connector: ConnectorRow | null; client: CallbackClient | undefined }> {
  const { row, results } = await open.readWith({
    connectors: connectorQuery(dependencies.db, tenantId, connectorId),
    clients: interactionClientQuery(dependencies.db, tenantId, open.uid),
  })
  const [installed] = results.connectors
  const connector = installed && (await unsealConnector(dependencies.seals, installed))
  return {
    row,
    connector: connector ?? (await findDemo(dependencies, tenantId, connectorId)),
    client: results.clients[0],
  }
}

/**
 * The audit key of social proofs. It is the same for both kinds of social identifiers and all events
 * (spec/management#audit-keys).
 */
const SOCIAL_SUBMIT = 'Interaction.SignIn.Identifier.Social.Submit'

type SocialPayload = Extract<IdentifierPayload, { connectorData: unknown }>
type SocialAddress = Exclude<Extract<IdentifierPayload, { connectorId: string }>, SocialPayload>

/** Attempts to verify a social provider's response as a proof (spec/interaction#verification). */
export async function attemptSocialSignIn(
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
      const social = toSocialConnector(connector)
      if (isRefusal(social)) refuseWith('session.invalid_connector_id', { connectorId })
      const session = throwIfRefused(openConnectorSession(interaction, { connectorId, connectorData }))
      // The application's settings may have changed while the user was at the provider.
      if (!isOwnCallback(client, { ...session, origin: call.origin }))
        refuseWith('session.connector_validation_session_not_found')
      try {
        const profile = await fetchSocialProfile(dependencies, social, { data: connectorData, session })
        return { kind: 'social', connectorId, profile, provenAt: session.beganAt }
      } catch (error) {
        if (interaction) await open.saveRefused(dropConnectorSession(interaction))
        throw error
      }
    },
  }
}

/**
 * Verifies an email address or phone number with a social proof in the record that contains it
 * (spec/interaction#social-address).
 */
export async function trySignInWithSocialAddress(
  { open, audit }: InteractionCall,
  payload: SocialAddress,
): Promise<CountedAttempt> {
  return {
    row: await open.row(),
    async prove(interaction) {
      audit.begin(SOCIAL_SUBMIT)
      return throwIfRefused(
        interaction
          ? provenSocialAddress(interaction, payload)
          : refuse('session.connector_session_not_found'),
      )
    },
  }
}
