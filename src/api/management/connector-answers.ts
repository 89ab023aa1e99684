import type { z } from '@hono/zod-openapi'
import { findMessageFactory, messageConnectors } from '../../connectors/index.ts'
import {
  ConnectorFailure,
  type MessageConnector,
  parseConfig,
  refusePrivateTargets,
} from '../../connectors/message.ts'
import type { Connector as ConnectorAnswer, ConnectorFactory } from '../../contract/connectors.schema.ts'
import type { FormItem, MessageConnectorType } from '../../contract/connectors.ts'
import { refuseWith } from '../../contract/refused.ts'
import type { Installed } from '../../domain/connector-rules.ts'
import type { Services } from '../../env.ts'
import type { Connector } from '../../storage/connectors.ts'

/** Files of `client/public`. */
const logos = { Email: '/email.svg', Sms: '/sms.svg' } as const satisfies Record<MessageConnectorType, string>

/** The factory as a console draws it (contract 8.2). */
export function describeFactory(factory: MessageConnector): z.infer<typeof ConnectorFactory> {
  const { factoryId, type, target, name, description, isStandard, formItems } = factory
  return {
    type,
    id: factoryId,
    target,
    platform: null,
    name,
    logo: logos[type],
    logoDark: null,
    description,
    readme: '',
    ...(isStandard === undefined ? {} : { isStandard }),
    formItems: formItems.map(described),
    isDemo: false,
  }
}

const described = ({ selectItems, showConditions, ...item }: FormItem) => ({
  ...item,
  ...(selectItems && { selectItems: [...selectItems] }),
  ...(showConditions && { showConditions: [...showConditions] }),
})

export const allFactories = () => Object.values(messageConnectors)

/** What the factory says, with what the operator has set; null for a factory of another version of the Worker. */
export function describeConnector(row: Connector): z.infer<typeof ConnectorAnswer> | null {
  const factory = findMessageFactory(row.connectorId)
  if (!factory) return null
  const { name, logo, logoDark, target } = row.metadata
  return {
    ...describeFactory(factory),
    ...(name === undefined ? {} : { name }),
    ...(logo === undefined ? {} : { logo }),
    ...(logoDark === undefined ? {} : { logoDark }),
    ...(target === undefined ? {} : { target }),
    id: row.id,
    tenantId: row.tenantId,
    connectorId: row.connectorId,
    syncProfile: row.syncProfile,
    metadata: row.metadata,
    config: row.config,
    createdAt: row.createdAt,
  }
}

/** For the rules. */
export function asInstalled({
  id,
  connectorId,
  metadata,
}: Pick<Connector, 'id' | 'connectorId' | 'metadata'>): Installed[] {
  const factory = findMessageFactory(connectorId)
  if (!factory) return []
  return [{ id, factory: describeFactory(factory), metadata, name: metadata.name ?? factory.name }]
}

/** A configuration is judged where it is stored, in the connector's own words (contract 7.3). */
export function refuseBadConfig(
  { settings }: Pick<Services, 'settings'>,
  factory: MessageConnector,
  config: Connector['config'],
): void {
  try {
    parseConfig(factory, config)
    refusePrivateTargets(config, { allowPrivateTargets: settings.environment === 'development' })
  } catch (error) {
    if (error instanceof ConnectorFailure) refuseWith(`connector.${error.code}`, error.data)
    throw error
  }
}
