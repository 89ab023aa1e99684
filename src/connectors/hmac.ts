/** What Aliyun and Tencent sign their calls with. */

export type Bytes = Uint8Array<ArrayBuffer>

export async function hmac(hash: 'SHA-1' | 'SHA-256', key: string | Bytes, text: string): Promise<Bytes> {
  const imported = await crypto.subtle.importKey(
    'raw',
    typeof key === 'string' ? encode(key) : key,
    { name: 'HMAC', hash },
    false,
    ['sign'],
  )
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encode(text)))
}

export const sha256Hex = async (text: string) =>
  hex(new Uint8Array(await crypto.subtle.digest('SHA-256', encode(text))))

export const hex = (bytes: Bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const encode = (text: string): Bytes => new TextEncoder().encode(text)
