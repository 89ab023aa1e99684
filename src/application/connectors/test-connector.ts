import type { z } from 'zod'
import type { ConnectorTest } from '../../contract/connectors/connectors.schema.ts'
import { refuseWith } from '../../contract/refused.ts'
import { listConnectors } from '../../storage/connectors/connectors.ts'
import { countTextMessage } from '../codes/code-sends.ts'
import type { Dependencies } from '../dependencies.ts'
import { completeConfig, refuseUnknownKeys } from './connector-config.ts'
import { findFactory } from './connector-descriptions.ts'
import { messageWording } from './message-wording.ts'
import { type MessageRequest, type SendingDependencies, sendThrough } from './send-message.ts'

const TEST_CODE = '000000' // spec/connectors#connector-test

type Test = { factoryId: string; given: z.infer<typeof ConnectorTest> }

/** Sends a message with a configuration that need not be stored. */
export async function testConnector(
  dependencies: SendingDependencies & Pick<Dependencies, 'experience' | 'phrases' | 'tenantSettings'>,
  { tenantId, requestId, host, acceptLanguage }: MessageRequest,
  { factoryId, given: { config: given, phone, email } }: Test,
): Promise<void> {
  const factory = findFactory(factoryId)
  if (!factory) refuseWith('connector.not_found', { factoryId })
  if (!('type' in factory)) refuseWith('connector.unexpected_type')
  const installed = await listConnectors(dependencies, tenantId)
  const stored = installed.find((row) => row.connectorId === factoryId)
  const config = completeConfig(given, stored?.config ?? {}, factory)
  refuseUnknownKeys(factory, config)
  // A phone number wins, as both may be given.
  const [channel, to] = phone === undefined ? (['email', email ?? ''] as const) : (['sms', phone] as const)
  if (channel === 'sms') await countTextMessage(dependencies, tenantId, { phone: to, requester: null })
  const sender = { id: factoryId, factoryId, config }
  const wording = await messageWording(dependencies, tenantId, acceptLanguage)
  const message = { channel, to, type: 'Generic' as const, code: TEST_CODE, ...wording, host, requestId }
  await sendThrough(dependencies, tenantId, sender, message)
}
