import { orRefuse, refuseWith } from '../contract/refused.ts'
import { beginSocial } from '../domain/interaction.ts'
import { type Connector, connectorQuery, openConnector } from '../storage/connectors.ts'
import { findDemo } from './demo-connectors.ts'
import type { Dependencies } from './dependencies.ts'
import type { InteractionCall } from './interaction-call.ts'
import type { OidcInteraction } from './oidc-interaction.ts'
import { asSocial, authorizationOf, type ProviderAccess } from './social-provider.ts'

type ConnectorReading = Pick<Dependencies, 'db' | 'seals' | 'settings' | 'tenantSettings'>

type AuthorizationRequest = {
  connectorId: string
  state?: string | undefined
  redirectUri?: string | undefined
}

/** Where the browser goes to sign in at a provider; what was begun is kept in the record (spec/interaction#social-start). */
export async function startSocialSignIn(
  dependencies: ConnectorReading & ProviderAccess,
  call: InteractionCall,
  { connectorId, state, redirectUri }: AuthorizationRequest,
): Promise<string> {
  const { open, audit } = call
  const { row, connector } = await readWithConnector(dependencies, call, connectorId)
  const before = await open.record(row)
  audit.begin(`Interaction.${before.event}.Identifier.Social.Create`, { connectorId })
  if (!state || !redirectUri) refuseWith('session.insufficient_info')
  const social = orRefuse(asSocial(connector))
  const { uri, session } = await authorizationOf(dependencies, social, { state, redirectUri })
  await open.save(beginSocial(before, session))
  return uri
}

/** The interaction and a connector in one round trip. Null where none is installed. */
export async function readWithConnector(
  dependencies: ConnectorReading,
  { open, tenantId }: Pick<InteractionCall, 'open' | 'tenantId'>,
  connectorId: string,
): Promise<{ row: OidcInteraction; connector: Connector | null }> {
  const { row, found } = await open.rowAnd({
    connectors: connectorQuery(dependencies.db, tenantId, connectorId),
  })
  const [installed] = found.connectors
  const connector = installed && (await openConnector(dependencies.seals, installed))
  return { row, connector: connector ?? (await findDemo(dependencies, tenantId, connectorId)) }
}
