/** Base64url without padding (RFC 4648 §5), of bytes or of the UTF-8 of a text. By `Buffer`, which Node has as well as Workers. */
export const toBase64Url = (data: string | Uint8Array): string => Buffer.from(data).toString('base64url')

/** The same of a few bytes in a browser, which has no `Buffer`. */
export const bytesToBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Null for text of another alphabet. Workers only: Node has `Uint8Array.fromBase64` from version 25 on. */
export function bytesOfBase64(
  text: string,
  alphabet: 'base64' | 'base64url' = 'base64',
): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.fromBase64(text, { alphabet })
  } catch {
    return null
  }
}
