import { unprocessableInput } from '../../contract/invalid-input.ts'
import { orRefuse, RefusalError, refuseWith } from '../../contract/refused.ts'
import { refusesConnector } from '../../domain/experience/experience-rules.ts'
import { beginSocial } from '../../domain/interactions/interaction.ts'
import { type CallbackClient, isNativeCallback } from '../../domain/social/native-callback.ts'
import { callbackAddress } from '../../domain/social/social-state.ts'
import { type ConnectorRow, connectorQuery, openConnector } from '../../storage/connectors/connectors.ts'
import { clientOfInteractionQuery } from '../../storage/interactions/oidc-reads.ts'
import { findDemo } from '../connectors/demo-connectors.ts'
import type { Dependencies } from '../dependencies.ts'
import type { InteractionCall } from '../interactions/interaction-call.ts'
import type { OidcInteraction } from '../interactions/oidc-interaction.ts'
import { asSocial, authorizationOf, type ProviderAccess } from './social-provider.ts'

type ConnectorReading = Pick<Dependencies, 'db' | 'seals' | 'settings' | 'tenantSettings'>

type AuthorizationRequest = {
  /** Of the call. */
  origin: string
  connectorId: string
  state?: string | undefined
  redirectUri?: string | undefined
}

/** Where the browser goes to sign in at a provider; what was begun is kept in the record (spec/interaction#social-start). */
export async function startSocialSignIn(
  dependencies: ConnectorReading & ProviderAccess,
  call: InteractionCall,
  { origin, connectorId, state, redirectUri }: AuthorizationRequest,
): Promise<string> {
  const { open, audit } = call
  const { row, connector, client } = await readWithConnector(dependencies, call, connectorId)
  const before = await open.record(row)
  audit.begin(`Interaction.${before.event}.Identifier.Social.Create`, { connectorId })
  if (!state || !redirectUri) refuseWith('session.insufficient_info')
  const social = orRefuse(asSocial(connector))
  orRefuse(refusesConnector(await call.experience(), connectorId))
  if (!isWayBack(client, { origin, connectorId, redirectUri })) {
    throw new RefusalError(
      unprocessableInput([{ path: ['redirectUri'], message: 'is not the callback of this connector' }]),
    )
  }
  const { uri, session } = await authorizationOf(dependencies, social, { state, redirectUri })
  await open.save(beginSocial(before, session))
  return uri
}

/** Ours, or the app of the interaction's client: the provider would send the code to any other address it knows. */
export const isWayBack = (
  client: CallbackClient | undefined,
  { origin, connectorId, redirectUri }: { origin: string; connectorId: string; redirectUri: string },
): boolean => redirectUri === callbackAddress(origin, connectorId) || isNativeCallback(client, redirectUri)

/** The interaction with its client, and a connector, in one round trip. Null where none is installed. */
export async function readWithConnector(
  dependencies: ConnectorReading,
  { open, tenantId }: Pick<InteractionCall, 'open' | 'tenantId'>,
  connectorId: string,
): Promise<{ row: OidcInteraction; connector: ConnectorRow | null; client: CallbackClient | undefined }> {
  const { row, found } = await open.rowAnd({
    connectors: connectorQuery(dependencies.db, tenantId, connectorId),
    clients: clientOfInteractionQuery(dependencies.db, tenantId, open.uid),
  })
  const [installed] = found.connectors
  const connector = installed && (await openConnector(dependencies.seals, installed))
  return {
    row,
    connector: connector ?? (await findDemo(dependencies, tenantId, connectorId)),
    client: found.clients[0],
  }
}
