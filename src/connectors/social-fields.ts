import type { FormItem } from '../contract/connectors.ts'

/** Only to reach a provider by other addresses: of an enterprise's own installation, or of a test. */
export const endpointItems: readonly FormItem[] = [
  { key: 'authorizationEndpoint', label: 'Authorization endpoint', type: 'Text' },
  { key: 'tokenEndpoint', label: 'Token endpoint', type: 'Text' },
  { key: 'userInfoEndpoint', label: 'User info endpoint', type: 'Text' },
]
