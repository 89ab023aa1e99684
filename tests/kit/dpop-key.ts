import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { sha256Base64Url } from '../../src/storage/digest.ts'
import {
  authorizationRequest,
  freshName,
  newCookieClient,
  ORIGIN,
  openSignInPage,
  registerAccount,
  resumeAuthorization,
} from './clients/cookie-client.ts'
import type { TestApp } from './test-app.ts'

/** A client's key, which signs DPoP proofs (RFC 9449 §4.2). */
export type DpopKey = { prove(method: string, path: string, token?: string): Promise<string> }

export async function newDpopKey(alg = 'ES256'): Promise<DpopKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  const jwk = await exportJWK(publicKey)
  return {
    prove: async (method, path, token) =>
      new SignJWT({
        htm: method,
        htu: `${ORIGIN}${path}`,
        jti: crypto.randomUUID(),
        ...(token === undefined ? {} : { ath: await sha256Base64Url(token) }),
      })
        .setProtectedHeader({ alg, typ: 'dpop+jwt', jwk })
        .setIssuedAt()
        .sign(privateKey),
  }
}

/** Registers a user, and returns a function that redeems the user's code for tokens with a DPoP proof. */
export async function codeRequestWith(app: TestApp, key: DpopKey): Promise<() => Promise<Response>> {
  const client = newCookieClient(app)
  const request = await authorizationRequest()
  const back = await resumeAuthorization(
    client,
    await registerAccount(client, await openSignInPage(client, request), freshName()),
  )
  const proof = await key.prove('POST', '/oidc/token')
  return () =>
    app.fetch('/oidc/token', {
      method: 'POST',
      headers: { DPoP: proof },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: 'demo-app',
        code: back.searchParams.get('code') ?? '',
        code_verifier: request.verifier,
        redirect_uri: request.redirectUri,
      }),
    })
}
