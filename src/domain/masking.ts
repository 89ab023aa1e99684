/**
 * Masks values that must not be shown in full on pages (spec/pages#masking), in the audit log
 * (spec/management#audit-masking) and in log lines (spec/storage#log-lines).
 */
import { errorCatalogue } from '../contract/errors.ts'
import type { Identifier } from '../contract/interactions/identifiers.ts'

const MASK = '****'
/**
 * The number of characters shown at the start of an email address. Local parts that are not longer than this are masked
 * completely.
 */
const LOCAL_PART_SHOWN = 4
const DIGITS_SHOWN = 4

/** Masks an identifier, but leaves enough of it for its owner to recognize it. */
export function maskIdentifier({ type, value }: Identifier): string {
  switch (type) {
    case 'username':
      return value
    case 'phone':
      return MASK + value.slice(-DIGITS_SHOWN)
    case 'email':
      return maskEmail(value)
  }
}

/** Masks an identifier for a browser that only remembers its account (spec/accounts#remembered-account). */
export const maskRememberedIdentifier = ({ type, value }: Identifier): string =>
  type === 'username' ? maskBeginning(value) : maskIdentifier({ type, value })

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return maskBeginning(email.slice(0, at)) + email.slice(at)
}

function maskBeginning(text: string): string {
  // Split the text into code points, so that no emoji is cut in half.
  const characters = [...text]
  const beginning = characters.length > LOCAL_PART_SHOWN ? characters.slice(0, LOCAL_PART_SHOWN).join('') : ''
  return beginning + MASK
}

const SECRET_MASK = '******'

const SECRET_KEYS: ReadonlySet<string> = new Set([
  'password',
  'newPassword',
  'confirmPassword',
  'verificationCode',
  'code',
  'auth_code',
  'code_verifier',
  'client_secret',
  'secret',
  'refresh_token',
  'access_token',
  'id_token',
  'token',
  'id_token_hint',
  'client_assertion',
  'assertion',
  // `state` and `nonce` bind a response to its request (RFC 6749 §10.12, OIDC Core §15.5.2).
  'state',
  'nonce',
])

/**
 * The maximum depth, which no valid request body reaches. Deeper values are masked entirely, so that a malicious body
 * cannot exhaust the stack.
 */
const MAX_DEPTH = 32

/** Masks the secrets in a JSON value, at any depth and in arrays. */
export function maskSecrets(value: unknown): unknown {
  return maskBelow(value, MAX_DEPTH)
}

function maskBelow(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return SECRET_MASK
  if (Array.isArray(value)) return value.map((item) => maskBelow(item, depth - 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      isSecret(key, item) ? SECRET_MASK : maskBelow(item, depth - 1),
    ]),
  )
}

/** The minimum length of a secret. Shorter strings are unlikely to be secrets, and they would match everywhere. */
const MIN_SECRET_LENGTH = 8

/** Matches credentials as a server writes them when it quotes the headers of a request. */
const CREDENTIALS =
  /(\b(?:Basic|Bearer)(?:\s+|%20|\+)|\b(?:\w+_token|client_secret|client_assertion|password)\\?["']?\s*[=:]\s*\\?["']?)[^\s"'&,;\\}]+/gi

/**
 * Masks another server's response for a log. The response may quote our request in any encoding, or be cut off in the
 * middle of a quotation. `sent` contains everything that the server received. Strings and words from it that have at
 * least eight characters are masked, and so is everything after `Bearer` or the name of a token.
 */
export function maskQuotedSecrets(response: unknown, sent: unknown): unknown {
  const texts = textsIn(sent, MAX_DEPTH)
    .flatMap((text) => [text, ...text.split(/\s+/)])
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
  const hidden = [...new Set(texts.flatMap(spellings))].toSorted((one, other) => other.length - one.length)
  const mask = (text: string) => {
    const masked = hidden.reduce((rest, secret) => rest.replaceAll(secret, SECRET_MASK), text)
    return withoutBeginning(masked.replace(CREDENTIALS, `$1${SECRET_MASK}`), hidden)
  }
  const maskIn = (item: unknown, depth: number): unknown => {
    if (typeof item === 'string') return mask(item)
    if (typeof item !== 'object' || item === null) return item
    if (depth === 0) return SECRET_MASK
    if (Array.isArray(item)) return item.map((element) => maskIn(element, depth - 1))
    return Object.fromEntries(
      Object.entries(item).map(([key, element]) => [mask(key), maskIn(element, depth - 1)]),
    )
  }
  return maskIn(response, MAX_DEPTH)
}

function textsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth === 0) return []
  return Object.values(value).flatMap((item) => textsIn(item, depth - 1))
}

/** Returns a text and its encodings in URLs, forms and JSON. */
const spellings = (text: string) => [
  text,
  encodeURIComponent(text.toWellFormed()),
  new URLSearchParams([['', text]]).toString().slice(1),
  JSON.stringify(text).slice(1, -1),
]

/**
 * Masks the beginning of a secret at the end of a text. A quotation may be cut off, and half a secret is still a
 * secret.
 */
function withoutBeginning(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    for (let length = secret.length - 1; length >= MIN_SECRET_LENGTH; length--) {
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + SECRET_MASK
    }
  }
  return text
}

/**
 * Checks whether to mask a value. `code` can be a verification code, an authorization code or an error code, of which
 * only error codes are shown.
 */
function isSecret(key: string, value: unknown): boolean {
  if (key === 'code' && typeof value === 'string' && Object.hasOwn(errorCatalogue, value)) return false
  return SECRET_KEYS.has(key)
}

/** Returns an expression that matches a text wherever it occurs, whatever its case. */
export const inAnyCase = (text: string): RegExp =>
  new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), 'gi')
