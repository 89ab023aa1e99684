import { ConnectorFailure } from '../failure.ts'
import { discord } from './discord.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import type { SocialProviderConnector } from './social.ts'

/**
 * Connectors for demos, which redirect to a provider with a demo client id (ADR-0040). They cannot sign anyone in,
 * because reading the profile requires a client secret, which demos do not have.
 */
const demoConnectors: Record<`demo-${string}`, SocialProviderConnector> = {
  'demo-google': demo(google),
  'demo-github': demo(github),
  'demo-discord': demo(discord),
}

function demo(original: SocialProviderConnector): SocialProviderConnector {
  return {
    ...original,
    authorizationUri: (config, request, context) =>
      original.authorizationUri({ ...Object(config), clientSecret: 'a demo has none' }, request, context),
    async profile() {
      throw new ConnectorFailure('not_implemented', {
        data: { message: 'This is a demo. Install the connector to sign in with it.' },
      })
    },
  }
}

export function findDemoConnector(id: string): SocialProviderConnector | null {
  return Object.entries(demoConnectors).find(([name]) => name === id)?.[1] ?? null
}
