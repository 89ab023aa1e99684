import { findDemoConnector } from '../connectors/demo.ts'
import { ConnectorFailure } from '../connectors/failure.ts'
import { findMessageFactory, findSocialConnector } from '../connectors/index.ts'
import type { SocialConnector } from '../connectors/social.ts'
import { socialContext } from '../connectors/social-context.ts'
import { type Refusal, refuse } from '../contract/errors.ts'
import type { ConnectorSession, SocialProfile } from '../contract/interaction.ts'
import { orRefuse, Refused, refuseWith } from '../contract/refused.ts'
import { beginSocial } from '../domain/interaction.ts'
import { maskQuoted } from '../domain/masking.ts'
import { type Connector, connectorQuery, openConnector } from '../storage/connectors.ts'
import { logEvent } from '../storage/event-log.ts'
import { connectorRefusal } from './connector-refusal.ts'
import { findDemo } from './demo-connectors.ts'
import type { Dependencies } from './dependencies.ts'
import type { InteractionCall } from './interaction-call.ts'
import type { OidcInteraction } from './oidc-interaction.ts'

type ConnectorReading = Pick<Dependencies, 'db' | 'seals' | 'settings' | 'tenantSettings'>
type ProviderAccess = Pick<Dependencies, 'network' | 'now' | 'settings'>

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

/** A connector, and the module that speaks its provider's protocol. */
export type InstalledSocial = { connector: Connector; factory: SocialConnector }

/** A connector that is missing, or unknown to this version of the Worker, differs from one that sends messages. */
export function asSocial(connector: Connector | null): InstalledSocial | Refusal {
  const id = connector?.connectorId ?? ''
  const factory = findSocialConnector(id) ?? findDemoConnector(id)
  if (connector && factory) return { connector, factory }
  const isOfMessages = connector && findMessageFactory(connector.connectorId)
  return refuse(isOfMessages ? 'connector.unexpected_type' : 'entity.not_found')
}

async function authorizationOf(
  dependencies: ProviderAccess,
  { connector, factory }: InstalledSocial,
  { state, redirectUri }: { state: string; redirectUri: string },
): Promise<{ uri: string; session: ConnectorSession }> {
  const { uri, kept = {} } = await refuseFailures(connector, state, () =>
    factory.authorizationUri(connector.config, { state, redirectUri }, socialContext(dependencies)),
  )
  return { uri, session: { connectorId: connector.id, state, redirectUri, kept } }
}

/** The end user's profile at the provider (spec/interaction#verification). */
export function profileOf(
  dependencies: ProviderAccess,
  { connector, factory }: InstalledSocial,
  { data, session }: { data: Record<string, unknown>; session: ConnectorSession },
): Promise<SocialProfile> {
  const { redirectUri, kept } = session
  return refuseFailures(connector, { data, kept }, () =>
    factory.profile(connector.config, { data, redirectUri, kept }, socialContext(dependencies)),
  )
}

/** A provider's failure is refused (spec/errors#connector-failures); its own words are for the log alone. */
async function refuseFailures<T>(
  { id, connectorId, config }: Connector,
  sent: unknown,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error
    const { code } = error
    const detail = maskQuoted(error.detail, [config, sent])
    logEvent('social_failed', { connectorId: id, factoryId: connectorId, reason: code, detail })
    throw new Refused(connectorRefusal(error))
  }
}
