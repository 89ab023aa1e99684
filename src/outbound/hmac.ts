/** What calls to cloud providers are signed with. */

export type Bytes = Uint8Array<ArrayBuffer>

export async function hmacOf(hash: 'SHA-1' | 'SHA-256', key: string | Bytes, text: string): Promise<Bytes> {
  const imported = await crypto.subtle.importKey('raw', asBytes(key), { name: 'HMAC', hash }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, asBytes(text)))
}

export const sha256Hex = async (content: string | Bytes) =>
  toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', asBytes(content))))

export const toHex = (bytes: Bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const asBytes = (content: string | Bytes): Bytes =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content
