/**
 * Encodes bytes, or text as UTF-8, in base64url without padding (RFC 4648 §5). It uses `Buffer`, which both Node and
 * Workers have.
 */
export const toBase64Url = (data: string | Uint8Array): string => Buffer.from(data).toString('base64url')

/** Encodes a few bytes in base64url in a browser, which has no `Buffer`. */
export const bytesToBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/**
 * Decodes base64, or returns null for invalid text. For Workers only: Node has `Uint8Array.fromBase64` from version 25.
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
