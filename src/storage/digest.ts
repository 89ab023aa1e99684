import { toBase64Url } from '../domain/base64.ts'

/**
 * Returns the digest by which the database recognises a secret value: a token, a code or a cookie
 * (spec/provider#token-digests).
 */
export async function sha256Base64Url(value: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(value))
  return toBase64Url(new Uint8Array(hash))
}

/** Returns the SHA-256 hash of a file, by which its URL is known. */
export async function fileDigest(content: Uint8Array<ArrayBuffer>): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', content)))
}
