import type { z } from 'zod'
import type { ConnectorFactorySchema, ConnectorSchema } from '../../contract/connectors/connectors.schema.ts'
import { callbackAddress, callbackTemplate } from '../../domain/social/social-state.ts'
import { type AnyConnector, type ConnectorDescription, describeFactory } from './connector-descriptions.ts'

/** With its guide, which no other call loads. What the operator registers at the provider is an address of this host. */
export async function factoryAnswer(
  factory: AnyConnector,
  origin: string,
): Promise<z.infer<typeof ConnectorFactorySchema>> {
  const { guides } = await import('../../outbound/guides/index.ts')
  const described = describeFactory(factory)
  const callbackUrl = described.type === 'Social' ? callbackTemplate(origin) : null
  return { ...described, readme: guides[factory.factoryId], callbackUrl }
}

/** The guide is in the answer of the factory. The provider of a demo is Vestibule itself. */
export function connectorAnswer(
  described: ConnectorDescription,
  origin: string,
): z.infer<typeof ConnectorSchema> {
  const isRegistered = described.type === 'Social' && !described.isDemo
  return {
    ...described,
    readme: '',
    callbackUrl: isRegistered ? callbackAddress(origin, described.id) : null,
  }
}
