import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { cose, decodeAttestationObject, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'
import {
  CREDENTIAL_ID_MAX_LENGTH,
  PASSKEY_ALGORITHMS,
  type PasskeyAssertion,
  type PasskeyAttestation,
  PUBLIC_KEY_MAX_LENGTH,
} from '../../contract/passkeys/passkeys.ts'
import { toBase64Url } from '../../domain/base64.ts'
import { authenticatorName } from './authenticator-names.ts'

/**
 * Web Authentication Level 3 §7, by a library: a module of its own, because it is large and most requests need none of it. A
 * challenge is checked by the caller, which made it.
 */

type Ceremony = { origin: string; rpId: string }

/** What a right signature says; null for a wrong one, of another page or another domain. */
export async function verifiedAssertion(
  assertion: PasskeyAssertion,
  { origin, rpId, publicKey }: Ceremony & { publicKey: string },
) {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      expectedChallenge: () => true,
      expectedOrigin: origin,
      expectedRPID: rpId,
      // Counter and user verification are rules of ours (src/domain/passkeys/passkeys.ts).
      credential: { id: assertion.id, publicKey: bytesOf(publicKey), counter: 0 },
      requireUserVerification: false,
    })
    if (!verified) return null
    const { newCounter, userVerified, credentialDeviceType, credentialBackedUp } = authenticationInfo
    return {
      counter: newCounter,
      isUserVerified: userVerified,
      isBackupEligible: credentialDeviceType === 'multiDevice',
      isBackedUp: credentialBackedUp,
    }
  } catch {
    return null
  }
}

/**
 * What browsers answer to a request without attestation (WebAuthn §5.1.3). For others the library looks up certificates, at
 * addresses which those name themselves.
 */
const FORMATS: readonly string[] = ['none', 'packed']

const formatOf = ({ response }: PasskeyAttestation): string =>
  decodeAttestationObject(bytesOf(response.attestationObject)).get('fmt')

/** A new credential, with user presence and verification where they are needed; null for anything else. */
export async function verifiedAttestation(
  attestation: PasskeyAttestation,
  { origin, rpId, needsPresence, needsUser }: Ceremony & { needsPresence: boolean; needsUser: boolean },
) {
  try {
    if (!FORMATS.includes(formatOf(attestation))) return null
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...attestation,
        response: { ...attestation.response, transports: undefined },
        clientExtensionResults: {},
      },
      expectedChallenge: () => true,
      expectedOrigin: origin,
      expectedRPID: rpId,
      supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
      requireUserPresence: needsPresence,
      requireUserVerification: needsUser,
    })
    if (!verified) return null
    const { credential, aaguid, credentialDeviceType, credentialBackedUp } = registrationInfo
    const publicKey = toBase64Url(credential.publicKey)
    if (credential.id.length > CREDENTIAL_ID_MAX_LENGTH || publicKey.length > PUBLIC_KEY_MAX_LENGTH)
      return null
    return {
      credentialId: credential.id,
      publicKey,
      counter: credential.counter,
      aaguid,
      name: await authenticatorName(aaguid),
      isBackupEligible: credentialDeviceType === 'multiDevice',
      isBackedUp: credentialBackedUp,
    }
  } catch {
    return null
  }
}

/** A public key in COSE of an algorithm that passkeys here have, and complete: one that signatures can be verified by. */
export async function isPublicKey(base64Url: string): Promise<boolean> {
  try {
    const key = decodeCredentialPublicKey(bytesOf(base64Url))
    const algorithm = key.get(cose.COSEKEYS.alg)
    if (algorithm === undefined || !PASSKEY_ALGORITHMS.includes(algorithm)) return false
    await importedKey(key)
    return true
  } catch {
    return false
  }
}

function importedKey(key: cose.COSEPublicKey): Promise<CryptoKey> {
  const load = (jwk: JsonWebKey, algorithm: Parameters<typeof crypto.subtle.importKey>[2]) =>
    crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  if (cose.isCOSEPublicKeyOKP(key))
    return load({ kty: 'OKP', crv: 'Ed25519', x: textOf(key.get(cose.COSEKEYS.x)) }, { name: 'Ed25519' })
  if (cose.isCOSEPublicKeyEC2(key)) {
    const point = { x: textOf(key.get(cose.COSEKEYS.x)), y: textOf(key.get(cose.COSEKEYS.y)) }
    return load({ kty: 'EC', crv: 'P-256', ...point }, { name: 'ECDSA', namedCurve: 'P-256' })
  }
  if (!cose.isCOSEPublicKeyRSA(key)) throw new TypeError('A key of no type that is known')
  const modulus = { n: textOf(key.get(cose.COSEKEYS.n)), e: textOf(key.get(cose.COSEKEYS.e)) }
  return load({ kty: 'RSA', ...modulus }, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' })
}

const textOf = (bytes: Uint8Array | undefined) => toBase64Url(bytes ?? '')

const bytesOf = (base64Url: string) => Uint8Array.fromBase64(base64Url, { alphabet: 'base64url' })
