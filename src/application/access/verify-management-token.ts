import { errors, type JWTPayload, jwtVerify } from 'jose'
import { isRecord } from '../../contract/is-record.ts'
import { refuseWith } from '../../contract/refused.ts'
import { keySetOf } from '../applications/key-set.ts'
import type { ShownProof } from '../sessions/dpop-proof.ts'

/** How a token that is bound to a key was presented (RFC 9449 §7.1). */
export type KeyProof =
  | { scheme: 'bearer' }
  | { scheme: 'dpop'; read: (jkt: string) => Promise<ShownProof | null> }

export type VerifiedToken = { claims: JWTPayload; proof: ShownProof | null }

type Expected = {
  issuer: string
  audience: string
  keys: Parameters<typeof keySetOf>[0]
  shown: KeyProof
}

/**
 * The claims of a token that this tenant has issued for the audience (RFC 9068 §4), presented as it must be, with the proof
 * of its key where it is bound to one; refuses any other. The proof is not claimed.
 */
export async function verifyManagementToken(
  token: string,
  { issuer, audience, keys, shown }: Expected,
): Promise<VerifiedToken> {
  const claims = await verifySignature(token, { issuer, audience }, keys)
  return { claims, proof: await readKeyProof(claims, shown) }
}

async function verifySignature(
  token: string,
  expected: { issuer: string; audience: string },
  keys: Expected['keys'],
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keySetOf(keys), {
      ...expected,
      typ: 'at+jwt',
      requiredClaims: ['exp', 'iat', 'client_id'],
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JOSEError) refuseWith('auth.unauthorized')
    throw error
  }
}

/** RFC 9449 §7.1: a stolen token that is bound to a key must not be accepted as a bearer token. */
async function readKeyProof({ cnf }: JWTPayload, shown: KeyProof): Promise<ShownProof | null> {
  const jkt = isRecord(cnf) && typeof cnf.jkt === 'string' ? cnf.jkt : undefined
  if (cnf !== undefined && jkt === undefined) refuseWith('auth.unauthorized')
  if ((shown.scheme === 'dpop') !== (jkt !== undefined)) refuseWith('auth.unauthorized')
  if (shown.scheme === 'bearer' || jkt === undefined) return null
  return (await shown.read(jkt)) ?? refuseWith('auth.unauthorized')
}
