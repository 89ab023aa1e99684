import { createHmac } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { STUB_TENANT, stubClient } from './social-stubs.ts'

/** The defect of an ID token, or the kind of account for which the token is issued. */
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

type IdTokenRequest = {
  base: string
  factoryId: string
  claims: object
  nonce: string | null
  fault: IdTokenFault
}

const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'
const OTHER_TENANT = '99999999-2222-3333-4444-555555555555'

/** Holds the keys of all providers and issues ID tokens. Each token is valid or has a single defect. */
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

  /** Returns the keys as Microsoft publishes them: some sign for every tenant, others for only one. */
  keys(base: string): { keys: (JWK & { issuer: string })[] } {
    const shared = { ...this.#published, alg: 'RS256', use: 'sig' }
    return {
      keys: [
        { ...shared, kid: 'known', issuer: `${base}/{tenantid}/v2.0` },
        { ...shared, kid: 'private', issuer: `${base}/${CONSUMERS}/v2.0` },
      ],
    }
  }

  async make(request: IdTokenRequest): Promise<string> {
    const { fault } = request
    const payload = payloadOf(request)
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

function payloadOf({ base, factoryId, claims, nonce, fault }: IdTokenRequest) {
  const now = Math.floor(Date.now() / 1000)
  const isEntra = factoryId === 'microsoft-entra-universal'
  const tid = fault === 'other-tenant' ? OTHER_TENANT : fault === 'private-account' ? CONSUMERS : STUB_TENANT
  const valid = {
    iss: isEntra ? `${base}/${tid}/v2.0` : base,
    aud: stubClient.id,
    iat: now,
    exp: now + 600,
    ...(isEntra && { tid }),
    ...(nonce && { nonce }),
    ...claims,
  }
  const { nonce: _nonce, ...withoutNonce } = valid
  switch (fault) {
    case 'wrong-nonce':
      return { ...valid, nonce: 'of-another-sign-in' }
    case 'no-nonce':
      return withoutNonce
    case 'wrong-audience':
      return { ...valid, aud: 'another-client' }
    case 'many-audiences':
      return { ...valid, aud: [stubClient.id, 'another-client'] }
    case 'wrong-party':
      return { ...valid, azp: 'another-client' }
    case 'wrong-issuer':
      return { ...valid, iss: 'https://accounts.example.com' }
    case 'expired':
      return { ...valid, iat: now - 1200, exp: now - 600 }
    case 'not-yet':
      return { ...valid, nbf: now + 600 }
    case 'claims-types':
      return { ...valid, email: { address: 'ann@example.com' } }
    default:
      return valid
  }
}

const sign = (payload: object, kid: string, key: CryptoKey) =>
  new SignJWT({ ...payload }).setProtectedHeader({ alg: 'RS256', kid }).sign(key)

function hs256(payload: object, secret: string): string {
  const parts = [{ alg: 'HS256', kid: 'known' }, payload]
  const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}
