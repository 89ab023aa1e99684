import type { z } from 'zod'
import type { ConnectorFactorySchema, ConnectorSchema } from '../contract/connectors.schema.ts'
import { callbackAddress, callbackTemplate } from '../domain/social-state.ts'
import type { ConnectorDescription, FactoryDescription } from './connector-descriptions.ts'

type FactoryAnswer = z.infer<typeof ConnectorFactorySchema>
type ConnectorAnswer = z.infer<typeof ConnectorSchema>

/** What the operator registers at the provider is an address of this host. */
export const factoryAnswer = (described: FactoryDescription, origin: string): FactoryAnswer => ({
  ...described,
  callbackUrl: described.type === 'Social' ? callbackTemplate(origin) : null,
})

/** The provider of a demo is Vestibule itself. */
export const connectorAnswer = (described: ConnectorDescription, origin: string): ConnectorAnswer => ({
  ...described,
  callbackUrl:
    described.type === 'Social' && !described.isDemo ? callbackAddress(origin, described.id) : null,
})
