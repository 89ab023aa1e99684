import type { Account } from '../interactions/accounts.ts'

/** What an application of a third party asks its user for (spec/provider#consent). */
export type ConsentRequest = {
  /** Of OpenID Connect. */
  scopes: readonly string[]
  /** Scopes by the indicator of their resource; none for access alone. */
  resources: Readonly<Record<string, readonly string[]>>
}

/** One scope that was granted before: of OpenID Connect where the resource is empty; a resource alone where the scope is. */
type GrantedScope = { resource: string; scope: string }

/**
 * What of a request is new, and what the application has been granted. A request of nothing new is asked as a whole, and what was
 * granted is then no news.
 */
export function newlyAsked(
  { scopes, resources }: ConsentRequest,
  granted: readonly GrantedScope[],
): { asked: ConsentRequest; granted: ConsentRequest } {
  const has = (resource: string, scope?: string) =>
    granted.some((each) => each.resource === resource && (scope === undefined || each.scope === scope))
  const newScopes = scopes.filter((scope) => !has('', scope))
  const newResources = Object.entries(resources).flatMap(([indicator, names]) => {
    const left = names.filter((name) => !has(indicator, name))
    return left.length > 0 || !has(indicator) ? [[indicator, left] as const] : []
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

/** Where the answer goes, as the user may recognize it: a host, in ASCII, or the scheme of an app. */
export function destinationOf(redirectUri: string): string {
  const url = URL.parse(redirectUri)
  if (!url) return redirectUri
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return isWeb ? url.host : url.protocol.slice(0, -1)
}

/** How the account is named on the consent page: by what its user signs in with. A phone number has only digits. */
export function accountLabel({
  username,
  email,
  phone,
  id,
}: Pick<Account, 'username' | 'email' | 'phone' | 'id'>): string {
  return username ?? email ?? (phone === null ? id : `+${phone}`)
}
