import type { ClientKey } from '../../contract/applications/applications.ts'
import {
  type ClientSnapshot,
  MAX_CLIENT_URL_LENGTH,
} from '../../contract/applications/unregistered-clients.ts'
import { hasSpaceOrControl } from '../../contract/blank.ts'
import { isRecord } from '../../contract/is-record.ts'
import { isLoadablePicture } from '../experience/pictures.ts'
import { parseUsableKeys } from './client-keys.ts'
import { findDocumentUrlProblem } from './document-address.ts'

/**
 * The metadata that an unregistered client publishes about itself (spec/provider#client-documents, OAuth Client ID
 * Metadata Document draft 02). Since anybody can publish such a document, it is accepted or rejected as a whole, and
 * only the fields listed here are read.
 */
export type ClientDocument = {
  id: string
  name: string
  logo: string | null
  redirectUris: string[]
  keys: { jwks: { keys: ClientKey[] } } | { jwksUri: string } | null
}

const MAX_REDIRECTS = 10
const MAX_REDIRECT_LENGTH = 2048
const MAX_NAME_LENGTH = 64

/**
 * Returns the reason why a URL cannot be a client id, or null if it can. Ids are compared as strings, so only one
 * spelling of each URL is allowed.
 */
export function findClientUrlProblem(id: string): string | null {
  const url = hasSpaceOrControl(id) ? null : URL.parse(id)
  if (!url || url.href !== id || id.length > MAX_CLIENT_URL_LENGTH) return 'is not the address of a client'
  if (url.pathname === '/') return 'must have a path'
  if (/^[\d.]+$|:/.test(url.hostname)) return 'must contain a host name'
  return findDocumentUrlProblem(id, 'production')
}

/** Parses a client document. Returns a description of the problem if the document is invalid. */
export function parseClientDocument(id: string, document: unknown): ClientDocument | string {
  if (!isRecord(document)) return 'is not an object'
  if (document.client_id !== id) return 'has another client_id'
  if ('client_secret' in document || 'client_secret_expires_at' in document) return 'has a secret'
  const { client_name: name, redirect_uris: redirectUris, logo_uri: logoUri } = document
  if (typeof name !== 'string' || !isLegible(name)) return 'has no client_name that can be displayed'
  const { hostname } = new URL(id)
  const problem = redirectsProblem(redirectUris, hostname) ?? logoProblem(logoUri)
  if (problem) return problem
  const keys = keysOf(document)
  if (typeof keys === 'string') return keys
  return {
    id,
    name,
    // Ignore a logo on another host, because it may belong to somebody else.
    logo: typeof logoUri === 'string' && URL.parse(logoUri)?.hostname === hostname ? logoUri : null,
    redirectUris: redirectUris as string[],
    keys,
  }
}

/** Returns the part of the client's data that users see and that is stored with their consent. */
export const toClientSnapshot = ({
  id,
  name,
  logo,
}: Pick<ClientDocument, 'id' | 'name' | 'logo'>): ClientSnapshot => ({
  name,
  host: new URL(id).host,
  logo,
})

/**
 * Checks whether a redirect URI points to the user's own machine. Any other program on the machine could impersonate
 * such a client (RFC 8252 §8.6).
 */
export function isLoopbackRedirect(uri: string): boolean {
  const url = URL.parse(uri)
  return url?.protocol === 'http:' && loopbackHosts.has(url.hostname)
}

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Checks whether a name is safe to show: it fits on one line, contains no hidden characters and no characters that
 * reverse the surrounding text, and does not mix look-alike letters from two scripts in one word.
 */
export function isLegible(name: string): boolean {
  const isLine = name === name.trim() && name.length > 0 && name.length <= MAX_NAME_LENGTH
  return isLine && name.isWellFormed() && !UNFIT.test(name) && !name.split(/[^\p{L}\p{M}]+/u).some(isMixed)
}

/**
 * Matches characters that a name must not contain: control and format characters (including direction marks and
 * zero-width characters), separators other than the space, and unassigned characters.
 */
const UNFIT =
  /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}\u00a0\u115f\u1160\u2000-\u200f\u202f\u205f\u2800\u3000\u3164\uffa0]|\p{M}{4}/u

/** Scripts with letters that resemble those of another script (UTS #39). */
const similarScripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
]
const isMixed = (word: string) => similarScripts.filter((script) => script.test(word)).length > 1

function redirectsProblem(uris: unknown, hostname: string): string | null {
  if (!Array.isArray(uris) || uris.length === 0) return 'has no redirect_uris'
  if (uris.length > MAX_REDIRECTS) return `has more than ${MAX_REDIRECTS} redirect_uris`
  const isAllowed = (uri: unknown) =>
    typeof uri === 'string' && uri.length <= MAX_REDIRECT_LENGTH && isAllowedRedirect(uri, hostname)
  return uris.every(isAllowed)
    ? null
    : 'has a redirect_uri that leads neither to its host nor to the machine of the user'
}

function isAllowedRedirect(uri: string, hostname: string): boolean {
  const url = hasSpaceOrControl(uri) || uri.includes('#') ? null : URL.parse(uri)
  if (!url || url.username || url.password) return false
  return isLoopbackRedirect(uri) || (url.protocol === 'https:' && url.hostname === hostname)
}

function logoProblem(logo: unknown): string | null {
  if (logo === undefined) return null
  const isUsable = typeof logo === 'string' && logo.length <= MAX_REDIRECT_LENGTH && !hasSpaceOrControl(logo)
  return isUsable && /^https:/i.test(logo) && isLoadablePicture(logo)
    ? null
    : 'has a logo_uri that does not use https'
}

/**
 * Returns the client's keys, or null if the client does not authenticate itself. Client secrets are rejected, because a
 * secret in a public document would not be secret.
 */
function keysOf({
  token_endpoint_auth_method: method = 'none',
  jwks,
  jwks_uri: address,
}: Record<string, unknown>): ClientDocument['keys'] | string {
  if (method === 'none') return null
  if (method !== 'private_key_jwt')
    return 'has a token_endpoint_auth_method other than none and private_key_jwt'
  if ((jwks === undefined) === (address === undefined)) return 'must have either jwks or jwks_uri'
  if (jwks !== undefined) {
    const keys = parseUsableKeys(jwks)
    return typeof keys === 'string' ? `has jwks, which ${keys}` : { jwks: { keys } }
  }
  const problem =
    typeof address === 'string' ? findDocumentUrlProblem(address, 'production') : 'is not a string'
  return typeof address !== 'string' || problem ? `has a jwks_uri, which ${problem}` : { jwksUri: address }
}
