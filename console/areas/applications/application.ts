import type { z } from 'zod'
import type { ApplicationSchema } from '../../../src/contract/applications/applications.schema.ts'
import { createOneTimeStore } from '../../hand-over.ts'
import type { GuideValues } from './guides/guide.ts'
import { findKind, kindRows } from './kinds.ts'

type Stored = z.infer<typeof ApplicationSchema>
type Custom = Stored['customClientMetadata']

/** As the API answers it; null stands for a key that a change removes. Of its secret the console reads whether it is answered. */
export type Application = Omit<Stored, 'secret' | 'oidcClientMetadata' | 'customClientMetadata'> & {
  oidcClientMetadata: Omit<Stored['oidcClientMetadata'], 'logoUri'> & { logoUri?: string | null }
  customClientMetadata: { [K in keyof Custom]: Custom[K] | null }
  isAdmin?: boolean
  secret?: string
}

/** Of applications that were created just now: their page shows the secret once. */
export const newSecrets = createOneTimeStore<string>()

/** What a guide says of an application: its first redirect URI, else the one that its kind starts with. */
export function guideValues(application: Application, issuer: string): GuideValues {
  const { id, oidcClientMetadata, customClientMetadata, isAdmin } = application
  const [redirectUri = kindRows[findKind(application)].redirectUri ?? ''] = oidcClientMetadata.redirectUris
  const [resource = isAdmin ? 'urn:vestibule:management-api' : 'https://api.example.com'] =
    customClientMetadata.allowedResources ?? []
  const afterSignOut = oidcClientMetadata.postLogoutRedirectUris[0] ?? null
  return {
    issuer,
    clientId: id,
    redirectUri: escapeForCode(redirectUri),
    afterSignOut: afterSignOut && escapeForCode(afterSignOut),
    resource: escapeForCode(resource),
  }
}

/**
 * An address that stays a text in every language of the guides: what ends one there, or begins code in it, is escaped. Whoever may
 * change the application would else decide what others run who copy its guide.
 */
const escapeForCode = (address: string): string =>
  address.replaceAll(
    /[\s\p{Cc}"'`$\\<>{}|^]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )

/** How an application is tried from here (spec/console#application-trial). */
type Trial =
  /** Its own page begins the sign-in, as it would for anybody. */
  | { kind: 'start'; address: string }
  /** The sign-in of this application; `returnsTo` refuses the answer, which it did not ask for. */
  | { kind: 'request'; address: string; returnsTo: string }
  /** Nobody is redirected: the guide has the calls. */
  | { kind: 'commands' }
  /** Its requests are pushed and signed with a key that the console does not have. */
  | { kind: 'pushed' }

/** `challenge`: random, so that nobody can use the code that comes of it. */
export function createTrial(application: Application, issuer: string, challenge: string): Trial {
  const { id, oidcClientMetadata, customClientMetadata } = application
  const kind = findKind(application)
  if (kind === 'machine' || kind === 'device') return { kind: 'commands' }
  const { initiateLoginUri, fapi2 } = customClientMetadata
  if (initiateLoginUri) {
    // OIDC Core §4: the page is told which provider is meant.
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
    // Who is signed in here would not see the page.
    prompt: 'login',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'tried-in-the-console',
  })
  return { kind: 'request', address: `${issuer}/auth?${query}`, returnsTo }
}
