import type { OpenInteraction } from '../api/open-interaction.ts'
import { findDemoConnector } from '../connectors/demo.ts'
import { ConnectorFailure } from '../connectors/failure.ts'
import { findMessageFactory, findSocialConnector } from '../connectors/index.ts'
import type { SocialConnector } from '../connectors/social.ts'
import { socialContext } from '../connectors/social-context.ts'
import { type Refusal, refuse } from '../contract/errors.ts'
import type { ConnectorSession, SocialProfile } from '../contract/interaction.ts'
import { Refused } from '../contract/refused.ts'
import { maskQuoted } from '../domain/masking.ts'
import type { OidcInteraction } from '../oidc/interactions.ts'
import { type Connector, connectorQuery, openConnector } from '../storage/connectors.ts'
import { logEvent } from '../storage/event-log.ts'
import { connectorRefusal } from './connector-refusal.ts'
import { findDemo } from './demo-connectors.ts'
import type { Dependencies } from './dependencies.ts'

/** The interaction and a connector in one round trip. Null where none is installed. */
export async function readWithConnector(
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'settings' | 'tenantSettings'>,
  open: OpenInteraction,
  tenantId: string,
  connectorId: string,
): Promise<{ row: OidcInteraction; connector: Connector | null }> {
  const { row, answers } = await open.rowAnd([connectorQuery(dependencies.db, tenantId, connectorId)])
  const [[found]] = answers
  const connector = found && (await openConnector(dependencies.seals, found))
  return { row, connector: connector ?? (await findDemo(dependencies, tenantId, connectorId)) }
}

/** A connector, and what speaks its provider's protocol. */
export type InstalledSocial = { connector: Connector; factory: SocialConnector }

/** Contract 1.3: what is not there, or is of another version of the Worker, is told apart from what sends messages. */
export function asSocial(connector: Connector | null): InstalledSocial | Refusal {
  const id = connector?.connectorId ?? ''
  const factory = findSocialConnector(id) ?? findDemoConnector(id)
  if (connector && factory) return { connector, factory }
  const isOfMessages = connector && findMessageFactory(connector.connectorId)
  return refuse(isOfMessages ? 'connector.unexpected_type' : 'entity.not_found')
}

/** Where a visitor is sent, and what is kept until they return (contract 1.3). */
export async function authorizationOf(
  dependencies: Dependencies,
  { connector, factory }: InstalledSocial,
  { state, redirectUri }: { state: string; redirectUri: string },
): Promise<{ uri: string; session: ConnectorSession }> {
  const { uri, kept = {} } = await told(connector, state, () =>
    factory.authorizationUri(connector.config, { state, redirectUri }, socialContext(dependencies)),
  )
  return { uri, session: { connectorId: connector.id, state, redirectUri, kept } }
}

/** Who the visitor is to the provider (contract 2.2). */
export function profileOf(
  dependencies: Dependencies,
  { connector, factory }: InstalledSocial,
  { data, session }: { data: Record<string, unknown>; session: ConnectorSession },
): Promise<SocialProfile> {
  const { redirectUri, kept } = session
  return told(connector, { data, kept }, () =>
    factory.profile(connector.config, { data, redirectUri, kept }, socialContext(dependencies)),
  )
}

/** A provider that fails is refused as contract 7.3 says, and its own words are for the log alone. */
async function told<T>(
  { id, connectorId, config }: Connector,
  given: unknown,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error
    const { code } = error
    const detail = maskQuoted(error.detail, [config, given])
    logEvent('social_failed', { connectorId: id, factoryId: connectorId, reason: code, detail })
    throw new Refused(connectorRefusal(error))
  }
}
