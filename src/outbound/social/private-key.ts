import { z } from 'zod'
import { decodeBase64 } from '../../domain/base64.ts'
import { invalidConfigFailure } from '../failure.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Algorithm = { name: 'RSASSA-PKCS1-v1_5'; hash: string } | { name: 'ECDSA'; namedCurve: 'P-256' }

/** A private key in a configuration: PEM, or only its Base64 part, which is what Alipay's tool produces. */
export const PrivateKey = z
  .string()
  .refine((value) => pkcs8(value) !== null, 'must be a private key in PEM format')

/** Imports a private key for signing. If it is for another algorithm, the configuration is reported as invalid. */
export async function importSigningKey(privateKey: string, algorithm: Algorithm): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey('pkcs8', pkcs8(privateKey) ?? new Uint8Array(), algorithm, false, [
      'sign',
    ])
  } catch {
    throw invalidConfigFailure({ path: 'privateKey', message: `must be a key for ${algorithm.name}` })
  }
}

/** The DER encoding of `version INTEGER 0`, with which both PKCS #8 and PKCS #1 keys begin (RFC 5208, RFC 8017). */
const VERSION = [0x02, 0x01, 0x00]
const SEQUENCE = 0x30
const OCTET_STRING = 0x04
/** The DER encoding of the `AlgorithmIdentifier` for rsaEncryption. */
const RSA = [0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00]

/**
 * Converts a private key to PKCS #8, the only format that Web Crypto accepts. PKCS #1, an older format for RSA keys, is
 * wrapped. Returns null if the text is not a key.
 */
function pkcs8(text: string): Bytes | null {
  const der = decodeBase64(text.replaceAll(/-----(?:BEGIN|END) [A-Z ]+-----|\s|\\n/g, ''))
  if (der?.[0] !== SEQUENCE) return null
  const start = (der[1] ?? 0) < 0x80 ? 2 : 2 + ((der[1] ?? 0) & 0x7f)
  const inside = der.subarray(start)
  if (!VERSION.every((byte, at) => inside[at] === byte)) return null
  if (inside[VERSION.length] === SEQUENCE) return der
  return encodeItem(SEQUENCE, [...VERSION, ...RSA, ...encodeItem(OCTET_STRING, [...der])])
}

/** Encodes a DER element: a tag, the length and the content. */
function encodeItem(tag: number, content: readonly number[]): Bytes {
  const size = content.length
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return new Uint8Array([tag, ...length, ...content])
}
