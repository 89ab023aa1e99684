/** Of the UTF-8 of a text: `btoa` takes Latin-1 alone. */
export const textToBase64 = (text: string) => new TextEncoder().encode(text).toBase64()

/** Null for text that is not Base64. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.fromBase64(text)
  } catch {
    return null
  }
}

/** RFC 7617. */
export const basicAuthorization = (user: string, password: string) =>
  `Basic ${textToBase64(`${user}:${password}`)}`
