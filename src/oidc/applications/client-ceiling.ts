/**
 * Returns the limits of a client that no operator has registered, within the scopes that the tenant currently allows it
 * (ADR-0101, ADR-0113).
 */
export const clientLimits = (scopes: readonly string[]) => ({
  // Without a scope, the library would allow all scopes.
  scope: scopes.join(' ') || 'openid',
  grantTypes: ['authorization_code', ...(scopes.includes('offline_access') ? ['refresh_token'] : [])],
})
