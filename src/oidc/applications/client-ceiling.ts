/** What a client that no operator has registered may be, below the scopes that the tenant allows it now (ADR-0101, ADR-0113). */
export const allowedScopesOf = (scopes: readonly string[]) => ({
  // Without a scope the library would allow all.
  scope: scopes.join(' ') || 'openid',
  grantTypes: ['authorization_code', ...(scopes.includes('offline_access') ? ['refresh_token'] : [])],
})
