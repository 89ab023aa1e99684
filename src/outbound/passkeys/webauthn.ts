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
import { findAuthenticatorName } from './authenticator-names.ts'

/**
 * Verifies passkeys as described in Web Authentication Level 3 §7, using a library. The library is large and rarely
 * needed, so this is a separate module. The challenge is also checked by the caller, which created it.
 */

type Ceremony = { origin: string; rpId: string }

/**
 * Verifies an assertion and returns its data. Returns null if the signature is invalid or belongs to another
 * origin or domain.
 */
export async function verifyAssertion(
  assertion: PasskeyAssertion,
  { origin, rpId, publicKey }: Ceremony & { publicKey: string },
) {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      expectedChallenge: () => true,
      expectedOrigin: origin,
      expectedRPID: rpId,
      // Our own rules replace the library's checks of the signature counter and user verification
      // (src/domain/passkeys/passkeys.ts).
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
 * The attestation formats that browsers use if none is requested (WebAuthn §5.1.3). For other formats, the
 * library would fetch certificates from URLs in the attestation itself.
 */
const FORMATS: readonly string[] = ['none', 'packed']

const formatOf = ({ response }: PasskeyAttestation): string =>
  decodeAttestationObject(bytesOf(response.attestationObject)).get('fmt')

/**
 * Verifies an attestation and returns the new credential. Returns null if the attestation is invalid or lacks the
 * required user presence or verification.
 */
export async function verifyAttestation(
  attestation: PasskeyAttestation,
  {
    origin,
    rpId,
    needsUserPresence,
    needsUserVerification,
  }: Ceremony & { needsUserPresence: boolean; needsUserVerification: boolean },
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
      requireUserPresence: needsUserPresence,
      requireUserVerification: needsUserVerification,
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
      name: await findAuthenticatorName(aaguid),
      isBackupEligible: credentialDeviceType === 'multiDevice',
      isBackedUp: credentialBackedUp,
    }
  } catch {
    return null
  }
}

/** Checks whether a key is a complete COSE public key with a supported algorithm that can verify signatures. */
export async function isValidPublicKey(base64Url: string): Promise<boolean> {
  try {
    const key = decodeCredentialPublicKey(bytesOf(base64Url))
    const algorithm = key.get(cose.COSEKEYS.alg)
    if (algorithm === undefined || !PASSKEY_ALGORITHMS.includes(algorithm)) return false
    await importPublicKey(key)
    return true
  } catch {
    return false
  }
}

function importPublicKey(key: cose.COSEPublicKey): Promise<CryptoKey> {
  const load = (jwk: JsonWebKey, algorithm: Parameters<typeof crypto.subtle.importKey>[2]) =>
    crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  if (cose.isCOSEPublicKeyOKP(key))
    return load({ kty: 'OKP', crv: 'Ed25519', x: textOf(key.get(cose.COSEKEYS.x)) }, { name: 'Ed25519' })
  if (cose.isCOSEPublicKeyEC2(key)) {
    const point = { x: textOf(key.get(cose.COSEKEYS.x)), y: textOf(key.get(cose.COSEKEYS.y)) }
    return load({ kty: 'EC', crv: 'P-256', ...point }, { name: 'ECDSA', namedCurve: 'P-256' })
  }
  if (!cose.isCOSEPublicKeyRSA(key)) throw new TypeError('Unsupported key type')
  const modulus = { n: textOf(key.get(cose.COSEKEYS.n)), e: textOf(key.get(cose.COSEKEYS.e)) }
  return load({ kty: 'RSA', ...modulus }, { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' })
}

const textOf = (bytes: Uint8Array | undefined) => toBase64Url(bytes ?? '')

const bytesOf = (base64Url: string) => Uint8Array.fromBase64(base64Url, { alphabet: 'base64url' })
