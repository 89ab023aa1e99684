/**
 * Returns the limits of a client that no operator has registered, with the scopes that the tenant currently allows for
 * such clients (ADR-0101, ADR-0113).
 */
export const clientLimits = (scopes: readonly string[]) => ({
  // An unset scope would allow all scopes.
  scope: scopes.join(' ') || 'openid',
  grantTypes: ['authorization_code', ...(scopes.includes('offline_access') ? ['refresh_token'] : [])],
})
