import type { PasskeyAssertion, PasskeyAttestation } from '../../src/contract/passkeys/passkeys.ts'

/**
 * A software authenticator (WebAuthn Level 3 §6), including the browser's part. It uses ES256 without
 * attestation. Tests can change its statements in order to send what no honest browser would send.
 */
export type Said = {
  origin?: string
  rpId?: string
  type?: string
  counter?: number
  flags?: number
  userHandle?: string | undefined
}

export type SoftPasskey = {
  id: string
  /** Returns the private key as PKCS #8 in Base64, so that another authenticator can use it. */
  privateKey(): Promise<string>
  /** Returns the response to `navigator.credentials.get`. */
  sign(options: { challenge: string; rpId: string }, said?: Said): Promise<PasskeyAssertion>
}

/**
 * The flags "user present" and "user verified" plus, for a synced passkey, "backup eligible" and "backup state"
 * (WebAuthn §6.1).
 */
export const FLAGS = {
  deviceBound: 0x05,
  synced: 0x1d,
  unverified: 0x01,
  eligible: 0x0d,
  /** A synced passkey that was created or used without the user's presence. */
  absent: 0x18,
} as const
const HAS_CREDENTIAL = 0x40

/** The properties of a new passkey, in addition to the flags of the authenticator. */
type NewPasskeyOptions = {
  aaguid?: string
  /** The length of the credential id in bytes. */
  idLength?: number
  transports?: string[]
  /**
   * A manufacturer's certificate and its key as DER in Base64, for a FIDO U2F attestation statement (WebAuthn §8.6).
   */
  attestedBy?: { certificate: string; key: string }
}

type CreationOptions = { challenge: string; rp: { id: string }; user: { id: string } }

/** Returns the response to `navigator.credentials.create` and the new passkey. */
export async function createPasskey(
  options: CreationOptions,
  {
    origin,
    aaguid = '00000000-0000-0000-0000-000000000000',
    idLength = 32,
    transports = ['internal', 'hybrid'],
    attestedBy,
    ...said
  }: Said & NewPasskeyOptions & { origin: string },
): Promise<{ attestation: PasskeyAttestation; passkey: SoftPasskey }> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const id = crypto.getRandomValues(new Uint8Array(idLength))
  const flags = said.flags ?? FLAGS.synced
  const credential = bytes(
    hex(aaguid.replaceAll('-', '')),
    [id.length >> 8, id.length & 255],
    id,
    await coseKey(keys.publicKey),
  )
  const authData = bytes(
    await authenticatorData(said.rpId ?? options.rp.id, flags | HAS_CREDENTIAL, said.counter ?? 0),
    credential,
  )
  const credentialId = base64Url(id)
  const clientDataJSON = clientData(said.type ?? 'webauthn.create', options.challenge, origin)
  const hash = await sha256(fromBase64Url(clientDataJSON))
  const point = new Uint8Array((await crypto.subtle.exportKey('raw', keys.publicKey)) as ArrayBuffer)
  const statement = attestedBy
    ? await u2fStatement(attestedBy, bytes([0], authData.subarray(0, 32), hash, id, point))
    : bytes(text('none'), text('attStmt'), [0xa0])
  const attestation: PasskeyAttestation = {
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    response: {
      clientDataJSON,
      attestationObject: base64Url(
        // A CBOR map of fmt, attStmt and authData (RFC 8949).
        bytes([0xa3], text('fmt'), statement, text('authData'), byteString(authData)),
      ),
      transports,
    },
  }
  const passkey: SoftPasskey = {
    id: credentialId,
    privateKey: async () =>
      Buffer.from((await crypto.subtle.exportKey('pkcs8', keys.privateKey)) as ArrayBuffer).toString(
        'base64',
      ),
    async sign(request, changed = {}) {
      const data = await authenticatorData(
        changed.rpId ?? request.rpId,
        changed.flags ?? flags,
        changed.counter ?? 0,
      )
      const clientDataJSON = clientData(
        changed.type ?? 'webauthn.get',
        request.challenge,
        changed.origin ?? origin,
      )
      const signed = bytes(data, await sha256(fromBase64Url(clientDataJSON)))
      const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
      const signature = new Uint8Array(await crypto.subtle.sign(algorithm, keys.privateKey, signed))
      const userHandle = 'userHandle' in changed ? changed.userHandle : options.user.id
      return {
        id: credentialId,
        rawId: credentialId,
        type: 'public-key',
        response: {
          clientDataJSON,
          authenticatorData: base64Url(data),
          signature: base64Url(der(signature)),
          ...(userHandle !== undefined && { userHandle }),
        },
      }
    },
  }
  return { attestation, passkey }
}

async function u2fStatement(
  { certificate, key }: { certificate: string; key: string },
  signed: Uint8Array<ArrayBuffer>,
) {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const makerKey = await crypto.subtle.importKey('pkcs8', Buffer.from(key, 'base64'), algorithm, false, [
    'sign',
  ])
  const sig = der(new Uint8Array(await crypto.subtle.sign(algorithm, makerKey, signed)))
  const x5c = bytes([0x81], byteString(Buffer.from(certificate, 'base64')))
  return bytes(text('fido-u2f'), text('attStmt'), [0xa2], text('sig'), byteString(sig), text('x5c'), x5c)
}

const clientData = (type: string, challenge: string, origin: string) =>
  base64Url(new TextEncoder().encode(JSON.stringify({ type, challenge, origin, crossOrigin: false })))

async function authenticatorData(rpId: string, flags: number, counter: number) {
  const count = new Uint8Array(4)
  new DataView(count.buffer).setUint32(0, counter)
  return bytes(await sha256(new TextEncoder().encode(rpId)), [flags], count)
}

/** Encodes a P-256 public key for ES256 as an EC2 key (RFC 9053 §7.1). */
async function coseKey(key: CryptoKey) {
  const { x = '', y = '' } = (await crypto.subtle.exportKey('jwk', key)) as JsonWebKey
  const head = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]
  return bytes(head, [0x21], byteString(fromBase64Url(x)), [0x22], byteString(fromBase64Url(y)))
}

/** Encodes an ECDSA signature's two integers in ASN.1 (RFC 3279 §2.2.3). */
function der(raw: Uint8Array) {
  const integer = (value: Uint8Array) => {
    const start = value.findIndex((byte) => byte !== 0)
    const short = value.subarray(start)
    const positive = (short[0] ?? 0) > 0x7f ? bytes([0], short) : short
    return bytes([0x02, positive.length], positive)
  }
  const both = bytes(integer(raw.subarray(0, 32)), integer(raw.subarray(32)))
  return bytes([0x30, both.length], both)
}

const text = (value: string) => bytes([0x60 + value.length], new TextEncoder().encode(value))
const byteString = (value: Uint8Array) =>
  value.length < 256
    ? bytes([0x58, value.length], value)
    : bytes([0x59, value.length >> 8, value.length & 255], value)

const hex = (digits: string) =>
  Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const sha256 = async (data: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', data))
const bytes = (...parts: (Uint8Array | readonly number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => [...part]))
const base64Url = (data: Uint8Array) => Buffer.from(data).toString('base64url')
const fromBase64Url = (value: string) => Uint8Array.from(Buffer.from(value, 'base64url'))
