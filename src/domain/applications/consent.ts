import type { Account } from '../interactions/accounts.ts'
import { isClaimOf } from './claims.ts'

/** The scopes and claims that a third-party application requests from a user (spec/provider#consent). */
export type ConsentRequest = {
  /** The requested OpenID Connect scopes. */
  scopes: readonly string[]
  /** The claims that are requested by themselves, without their scopes, and those of templates. */
  claims: readonly string[]
  /** The requested scopes by resource indicator. An empty list means access without scopes. */
  resources: Readonly<Record<string, readonly string[]>>
}

/**
 * A scope or claim that was granted, as it is stored. An empty `resource` marks an OpenID Connect scope or, after
 * `claim:`, a claim. An empty `scope` means access to a resource without scopes.
 */
export type ConsentRow = { resource: string; scope: string }

/** No OpenID Connect scope begins like this, because the provider has a fixed list of them. */
const CLAIM_PREFIX = 'claim:'

/** Returns one row per scope and claim, and one for each resource without scopes. */
export const toConsentRows = ({ scopes, claims, resources }: ConsentRequest): ConsentRow[] => [
  ...[...scopes, ...claims.map((claim) => CLAIM_PREFIX + claim)].map((scope) => ({ resource: '', scope })),
  ...Object.entries(resources).flatMap(([resource, names]) =>
    (names.length > 0 ? names : ['']).map((scope) => ({ resource, scope })),
  ),
]

/** Returns what these rows grant. */
export function fromConsentRows(granted: readonly ConsentRow[]): ConsentRequest {
  const indicators = new Set(granted.map(({ resource }) => resource).filter(Boolean))
  const scopesOf = (indicator: string) =>
    granted.filter(({ resource, scope }) => resource === indicator && scope).map(({ scope }) => scope)
  const own = scopesOf('')
  return {
    scopes: own.filter((scope) => !scope.startsWith(CLAIM_PREFIX)),
    claims: own
      .filter((scope) => scope.startsWith(CLAIM_PREFIX))
      .map((scope) => scope.slice(CLAIM_PREFIX.length)),
    resources: Object.fromEntries([...indicators].map((indicator) => [indicator, scopesOf(indicator)])),
  }
}

/** Returns the scopes and claims of a request that have been granted. A granted scope includes its claims. */
export function grantedPart(
  { scopes, claims, resources }: ConsentRequest,
  granted: readonly ConsentRow[],
): ConsentRequest {
  const before = fromConsentRows(granted)
  const names = Object.entries(resources).map(([indicator, requested]) => {
    const scopesBefore = before.resources[indicator] ?? []
    return [indicator, requested.filter((name) => scopesBefore.includes(name))] as const
  })
  return {
    scopes: scopes.filter((scope) => before.scopes.includes(scope)),
    claims: claims.filter((claim) => before.claims.includes(claim) || isClaimOf(before.scopes, claim)),
    resources: Object.fromEntries(names.filter(([, scopesOfResource]) => scopesOfResource.length > 0)),
  }
}

/**
 * Splits a request into what is new and what was granted previously. If the request contains nothing new, everything is
 * presented as requested and nothing as granted.
 */
export function splitConsentRequest(
  request: ConsentRequest,
  granted: readonly ConsentRow[],
): { asked: ConsentRequest; granted: ConsentRequest } {
  const before = fromConsentRows(granted)
  const known = grantedPart(request, granted)
  const scopes = request.scopes.filter((scope) => !known.scopes.includes(scope))
  const claims = request.claims.filter((claim) => !known.claims.includes(claim))
  const resources = Object.entries(request.resources).flatMap(([indicator, names]) => {
    const missing = names.filter((name) => !known.resources[indicator]?.includes(name))
    return missing.length > 0 || !before.resources[indicator] ? [[indicator, missing] as const] : []
  })
  if (scopes.length + claims.length + resources.length === 0)
    return { asked: request, granted: { scopes: [], claims: [], resources: {} } }
  return { asked: { scopes, claims, resources: Object.fromEntries(resources) }, granted: before }
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
