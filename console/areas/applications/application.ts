import type { z } from 'zod'
import type { ResourceWithScopes } from '../../../src/contract/access/resources.schema.ts'
import type { ApplicationSchema } from '../../../src/contract/applications/applications.schema.ts'
import { BUILT_IN_RESOURCES, MANAGEMENT_RESOURCE, MANAGEMENT_SCOPE } from '../../../src/contract/product.ts'
import { createOneTimeStore } from '../../hand-over.ts'
import type { GuideValues } from './guides/sample.ts'
import { findKind } from './kinds.ts'

type Stored = z.infer<typeof ApplicationSchema>
type Custom = Stored['customClientMetadata']

/**
 * An application as the API returns it, except that null marks a key that a change removes. The console only checks
 * whether a secret is present.
 */
export type Application = Omit<Stored, 'secret' | 'oidcClientMetadata' | 'customClientMetadata'> & {
  oidcClientMetadata: Omit<Stored['oidcClientMetadata'], 'logoUri'> & { logoUri?: string | null }
  customClientMetadata: { [K in keyof Custom]: Custom[K] | null }
  isAdmin?: boolean
  secret?: string
}

/** The secrets of applications that were just created. Their pages show each secret once. */
export const newSecrets = createOneTimeStore<string>()

/** An API of the tenant, with its scopes. */
export type Api = z.infer<typeof ResourceWithScopes>

/**
 * Returns the values that the guides of an application show. Its API is the first one that it may request tokens for
 * and that has a scope, because a token without a scope permits nothing.
 */
export function toGuideValues(application: Application, issuer: string, apis: readonly Api[]): GuideValues {
  const { id, oidcClientMetadata, customClientMetadata, isAdmin } = application
  const { allowedResources } = customClientMetadata
  const candidates = allowedResources
    ? allowedResources.flatMap((indicator) => apis.filter((api) => api.indicator === indicator))
    : apis.filter((api) => !BUILT_IN_RESOURCES.some((builtIn) => builtIn === api.indicator))
  return {
    issuer,
    clientId: id,
    redirectUris: oidcClientMetadata.redirectUris.map(escapeForCode),
    afterSignOut: oidcClientMetadata.postLogoutRedirectUris.map(escapeForCode),
    api:
      isAdmin && !allowedResources
        ? { indicator: MANAGEMENT_RESOURCE.indicator, scope: MANAGEMENT_SCOPE.name }
        : findGuideApi(candidates),
  }
}

/** Returns the API that the guides call, with its first scope. */
export function findGuideApi(apis: readonly Api[]): GuideValues['api'] {
  for (const { indicator, scopes = [] } of apis) {
    const [scope] = scopes
    if (scope) return { indicator: escapeForCode(indicator), scope: escapeForCode(scope.name) }
  }
  return null
}

/**
 * Escapes the characters of a URL that could end a string or start code in any language of the guides, and those that
 * are invisible or change the direction of the code. Otherwise, anyone who can change the application could inject code
 * into the guide that people copy.
 */
export const escapeForCode = (address: string): string =>
  address.replaceAll(/[\p{Z}\p{C}"'`$\\<>{}|^]/gu, (character) =>
    character === "'" ? '%27' : encodeURIComponent(character),
  )

/** The way in which the console tries out an application (spec/console#application-trial). */
type Trial =
  /** The application's own page starts the sign-in, as it would for any user. */
  | { kind: 'start'; address: string }
  /**
   * The console starts a sign-in on behalf of the application. The page at `returnsTo` rejects the response, because
   * the application didn't request it.
   */
  | { kind: 'request'; address: string; returnsTo: string }
  /** The application doesn't use redirects. Its guide shows the API calls. */
  | { kind: 'commands' }
  /** The application pushes its requests and signs them with a key that the console doesn't have. */
  | { kind: 'pushed' }

/** Returns how to try out an application. `challenge` is random, so nobody can redeem the resulting code. */
export function createTrial(application: Application, issuer: string, challenge: string): Trial {
  const { id, oidcClientMetadata, customClientMetadata } = application
  const kind = findKind(application)
  if (kind === 'machine' || kind === 'device') return { kind: 'commands' }
  const { initiateLoginUri, fapi2 } = customClientMetadata
  if (initiateLoginUri) {
    // Tells the page which provider initiates the sign-in (OIDC Core §4).
    const address = new URL(initiateLoginUri)
    address.searchParams.set('iss', issuer)
    return { kind: 'start', address: address.href }
  }
  if (fapi2) return { kind: 'pushed' }
  const [returnsTo] = oidcClientMetadata.redirectUris
  if (returnsTo === undefined) return { kind: 'commands' }
  const query = new URLSearchParams({
    client_id: id,
    redirect_uri: returnsTo,
    response_type: 'code',
    scope: 'openid profile email',
    // Otherwise, operators who are already signed in wouldn't see the sign-in page.
    prompt: 'login',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'tried-in-the-console',
  })
  return { kind: 'request', address: `${issuer}/auth?${query}`, returnsTo }
}
