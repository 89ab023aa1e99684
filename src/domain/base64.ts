/**
 * Encodes bytes, or text as UTF-8, in base64url without padding (RFC 4648 §5). It uses `Buffer`, which is available in
 * Node and Workers.
 */
export const toBase64Url = (data: string | Uint8Array): string => Buffer.from(data).toString('base64url')

/** Encodes a small number of bytes in base64url. Works in browsers, which have no `Buffer`. */
export const bytesToBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/**
 * Decodes base64. Returns null if the text is invalid. Works only in Workers, because Node has no
 * `Uint8Array.fromBase64` before version 25.
 */
export function decodeBase64(
  text: string,
  alphabet: 'base64' | 'base64url' = 'base64',
): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.fromBase64(text, { alphabet })
  } catch {
    return null
  }
}
