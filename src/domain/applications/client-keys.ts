import { type ClientKey, clientAssertionAlgorithms } from '../../contract/applications/applications.ts'
import { isRecord } from '../../contract/is-record.ts'

/** Public keys of clients, by which they sign assertions (spec/provider#client-keys, RFC 7523). */

const MAX_CLIENT_KEYS = 20

/** What is wrong with the keys of an application that its operator gives; null when nothing is. */
export function keySetProblem(keys: readonly unknown[]): string | null {
  if (keys.length === 0) return 'is empty'
  if (keys.length > MAX_CLIENT_KEYS) return `has more than ${MAX_CLIENT_KEYS} keys`
  const problem = keys.map(keyProblem).find((each) => each !== null)
  return problem ?? (hasSameName(keys) ? 'names two keys alike (kid)' : null)
}

/**
 * The keys of a set that was fetched. Those for other purposes are left out, as a set may serve several; a set that shows a
 * private key is refused, because others can read it as well.
 */
export function usableKeys(set: unknown): ClientKey[] | string {
  const keys = isRecord(set) ? set.keys : undefined
  if (!Array.isArray(keys)) return 'is not a key set'
  if (keys.length > MAX_CLIENT_KEYS) return `has more than ${MAX_CLIENT_KEYS} keys`
  if (keys.some(isSecret)) return SECRET
  const usable = keys.filter((key): key is ClientKey => keyProblem(key) === null)
  if (hasSameName(usable)) return 'names two keys alike (kid)'
  return usable.length > 0 ? usable : 'has no key that signs'
}

const SECRET = 'must not contain a private or shared key'

function keyProblem(key: unknown): string | null {
  if (!isRecord(key)) return 'has a key that is no object'
  if (isSecret(key)) return SECRET
  if (!isSigning(key)) return `has a key that does not sign by ${clientAssertionAlgorithms.join(', ')}`
  if (key.kid !== undefined && (typeof key.kid !== 'string' || key.kid === ''))
    return 'has a kid that is no text'
  return hasPublicPart(key) ? null : 'has a key of another type, curve or length'
}

const secretParts = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']
const isSecret = (key: unknown): boolean =>
  isRecord(key) && (key.kty === 'oct' || secretParts.some((part) => key[part] !== undefined))

function isSigning({ use, alg, key_ops: operations }: Record<string, unknown>): boolean {
  const isKnown = alg === undefined || clientAssertionAlgorithms.some((supported) => supported === alg)
  const verifies = operations === undefined || (Array.isArray(operations) && operations.includes('verify'))
  return isKnown && verifies && (use === undefined || use === 'sig')
}

/** Lengths in base64url: of a coordinate exactly, of an RSA modulus 2048 bits (NIST SP 800-131A) to 8192. */
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

const isBase64Url = (value: unknown, least: number, most = least): boolean =>
  typeof value === 'string' && value.length >= least && value.length <= most && /^[\w-]+$/.test(value)

function hasSameName(keys: readonly unknown[]): boolean {
  const names = keys.flatMap((key) => (isRecord(key) && key.kid !== undefined ? [key.kid] : []))
  return new Set(names).size < names.length
}
