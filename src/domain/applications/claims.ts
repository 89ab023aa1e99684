/** The claims that belong to each scope (spec/provider#scopes-and-claims). */
export const claimsByScope = {
  openid: ['sub', 'acr', 'amr', 'auth_time', 'org_id'],
  profile: [
    ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'profile'],
    ...['picture', 'website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'updated_at', 'username'],
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
  custom_data: ['custom_data'],
  identities: ['identities'],
  roles: ['roles', 'permissions'],
  organizations: ['organizations', 'organizations_truncated', 'org_name'],
}

/**
 * The scope of each claim that the parameter `claims` can request by itself (OIDC Core §5.5). It can request nothing
 * that no scope releases, and not `username`, which belongs to its scope: the standard claim is `preferred_username`.
 */
const scopeByClaim = new Map(
  Object.entries(claimsByScope).flatMap(([scope, claims]) =>
    scope === 'openid'
      ? []
      : claims.filter((claim) => claim !== 'username').map((claim) => [claim, scope] as const),
  ),
)

/** Reports whether a claim can be requested by itself, and whether one of these scopes releases it. */
export const isClaimOf = (scopes: Iterable<string>, claim: string): boolean => {
  const own = scopeByClaim.get(claim)
  return own !== undefined && [...scopes].includes(own)
}

/**
 * Returns the requested claims that the requested scopes do not release anyway. A client whose scopes are limited
 * (`allowed`) cannot get claims of other scopes either.
 */
export const claimsBesideScopes = (
  requested: Iterable<string>,
  {
    scopes,
    allowed = scopeByClaim.values(),
  }: { scopes: Iterable<string>; allowed?: Iterable<string> | undefined },
): string[] => {
  const [released, releasable] = [[...scopes], [...allowed]]
  return [...requested].filter((claim) => isClaimOf(releasable, claim) && !isClaimOf(released, claim))
}
