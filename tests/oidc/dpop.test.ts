import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { sha256Base64Url } from '../../src/storage/digest.ts'
import {
  authorization,
  begin,
  freshName,
  newCookieClient,
  ORIGIN,
  register,
  resume,
} from '../kit/cookie-client.ts'
import { openTestApp } from '../kit/test-app.ts'

it('accepts a DPoP proof for one request, also when two arrive at once (RFC 9449 §11.1)', async () => {
  const app = openTestApp()
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const proof = (method: string, path: string, more: Record<string, string> = {}) =>
    new SignJWT({ htm: method, htu: `${ORIGIN}${path}`, jti: crypto.randomUUID(), ...more })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .sign(privateKey)

  const client = newCookieClient(app)
  const request = await authorization()
  const back = await resume(client, await register(client, await begin(client, request), freshName()))
  const answer = await app.fetch('/oidc/token', {
    method: 'POST',
    headers: { DPoP: await proof('POST', '/oidc/token') },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'demo-app',
      code: back.searchParams.get('code') ?? '',
      code_verifier: request.verifier,
      redirect_uri: request.redirectUri,
    }),
  })
  const { access_token: token, token_type: type } = (await answer.json()) as Record<string, string>
  expect(type).toBe('DPoP')

  const once = await proof('GET', '/oidc/me', { ath: await sha256Base64Url(token ?? '') })
  const ask = () => app.fetch('/oidc/me', { headers: { authorization: `DPoP ${token}`, DPoP: once } })
  const statuses = (await Promise.all([ask(), ask(), ask()])).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200).length).toBe(1)
  expect(statuses.filter((status) => status >= 500)).toEqual([])
  expect((await ask()).status).toBe(401)
  const asBearer = await app.fetch('/oidc/me', { headers: { authorization: `Bearer ${token}` } })
  expect(asBearer.status).toBe(401)
})
