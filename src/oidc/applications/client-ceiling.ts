/**
 * Returns the limits of a client that no operator has registered, including the scopes that the tenant currently allows
 * such clients (ADR-0101, ADR-0170).
 */
export const clientLimits = (scopes: readonly string[]) => ({
  // If the scope were unset, all scopes would be allowed.
  scope: scopes.join(' ') || 'openid',
  grantTypes: ['authorization_code', ...(scopes.includes('offline_access') ? ['refresh_token'] : [])],
})
