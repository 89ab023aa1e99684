import { type ClientKey, clientAssertionAlgorithms } from '../../contract/applications/applications.ts'
import { isRecord } from '../../contract/is-record.ts'

/** Validates clients' public keys, which verify their client assertions (spec/provider#client-keys, RFC 7523). */

const MAX_CLIENT_KEYS = 20

/** Returns the problem with the keys that an operator has configured for an application, or null if there is none. */
export function findKeySetProblem(keys: readonly unknown[]): string | null {
  if (keys.length === 0) return 'is empty'
  if (keys.length > MAX_CLIENT_KEYS) return `has more than ${MAX_CLIENT_KEYS} keys`
  const problem = keys.map(keyProblem).find((message) => message !== null)
  return problem ?? (hasDuplicateKid(keys) ? 'has two keys with the same kid' : null)
}

/**
 * Returns the usable keys of a fetched set, or the problem with the set. A set may serve several purposes, so keys for
 * other purposes are left out. A set with a private key is rejected, because anybody can fetch that key.
 */
export function parseUsableKeys(set: unknown): ClientKey[] | string {
  const keys = isRecord(set) ? set.keys : undefined
  if (!Array.isArray(keys)) return 'is not a key set'
  if (keys.length > MAX_CLIENT_KEYS) return `has more than ${MAX_CLIENT_KEYS} keys`
  if (keys.some(isSecretKey)) return SECRET_KEY
  const usable = keys.filter((key): key is ClientKey => keyProblem(key) === null)
  if (hasDuplicateKid(usable)) return 'has two keys with the same kid'
  return usable.length > 0 ? usable : 'has no signing key'
}

const SECRET_KEY = 'must not contain a private or shared key'

function keyProblem(key: unknown): string | null {
  if (!isRecord(key)) return 'has a key that is not an object'
  if (isSecretKey(key)) return SECRET_KEY
  if (!isSigningKey(key)) return `has a key that does not sign by ${clientAssertionAlgorithms.join(', ')}`
  if (key.kid !== undefined && (typeof key.kid !== 'string' || key.kid === ''))
    return 'has a kid that is not a string'
  return hasPublicPart(key) ? null : 'has a key of an unsupported type, curve or length'
}

const secretParts = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']
const isSecretKey = (key: unknown): boolean =>
  isRecord(key) && (key.kty === 'oct' || secretParts.some((part) => key[part] !== undefined))

function isSigningKey({ use, alg, key_ops: operations }: Record<string, unknown>): boolean {
  const isSupported = alg === undefined || clientAssertionAlgorithms.some((supported) => supported === alg)
  const verifies = operations === undefined || (Array.isArray(operations) && operations.includes('verify'))
  return isSupported && verifies && (use === undefined || use === 'sig')
}

/**
 * Checks whether the public members of a key have a valid length in base64url. A coordinate must have an exact length,
 * and an RSA modulus must have 2048 (NIST SP 800-131A) to 8192 bits.
 */
function hasPublicPart({ kty, crv, x, y, n, e }: Record<string, unknown>): boolean {
  switch (kty) {
    case 'EC': {
      const length = crv === 'P-256' ? 43 : crv === 'P-384' ? 64 : 0
      return length > 0 && isBase64Url(x, length) && isBase64Url(y, length)
    }
    case 'OKP':
      return crv === 'Ed25519' && isBase64Url(x, 43)
    case 'RSA':
      return isBase64Url(n, 342, 1366) && isBase64Url(e, 2, 8)
    default:
      return false
  }
}

const isBase64Url = (value: unknown, min: number, max = min): boolean =>
  typeof value === 'string' && value.length >= min && value.length <= max && /^[\w-]+$/.test(value)

function hasDuplicateKid(keys: readonly unknown[]): boolean {
  const names = keys.flatMap((key) => (isRecord(key) && key.kid !== undefined ? [key.kid] : []))
  return new Set(names).size < names.length
}
