import { managementScopeNames } from '../access/management-scopes.ts'

/**
 * Our own APIs as protected resources (RFC 9728, spec/provider#protected-resources), by path, with the scopes that
 * their tokens can have.
 */
export const protectedResources = {
  '/api': { name: 'Management API', scopes: managementScopeNames },
  '/api/me': {
    name: 'Account API',
    scopes: ['openid', 'profile', 'email', 'address', 'phone', 'custom_data', 'identities'],
  },
} as const satisfies Record<string, { name: string; scopes: readonly string[] }>
export type ProtectedPath = keyof typeof protectedResources

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** RFC 9728 §3.1 */
export const metadataPath = (path: ProtectedPath) => `${WELL_KNOWN}${path}` as const

/** Returns the parameters of the challenge that an API at this path sends (RFC 9728 §5.1, RFC 6750 §3). */
export const resourceChallenge = (path: ProtectedPath, requestUrl: string, scope: string): string =>
  `resource_metadata="${new URL(metadataPath(path), requestUrl).href}", scope="${scope}"`
