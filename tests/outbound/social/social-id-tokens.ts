import { createHmac } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { STUB_TENANT, stubClient } from './social-stubs.ts'

/** What is wrong with an ID token, or whose it is. */
export type IdTokenFault =
  | 'wrong-nonce'
  | 'no-nonce'
  | 'wrong-audience'
  | 'many-audiences'
  | 'wrong-party'
  | 'wrong-issuer'
  | 'expired'
  | 'not-yet'
  | 'no-signature'
  | 'shared-secret'
  | 'public-key-as-secret'
  | 'unknown-key'
  | 'forged'
  | 'claims-types'
  | 'other-tenant'
  | 'private-account'
  | 'key-of-private-accounts'

type Wanted = { base: string; factoryId: string; claims: object; nonce: string | null; fault: IdTokenFault }

const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'
const OTHER_TENANT = '99999999-2222-3333-4444-555555555555'

/** The keys of all providers, and the tokens signed with them: valid ones, and each with one fault. */
export class IdTokens {
  readonly #known: CryptoKey
  readonly #unknown: CryptoKey
  readonly #published: JWK

  constructor(known: CryptoKey, unknown: CryptoKey, published: JWK) {
    this.#known = known
    this.#unknown = unknown
    this.#published = published
  }

  static async create(): Promise<IdTokens> {
    const [known, unknown] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
    return new IdTokens(known.privateKey, unknown.privateKey, await exportJWK(known.publicKey))
  }

  /** As Microsoft publishes keys: some sign for every tenant, some for one. */
  keys(base: string): { keys: (JWK & { issuer: string })[] } {
    const shared = { ...this.#published, alg: 'RS256', use: 'sig' }
    return {
      keys: [
        { ...shared, kid: 'known', issuer: `${base}/{tenantid}/v2.0` },
        { ...shared, kid: 'private', issuer: `${base}/${CONSUMERS}/v2.0` },
      ],
    }
  }

  async make(wanted: Wanted): Promise<string> {
    const { fault } = wanted
    const payload = payloadOf(wanted)
    switch (fault) {
      case 'no-signature':
        return new UnsecuredJWT(payload).encode()
      case 'shared-secret':
        return hs256(payload, stubClient.secret)
      case 'public-key-as-secret':
        return hs256(payload, JSON.stringify(this.#published))
      case 'unknown-key':
        return sign(payload, 'unknown', this.#unknown)
      case 'forged':
        return sign(payload, 'known', this.#unknown)
      case 'key-of-private-accounts':
        return sign(payload, 'private', this.#known)
      default:
        return sign(payload, 'known', this.#known)
    }
  }
}

function payloadOf({ base, factoryId, claims, nonce, fault }: Wanted) {
  const now = Math.floor(Date.now() / 1000)
  const isEntra = factoryId === 'microsoft-entra-universal'
  const tid = fault === 'other-tenant' ? OTHER_TENANT : fault === 'private-account' ? CONSUMERS : STUB_TENANT
  const right = {
    iss: isEntra ? `${base}/${tid}/v2.0` : base,
    aud: stubClient.id,
    iat: now,
    exp: now + 600,
    ...(isEntra && { tid }),
    ...(nonce && { nonce }),
    ...claims,
  }
  const { nonce: _nonce, ...withoutNonce } = right
  switch (fault) {
    case 'wrong-nonce':
      return { ...right, nonce: 'of-another-sign-in' }
    case 'no-nonce':
      return withoutNonce
    case 'wrong-audience':
      return { ...right, aud: 'another-client' }
    case 'many-audiences':
      return { ...right, aud: [stubClient.id, 'another-client'] }
    case 'wrong-party':
      return { ...right, azp: 'another-client' }
    case 'wrong-issuer':
      return { ...right, iss: 'https://accounts.example.com' }
    case 'expired':
      return { ...right, iat: now - 1200, exp: now - 600 }
    case 'not-yet':
      return { ...right, nbf: now + 600 }
    case 'claims-types':
      return { ...right, email: { address: 'ann@example.com' } }
    default:
      return right
  }
}

const sign = (payload: object, kid: string, key: CryptoKey) =>
  new SignJWT({ ...payload }).setProtectedHeader({ alg: 'RS256', kid }).sign(key)

function hs256(payload: object, secret: string): string {
  const parts = [{ alg: 'HS256', kid: 'known' }, payload]
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
