/**
 * Sealing: AES-GCM under keys derived from the root secret (spec/storage#sealing). A sealed value is bound to a label, so
 * that it does not open in another place, for another interaction or for another purpose.
 */

export type Seals = {
  seal(label: string, value: unknown): Promise<string>
  /** The value, or null when it was not sealed by us under this label, or is damaged. */
  open(label: string, sealed: string): Promise<unknown>
  /** False for a value that only the previous root secret opens, or none. */
  isCurrent(label: string, sealed: string): Promise<boolean>
}

const IV_BYTES = 12
/** Formats carry a version, because old and new Workers serve at once during a deployment. */
const VERSION = '1'

/** `previous` opens and never seals (spec/storage#root-secret). */
export function createSeals(rootSecret: string, previous?: string): Seals {
  const sealing = derive(rootSecret)
  const opening = previous ? [sealing, derive(previous)] : [sealing]

  return {
    async seal(label, value) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const data = bytes(JSON.stringify(value))
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv, additionalData: bytes(label) },
        await sealing(),
        data,
      )
      const whole = new Uint8Array(IV_BYTES + sealed.byteLength)
      whole.set(iv)
      whole.set(new Uint8Array(sealed), IV_BYTES)
      return VERSION + toBase64Url(whole)
    },

    open: (label, sealed) => openWith(opening, label, sealed),
    isCurrent: async (label, sealed) => (await openWith([sealing], label, sealed)) !== null,
  }
}

export const signingKeysLabel = (tenantId: string) => `signing-keys/${tenantId}`

async function openWith(
  keys: readonly (() => Promise<CryptoKey>)[],
  label: string,
  sealed: string,
): Promise<unknown> {
  const whole = sealed.startsWith(VERSION) ? fromBase64Url(sealed.slice(VERSION.length)) : null
  if (!whole || whole.length <= IV_BYTES) return null
  const iv = whole.subarray(0, IV_BYTES)
  for (const key of keys) {
    try {
      const data = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv, additionalData: bytes(label) },
        await key(),
        whole.subarray(IV_BYTES),
      )
      return JSON.parse(decoder.decode(data))
    } catch {
      // Not under this key: the next one may open it.
    }
  }
  return null
}

/** A key as text, for HMAC or for signing cookies: the same on every isolate, another for every purpose. */
export async function deriveText(rootSecret: string, purpose: string): Promise<string> {
  const bits = await crypto.subtle.deriveBits(hkdf(purpose), await material(rootSecret), 256)
  return toBase64Url(new Uint8Array(bits))
}

function derive(rootSecret: string): () => Promise<CryptoKey> {
  let key: Promise<CryptoKey> | undefined
  return () => {
    key ??= material(rootSecret).then((root) =>
      crypto.subtle.deriveKey(hkdf('seal'), root, { name: 'AES-GCM', length: 256 }, false, [
        'encrypt',
        'decrypt',
      ]),
    )
    return key
  }
}

const hkdf = (purpose: string) => ({
  name: 'HKDF',
  hash: 'SHA-256',
  salt: new Uint8Array(),
  info: bytes(`vestibule/${purpose}`),
})

const material = (rootSecret: string) =>
  crypto.subtle.importKey('raw', bytes(rootSecret), 'HKDF', false, ['deriveBits', 'deriveKey'])

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const bytes = (value: string) => encoder.encode(value)

const toBase64Url = (data: Uint8Array) => data.toBase64({ alphabet: 'base64url', omitPadding: true })

function fromBase64Url(value: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.fromBase64(value, { alphabet: 'base64url' })
  } catch {
    return null
  }
}
