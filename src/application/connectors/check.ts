import type { z } from 'zod'
import type {
  ConnectorCheck,
  ConnectorCheckResult,
  ConnectorTest,
} from '../../contract/connectors/connectors.schema.ts'
import type { CredentialCheck } from '../../contract/connectors/connectors.ts'
import { refuseWith } from '../../contract/refused.ts'
import { buildCallbackUrl } from '../../domain/social/social-state.ts'
import { ConnectorFailure } from '../../outbound/failure.ts'
import { checkClientCredentials } from '../../outbound/social/client-check.ts'
import { createSocialContext } from '../../outbound/social/social-context.ts'
import { getConnector, listConnectors, unsealConnectorOrEmpty } from '../../storage/connectors/connectors.ts'
import { countTextMessage } from '../codes/send.ts'
import type { Dependencies } from '../dependencies.ts'
import { tenantNetwork } from '../network-limit.ts'
import { completeConfig, refuseInvalidConfig, refuseUnknownKeys } from './config.ts'
import { createMessageContext, type SendingDependencies } from './deliver.ts'
import { type AnyConnector, findFactory, refuseDemo } from './describe.ts'
import { createSampleMessage } from './sample-message.ts'
import { type MessageRequest, sendForOperator } from './send.ts'

type Check = { tenantId: string; id: string; origin: string; request: z.infer<typeof ConnectorCheck> }

/** Checks a connector's stored or submitted credentials with its provider. */
export async function checkConnector(
  dependencies: SendingDependencies,
  { tenantId, id, origin, request }: Check,
): Promise<z.infer<typeof ConnectorCheckResult>> {
  const stored = await getConnector(dependencies, tenantId, id, unsealConnectorOrEmpty)
  if (!stored) await refuseDemo(dependencies, tenantId, id)
  const factory = stored && findFactory(stored.connectorId)
  if (!stored || !factory) refuseWith('entity.not_found')
  const config = request.config ? completeConfig(request.config, stored.config, factory) : stored.config
  refuseInvalidConfig(dependencies, factory, config)
  return checkWithProvider(dependencies, factory, {
    tenantId,
    config,
    callback: buildCallbackUrl(origin, id),
  })
}

type NewCheck = { tenantId: string; factoryId: string; origin: string; config: Record<string, unknown> }

/** Checks the credentials of a connector that is not installed yet. */
export async function checkNewConnector(
  dependencies: SendingDependencies,
  { tenantId, factoryId, origin, config: submitted }: NewCheck,
): Promise<z.infer<typeof ConnectorCheckResult>> {
  const factory = findFactory(factoryId)
  if (!factory) refuseWith('connector.not_found', { factoryId })
  const config = completeConfig(submitted, {}, factory)
  refuseInvalidConfig(dependencies, factory, config)
  return checkWithProvider(dependencies, factory, {
    tenantId,
    config,
    callback: buildCallbackUrl(origin, factoryId),
  })
}

type CheckRequest = {
  tenantId: string
  config: Record<string, unknown>
  /** The callback URL of a social connector. */
  callback: string
}

/** Asks a connector's provider whether it accepts the credentials (spec/connectors#credential-check). */
async function checkWithProvider(
  dependencies: SendingDependencies,
  factory: AnyConnector,
  request: CheckRequest,
): Promise<CredentialCheck> {
  try {
    return await runCheck(dependencies, factory, request)
  } catch (error) {
    if (!(error instanceof ConnectorFailure)) throw error
    // The provider's own message is only logged.
    return { outcome: 'unreachable', reason: describeFailure(error) }
  }
}

function describeFailure({ code, reason }: ConnectorFailure): string {
  if (reason === 'timeout') return 'timed out'
  return code === 'general' && reason ? reason : code
}

async function runCheck(
  dependencies: SendingDependencies,
  factory: AnyConnector,
  { tenantId, config, callback }: CheckRequest,
): Promise<CredentialCheck> {
  if ('type' in factory) {
    if (!factory.check) return { outcome: 'unsupported', reason: null }
    return factory.check(config, createMessageContext(dependencies, tenantId))
  }
  const network = tenantNetwork(dependencies, tenantId)
  return checkClientCredentials(factory, config, callback, createSocialContext({ ...dependencies, network }))
}

type Test = { factoryId: string; request: z.infer<typeof ConnectorTest> }

/**
 * Sends a test message with a configuration that may not have been saved yet, so that its templates can be tested, too.
 */
export async function testConnector(
  dependencies: SendingDependencies & Pick<Dependencies, 'experience' | 'phrases' | 'tenantSettings'>,
  messageRequest: MessageRequest,
  { factoryId, request: { config: newConfig, phone, email, ...choice } }: Test,
): Promise<void> {
  const { tenantId, requestId } = messageRequest
  const factory = findFactory(factoryId)
  if (!factory) refuseWith('connector.not_found', { factoryId })
  if (!('type' in factory)) refuseWith('connector.unexpected_type')
  const installed = await listConnectors(dependencies, tenantId)
  const stored = installed.find((row) => row.connectorId === factoryId)
  const config = completeConfig(newConfig, stored?.config ?? {}, factory)
  refuseUnknownKeys(factory, config)
  // The phone number takes precedence if both are set.
  const [channel, to] = phone === undefined ? (['email', email ?? ''] as const) : (['sms', phone] as const)
  if (channel === 'sms') await countTextMessage(dependencies, tenantId, { phone: to, requester: null })
  const sender = { id: factoryId, factoryId, config, isUnsaved: textOf(config) !== textOf(stored?.config) }
  const message = await createSampleMessage(dependencies, messageRequest, {
    ...choice,
    channel: factory.type,
  })
  await sendForOperator(dependencies, tenantId, sender, { ...message, channel, to, requestId })
}

/** Returns a text that is equal for configurations with the same fields in any order. */
const textOf = (config: object = {}) =>
  JSON.stringify(Object.entries(config).toSorted(([one], [other]) => (one < other ? -1 : 1)))
