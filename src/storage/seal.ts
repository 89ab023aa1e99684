import { decodeBase64, toBase64Url } from '../domain/base64.ts'
import { BoundedMap } from '../domain/bounded-map.ts'

/**
 * Seals values, that is, encrypts them with AES-GCM under keys derived from the root secret, one for each purpose and
 * tenant (spec/storage#sealing). A sealed value is bound to a label, so that it cannot be decrypted in another place,
 * for another interaction or for another purpose.
 */

/**
 * A label `{purpose}/{tenant}`, followed by the location of the value if a tenant has several values for the purpose.
 */
export type SealLabel = `${string}/${string}`

export type Seals = {
  seal(label: SealLabel, value: unknown): Promise<string>
  /** Decrypts a value. Returns null if the value is damaged or was not sealed under this label. */
  open(label: SealLabel, sealed: string): Promise<unknown>
  /** Reports whether the value was sealed under the current root secret. */
  isCurrent(label: SealLabel, sealed: string): Promise<boolean>
  /**
   * Returns digests by which the database recognises a short value without revealing it or making it guessable:
   * HMAC-SHA-256 under the current root secret, followed by that under the previous one.
   */
  digests(label: SealLabel, value: unknown): Promise<readonly [string, ...string[]]>
}

const IV_BYTES = 12
/**
 * The format version of sealed values. It is needed because old and new Workers run side by side during a deployment.
 * Values of the first version, which used one key for all purposes and tenants, can still be decrypted.
 */
const VERSION = '2'
const FIRST_VERSION = '1'

/** Reports whether a value has an earlier format. `resealSecrets` replaces such values. */
export const hasOldSealFormat = (sealed: string): boolean => sealed.startsWith(FIRST_VERSION)

/**
 * A stored value that cannot be decrypted. The message says what an operator can do: after a rollback, a value may have
 * a format that only a newer version of Vestibule reads (spec/storage#sealed-formats); otherwise, the root secret has
 * changed.
 */
export class UnreadableSeal extends Error {
  override readonly name = 'UnreadableSeal'

  /** @param subject the value as the beginning of a sentence, such as "The headers of hook h1" */
  constructor(subject: string, sealed: string) {
    const format = sealed.slice(0, VERSION.length)
    super(
      /^\d$/.test(format) && format > VERSION
        ? `${subject} can't be decrypted: format ${format} is newer than this version of Vestibule, which reads formats up to ${VERSION}. Deploy the newer version again.`
        : `${subject} can't be decrypted: ROOT_SECRET has changed. Set ROOT_SECRET_PREVIOUS to the old one.`,
    )
  }
}

/** Creates seals. `previous` is only used to decrypt values, never to seal them (spec/storage#root-secret). */
export function createSeals(rootSecret: string, previous?: string): Seals {
  const current = keyring(rootSecret)
  const all = [current, ...(previous ? [keyring(previous)] : [])]

  return {
    async seal(label, value) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const data = bytes(JSON.stringify(value))
      const sealed = await crypto.subtle.encrypt(
        { name: 'AES-GCM', iv, additionalData: bytes(label) },
        await current.sealingKey(label),
        data,
      )
      const combined = new Uint8Array(IV_BYTES + sealed.byteLength)
      combined.set(iv)
      combined.set(new Uint8Array(sealed), IV_BYTES)
      return VERSION + toBase64Url(combined)
    },

    open: (label, sealed) => openWith(all, label, sealed),
    isCurrent: async (label, sealed) => (await openWith([current], label, sealed)) !== null,

    async digests(label, value) {
      const text = bytes(JSON.stringify([label, value]))
      const digest = async ({ digestKey }: Keyring) => {
        const mac = await crypto.subtle.sign('HMAC', await digestKey(label), text)
        return VERSION + toBase64Url(new Uint8Array(mac))
      }
      const [first, ...others] = await Promise.all([digest(current), ...all.slice(1).map(digest)])
      return [first, ...others]
    },
  }
}

export const signingKeysLabel = (tenantId: string): SealLabel => `signing-keys/${tenantId}`

async function openWith(rings: readonly Keyring[], label: SealLabel, sealed: string): Promise<unknown> {
  const version = sealed.slice(0, VERSION.length)
  if (version !== VERSION && version !== FIRST_VERSION) return null
  const combined = decodeBase64(sealed.slice(VERSION.length), 'base64url')
  if (!combined || combined.length <= IV_BYTES) return null
  const [iv, data] = [combined.subarray(0, IV_BYTES), combined.subarray(IV_BYTES)]
  for (const ring of rings) {
    const key = await (version === VERSION ? ring.sealingKey(label) : ring.firstVersionKey())
    try {
      const opened = await crypto.subtle.decrypt(
        { name: 'AES-GCM', iv, additionalData: bytes(label) },
        key,
        data,
      )
      return JSON.parse(decoder.decode(opened))
    } catch {
      // The next key is tried, because this one did not seal the value.
    }
  }
  return null
}

/**
 * Derives a key as text, for HMACs or for signing cookies. All isolates derive the same key, but a different one for
 * each purpose.
 */
export async function deriveText(rootSecret: string, purpose: string): Promise<string> {
  const bits = await crypto.subtle.deriveBits(hkdf(purpose), await keyMaterial(rootSecret), 256)
  return toBase64Url(new Uint8Array(bits))
}

/** The keys derived from one root secret. Each isolate derives a key once for every purpose and tenant in use. */
type Keyring = {
  sealingKey(label: SealLabel): Promise<CryptoKey>
  firstVersionKey(): Promise<CryptoKey>
  digestKey(label: SealLabel): Promise<CryptoKey>
}

/**
 * The maximum number of cached keys: enough for about ten purposes of a hundred tenants. Deriving a key again takes a
 * fraction of a millisecond.
 */
const MAX_KEYS = 1_000

function keyring(rootSecret: string): Keyring {
  const keys = new BoundedMap<string, Promise<CryptoKey>>(MAX_KEYS)
  let root: Promise<CryptoKey> | undefined
  function derived(purpose: string, algorithm: AesKeyGenParams | HmacKeyGenParams, usages: KeyUsage[]) {
    const cached = keys.get(purpose)
    if (cached) return cached
    root ??= keyMaterial(rootSecret)
    const key = root.then((secret) =>
      crypto.subtle.deriveKey(hkdf(purpose), secret, algorithm, false, usages),
    )
    keys.set(purpose, key)
    return key
  }
  const aes = { name: 'AES-GCM', length: 256 }
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 }
  return {
    sealingKey: (label) => derived(`seal/${VERSION}/${purposeAndTenant(label)}`, aes, ['encrypt', 'decrypt']),
    firstVersionKey: () => derived('seal', aes, ['decrypt']),
    digestKey: (label) => derived(`digest/${VERSION}/${purposeAndTenant(label)}`, hmac, ['sign']),
  }
}

/** Returns the purpose and the tenant of a label. Neither contains a slash. */
const purposeAndTenant = (label: SealLabel) => label.split('/', 2).join('/')

const hkdf = (purpose: string) => ({
  name: 'HKDF',
  hash: 'SHA-256',
  salt: new Uint8Array(),
  info: bytes(`vestibule/${purpose}`),
})

const keyMaterial = (rootSecret: string) =>
  crypto.subtle.importKey('raw', bytes(rootSecret), 'HKDF', false, ['deriveBits', 'deriveKey'])

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const bytes = (value: string) => encoder.encode(value)
