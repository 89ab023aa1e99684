import type { Account } from '../interactions/accounts.ts'

/** The scopes that a third-party application requests from a user (spec/provider#consent). */
export type ConsentRequest = {
  /** The requested OpenID Connect scopes. */
  scopes: readonly string[]
  /** The requested scopes by resource indicator. An empty list means access without scopes. */
  resources: Readonly<Record<string, readonly string[]>>
}

/**
 * A scope that was granted before. An empty `resource` marks an OpenID Connect scope, and an empty `scope` means access
 * to a resource without scopes.
 */
type GrantedScope = { resource: string; scope: string }

/**
 * Splits a request into new scopes and previously granted ones. If the request contains nothing new, all scopes are
 * presented as requested and none as granted.
 */
export function splitConsentRequest(
  { scopes, resources }: ConsentRequest,
  granted: readonly GrantedScope[],
): { asked: ConsentRequest; granted: ConsentRequest } {
  const has = (resource: string, scope?: string) =>
    granted.some((item) => item.resource === resource && (scope === undefined || item.scope === scope))
  const newScopes = scopes.filter((scope) => !has('', scope))
  const newResources = Object.entries(resources).flatMap(([indicator, names]) => {
    const missing = names.filter((name) => !has(indicator, name))
    return missing.length > 0 || !has(indicator) ? [[indicator, missing] as const] : []
  })
  if (newScopes.length + newResources.length === 0) {
    return { asked: { scopes, resources }, granted: { scopes: [], resources: {} } }
  }
  return {
    asked: { scopes: newScopes, resources: Object.fromEntries(newResources) },
    granted: requestOf(granted),
  }
}

function requestOf(granted: readonly GrantedScope[]): ConsentRequest {
  const indicators = new Set(granted.map(({ resource }) => resource).filter(Boolean))
  const scopesOf = (indicator: string) =>
    granted.filter(({ resource, scope }) => resource === indicator && scope).map(({ scope }) => scope)
  return {
    scopes: scopesOf(''),
    resources: Object.fromEntries([...indicators].map((indicator) => [indicator, scopesOf(indicator)])),
  }
}

/**
 * Returns the destination of a redirect in a form that users can recognize: the host in ASCII, or the URL scheme of an
 * app.
 */
export function redirectDestination(redirectUri: string): string {
  const url = URL.parse(redirectUri)
  if (!url) return redirectUri
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb ? url.host : url.protocol.slice(0, -1)
}

/**
 * Returns the account name that the consent page shows: an identifier with which the user signs in, or else the id.
 * Phone numbers are stored as digits without a plus sign.
 */
export function accountLabel({
  username,
  email,
  phone,
  id,
}: Pick<Account, 'username' | 'email' | 'phone' | 'id'>): string {
  return username ?? email ?? (phone === null ? id : `+${phone}`)
}
