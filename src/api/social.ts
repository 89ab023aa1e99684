import { ConnectorFailure } from '../connectors/failure.ts'
import { findSocialConnector } from '../connectors/index.ts'
import { socialWorld } from '../connectors/social-world.ts'
import type { ConnectorSession, SocialProfile } from '../contract/interaction.ts'
import { Refused, refuseWith } from '../contract/refused.ts'
import type { Services } from '../env.ts'
import type { OidcInteraction } from '../oidc/interactions.ts'
import { type Connector, connectorQuery, openConnector } from '../storage/connectors.ts'
import { logEvent } from '../storage/event-log.ts'
import { connectorRefusal } from './connector-refusal.ts'
import type { OpenInteraction } from './open-interaction.ts'

/** The interaction and a connector in one round trip. Null where none is installed, or it is not social. */
export async function readWithConnector(
  { db, seals }: Pick<Services, 'db' | 'seals'>,
  open: OpenInteraction,
  tenantId: string,
  connectorId: string,
): Promise<{ row: OidcInteraction; connector: Connector | null }> {
  const { row, answers } = await open.rowAnd([connectorQuery(db, tenantId, connectorId)])
  const [[found]] = answers
  return { row, connector: found ? await openConnector(seals, found) : null }
}

/** Where a visitor is sent, and what is kept until they return (contract 1.3). */
export async function authorizationOf(
  services: Services,
  connector: Connector | null,
  { state, redirectUri }: { state: string; redirectUri: string },
): Promise<{ uri: string; session: ConnectorSession }> {
  if (!connector) refuseWith('entity.not_found')
  const factory = findSocialConnector(connector.connectorId)
  if (!factory) refuseWith('connector.unexpected_type')
  const { uri, kept = {} } = await told(connector, () =>
    factory.authorizationUri(connector.config, { state, redirectUri }, socialWorld(services)),
  )
  return { uri, session: { connectorId: connector.id, state, redirectUri, kept } }
}

/** Who the visitor is to the provider (contract 2.2). */
export async function profileOf(
  services: Services,
  connector: Connector,
  { data, session }: { data: Record<string, unknown>; session: ConnectorSession },
): Promise<SocialProfile> {
  const factory = findSocialConnector(connector.connectorId)
  if (!factory) refuseWith('session.invalid_connector_id', { connectorId: connector.id })
  const { redirectUri, kept } = session
  return told(connector, () =>
    factory.profile(connector.config, { data, redirectUri, kept }, socialWorld(services)),
  )
}

/** A provider that fails is refused as contract 7.3 says, and its own words are for the log alone. */
async function told<T>({ id, connectorId }: Connector, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error
    const { code, detail } = error
    logEvent('social_failed', { connectorId: id, factoryId: connectorId, reason: code, detail })
    throw new Refused(connectorRefusal(error))
  }
}
