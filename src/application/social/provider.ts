import { type Refusal, refuse } from '../../contract/errors.ts'
import type { ConnectorSession, SocialProfile } from '../../contract/interactions/interaction.ts'
import { RefusalError, throwIfRefused } from '../../contract/refused.ts'
import type { ProfileRemark } from '../../contract/social/sign-in-tests.schema.ts'
import { maskQuotedSecrets } from '../../domain/masking.ts'
import { ConnectorFailure } from '../../outbound/failure.ts'
import { findMessageFactory, findSocialConnector } from '../../outbound/index.ts'
import { findDemoConnector } from '../../outbound/social/demo.ts'
import type { SocialContext, SocialProviderConnector } from '../../outbound/social/social.ts'
import { createSocialContext } from '../../outbound/social/social-context.ts'
import { type ConnectorRow, connectorQuery, unsealConnector } from '../../storage/connectors/connectors.ts'
import { logEvent } from '../../storage/event-log.ts'
import { findDemo } from '../connectors/demo-connectors.ts'
import { toConnectorRefusal } from '../connectors/send.ts'
import type { Dependencies } from '../dependencies.ts'

export type SocialProviderDependencies = Pick<Dependencies, 'network' | 'now' | 'settings'>

/** A connector and the module that implements its provider's protocol. */
export type InstalledSocialConnector = { connector: ConnectorRow; factory: SocialProviderConnector }

/**
 * Returns a social connector with its module. Throws one error if it is a message connector, and another if the
 * connector does not exist or this version of the Worker lacks its module.
 */
export function toSocialConnector(connector: ConnectorRow | null): InstalledSocialConnector | Refusal {
  const id = connector?.connectorId ?? ''
  const factory = findSocialConnector(id) ?? findDemoConnector(id)
  if (connector && factory) return { connector, factory }
  const isMessageConnector = connector && findMessageFactory(connector.connectorId)
  return refuse(isMessageConnector ? 'connector.unexpected_type' : 'entity.not_found')
}

/** Returns the URL at which the user signs in, and the connector session to keep until the user returns. */
export async function beginAuthorization(
  dependencies: SocialProviderDependencies,
  { connector, factory }: InstalledSocialConnector,
  { state, redirectUri }: { state: string; redirectUri: string },
): Promise<{ uri: string; session: ConnectorSession }> {
  const beganAt = dependencies.now()
  const { uri, kept = {} } = await refuseFailures(connector, state, () =>
    factory.authorizationUri(connector.config, { state, redirectUri }, createSocialContext(dependencies)),
  )
  return { uri, session: { connectorId: connector.id, state, redirectUri, kept, beganAt } }
}

type ProviderResponse = {
  data: Record<string, unknown>
  session: ConnectorSession
  onRemark?(remark: ProfileRemark): void
}

/** Fetches the user's profile from the provider (spec/interaction#verification). */
export function fetchSocialProfile(
  dependencies: SocialProviderDependencies,
  { connector, factory }: InstalledSocialConnector,
  { data, session, onRemark }: ProviderResponse,
): Promise<SocialProfile> {
  const { redirectUri, kept } = session
  const sent = { data, kept }
  const context: SocialContext = {
    ...createSocialContext(dependencies),
    remark(remark, failure) {
      if (failure) logFailure('social_incomplete', connector, { failure, sent })
      onRemark?.(remark)
    },
  }
  return refuseFailures(connector, sent, () =>
    factory.profile(connector.config, { ...sent, redirectUri }, context),
  )
}

/** Reads a social connector by id, for use outside an interaction. */
export async function requireSocialConnector(
  dependencies: Pick<Dependencies, 'db' | 'seals' | 'settings' | 'tenantSettings'>,
  tenantId: string,
  connectorId: string,
): Promise<InstalledSocialConnector> {
  const [installed] = await connectorQuery(dependencies.db, tenantId, connectorId)
  const connector = installed && (await unsealConnector(dependencies.seals, installed))
  return throwIfRefused(toSocialConnector(connector ?? (await findDemo(dependencies, tenantId, connectorId))))
}

/**
 * Turns a provider failure into an error response (spec/errors#connector-failures). The provider's own message is only
 * logged.
 */
async function refuseFailures<T>(connector: ConnectorRow, sent: unknown, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error
    logFailure('social_failed', connector, { failure: error, sent })
    throw new RefusalError(toConnectorRefusal(error))
  }
}

function logFailure(
  event: 'social_failed' | 'social_incomplete',
  { id, connectorId, config }: ConnectorRow,
  { failure, sent }: { failure: ConnectorFailure; sent: unknown },
): void {
  const detail = maskQuotedSecrets(failure.detail, [config, sent])
  logEvent(event, { connectorId: id, factoryId: connectorId, reason: failure.code, detail })
}
