import { ConnectorFailure } from '../failure.ts'
import { discord } from './discord.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import type { SocialProviderConnector } from './social.ts'

/**
 * Leads to a provider by the client id of a demo (ADR-0040). No user signs in with it: reading the profile would take a
 * client secret, and a demo has none.
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
        data: { message: 'This is a demo: install the connector to sign in with it.' },
      })
    },
  }
}

export function findDemoConnector(id: string): SocialProviderConnector | null {
  return Object.entries(demoConnectors).find(([name]) => name === id)?.[1] ?? null
}
