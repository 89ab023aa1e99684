import { decodeBase64, toBase64Url } from '../domain/base64.ts'
import { BoundedMap } from '../domain/bounded-map.ts'

/**
 * Sealing: AES-GCM under keys derived from the root secret, one for each purpose and tenant (spec/storage#sealing). A
 * sealed value is bound to a label, so that it does not open in another place, for another interaction or for another
 * purpose.
 */

/** `{purpose}/{tenant}`, and the place of the value where there are several. */
export type Label = `${string}/${string}`

export type Seals = {
  seal(label: Label, value: unknown): Promise<string>
  /** The value, or null when it was not sealed by us under this label, or is damaged. */
  open(label: Label, sealed: string): Promise<unknown>
  /** False for a value that only the previous root secret opens, or none. */
  isCurrent(label: Label, sealed: string): Promise<boolean>
  /**
   * By this the database knows a short value that must not be read or guessed from it: HMAC-SHA-256. Under the current
   * root secret first, then under the previous one.
   */
  digests(label: Label, value: unknown): Promise<readonly [string, ...string[]]>
}

const IV_BYTES = 12
/**
 * Formats carry a version, because old and new Workers serve at once during a deployment. Values of the first version have
 * one key for all purposes and tenants; they still open.
 */
const VERSION = '2'
const FIRST_VERSION = '1'

/** Sealed in the way of an earlier version, which `resealSecrets` replaces. */
export const isOldFormat = (sealed: string): boolean => !sealed.startsWith(VERSION)

/** `previous` opens and never seals (spec/storage#root-secret). */
export function createSeals(rootSecret: string, previous?: string): Seals {
  const current = keyring(rootSecret)
  const all = [current, ...(previous ? [keyring(previous)] : [])]

  return {
    async seal(label, value) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const data = bytes(JSON.stringify(value))
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv, additionalData: bytes(label) },
        await current.sealing(label),
        data,
      )
      const whole = new Uint8Array(IV_BYTES + sealed.byteLength)
      whole.set(iv)
      whole.set(new Uint8Array(sealed), IV_BYTES)
      return VERSION + toBase64Url(whole)
    },

    open: (label, sealed) => openWith(all, label, sealed),
    isCurrent: async (label, sealed) => (await openWith([current], label, sealed)) !== null,

    async digests(label, value) {
      const text = bytes(JSON.stringify([label, value]))
      const digest = async ({ digesting }: Keyring) => {
        const mac = await crypto.subtle.sign('HMAC', await digesting(label), text)
        return VERSION + toBase64Url(new Uint8Array(mac))
      }
      const [first, ...others] = await Promise.all([digest(current), ...all.slice(1).map(digest)])
      return [first, ...others]
    },
  }
}

export const signingKeysLabel = (tenantId: string): Label => `signing-keys/${tenantId}`

async function openWith(rings: readonly Keyring[], label: Label, sealed: string): Promise<unknown> {
  const version = sealed.slice(0, VERSION.length)
  if (version !== VERSION && version !== FIRST_VERSION) return null
  const whole = decodeBase64(sealed.slice(VERSION.length), 'base64url')
  if (!whole || whole.length <= IV_BYTES) return null
  const [iv, data] = [whole.subarray(0, IV_BYTES), whole.subarray(IV_BYTES)]
  for (const ring of rings) {
    const key = await (version === VERSION ? ring.sealing(label) : ring.sealingAtFirst())
    try {
      const opened = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv, additionalData: bytes(label) },
        key,
        data,
      )
      return JSON.parse(decoder.decode(opened))
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

/** Keys of one root secret. They are derived once in an isolate, for as many purposes and tenants as it meets. */
type Keyring = {
  sealing(label: Label): Promise<CryptoKey>
  sealingAtFirst(): Promise<CryptoKey>
  digesting(label: Label): Promise<CryptoKey>
}

/** Some ten purposes of a hundred tenants; deriving one anew takes a fraction of a millisecond. */
const MAX_KEYS = 1_000

function keyring(rootSecret: string): Keyring {
  const keys = new BoundedMap<string, Promise<CryptoKey>>(MAX_KEYS)
  let root: Promise<CryptoKey> | undefined
  function derived(purpose: string, algorithm: AesKeyGenParams | HmacKeyGenParams, usages: KeyUsage[]) {
    const cached = keys.get(purpose)
    if (cached) return cached
    root ??= material(rootSecret)
    const key = root.then((secret) =>
      crypto.subtle.deriveKey(hkdf(purpose), secret, algorithm, false, usages),
    )
    keys.set(purpose, key)
    return key
  }
  const aes = { name: 'AES-GCM', length: 256 }
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 }
  return {
    sealing: (label) => derived(`seal/${VERSION}/${purposeAndTenant(label)}`, aes, ['encrypt', 'decrypt']),
    sealingAtFirst: () => derived('seal', aes, ['decrypt']),
    digesting: (label) => derived(`digest/${VERSION}/${purposeAndTenant(label)}`, hmac, ['sign']),
  }
}

/** Neither contains a slash. */
const purposeAndTenant = (label: Label) => label.split('/', 2).join('/')

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
