import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect } from 'vitest'
import { freshName } from './cookie-client.ts'
import type { Operator } from './management-client.ts'

/** A client that authenticates with its keys (RFC 7523). */

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

export type SigningKey = Awaited<ReturnType<typeof newSigningKey>>

export async function newSigningKey(alg = 'ES256', kid = freshName()) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const { key_ops: _operations, ext: _ext, ...jwk } = await exportJWK(publicKey)
  return { alg, kid, privateKey, jwk: { ...jwk, kid } }
}

type Claims = Partial<Record<'iss' | 'sub' | 'jti', string>> & { aud?: string | string[]; exp?: string }

/** Returns the two parameters of a client assertion. An assertion is valid for one request. */
export async function assertionOf(
  { privateKey, alg, kid }: Pick<SigningKey, 'privateKey' | 'alg' | 'kid'>,
  client: string,
  { exp = '1m', aud = '', ...claims }: Claims = {},
) {
  const assertion = await new SignJWT({ iss: client, sub: client, jti: freshName(), aud, ...claims })
    .setProtectedHeader({ alg, kid })
    .setIssuedAt()
    .setExpirationTime(exp)
    .sign(privateKey)
  return { client_assertion: assertion, client_assertion_type: ASSERTION_TYPE }
}

export async function newKeyApplication(
  operator: Operator,
  custom: object,
  { type = 'MachineToMachine', redirectUris = [] as string[] } = {},
): Promise<{ id: string; secret: string }> {
  const response = await operator.send('POST', '/applications', {
    name: 'Robot',
    type,
    oidcClientMetadata: { redirectUris, postLogoutRedirectUris: [] },
    customClientMetadata: custom,
  })
  expect([response.status, await response.clone().text()]).toEqual([200, expect.any(String)])
  return response.json()
}
