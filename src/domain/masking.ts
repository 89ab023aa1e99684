/** What must not be shown in full, on pages (contract 10.3) and in the audit log (contract 2.10, design 4). */
import { errors } from '../contract/errors.ts'
import type { Identifier } from '../contract/identifiers.ts'

const MASK = '****'
/** So many characters of a local part may be seen, if there are more of them. */
const LOCAL_PART_SHOWN = 4
const DIGITS_SHOWN = 4

/** Enough of an identifier to recognise one's own (contract 10.3, Masking). */
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

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  // By code points: half an emoji is not a character.
  const local = [...email.slice(0, at)]
  const shown = local.length > LOCAL_PART_SHOWN ? local.slice(0, LOCAL_PART_SHOWN).join('') : ''
  return shown + MASK + email.slice(at)
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
])

/** Deeper than any body of ours. What lies below is masked whole, so that a hostile body cannot exhaust the stack. */
const MAX_DEPTH = 32

/** An audit payload without its secrets, at any depth and inside arrays too (contract 2.10). For JSON values. */
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

/** Shorter ones are no secrets, and would be found everywhere. */
const SHORTEST_SECRET = 8

/** A JSON value in which these secrets of somebody else are not to be read, nor what stands behind their `Bearer`. */
export function maskValues(value: unknown, secrets: readonly string[]): unknown {
  const hidden = secrets
    .flatMap((secret) => [secret, ...secret.split(/\s+/)])
    .filter(({ length }) => length >= SHORTEST_SECRET)
  if (hidden.length === 0) return value
  const mask = (text: string) =>
    hidden.reduce((masked, secret) => masked.replaceAll(secret, SECRET_MASK), text)
  const maskIn = (item: unknown, depth: number): unknown => {
    if (typeof item === 'string') return mask(item)
    if (typeof item !== 'object' || item === null) return item
    if (depth === 0) return SECRET_MASK
    if (Array.isArray(item)) return item.map((each) => maskIn(each, depth - 1))
    return Object.fromEntries(Object.entries(item).map(([key, each]) => [mask(key), maskIn(each, depth - 1)]))
  }
  return maskIn(value, MAX_DEPTH)
}

/** `code` is a verification code, an authorization code, or the code of an error; only the last may be read. */
function isSecret(key: string, value: unknown): boolean {
  if (key === 'code' && typeof value === 'string' && Object.hasOwn(errors, value)) return false
  return SECRET_KEYS.has(key)
}
