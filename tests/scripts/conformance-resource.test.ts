import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  calculateJwkThumbprint,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  SignJWT,
} from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveResource } from '../../scripts/conformance-resource.mjs'
import { sha256Base64Url } from '../../src/storage/digest.ts'
import { freePort } from '../kit/free-port.ts'

/** Tests the API that the FAPI plans without OpenID Connect call, against a stub of the introspection endpoint. */

const CLIENT = 'THIRD'
const TOKEN = 'a-token'
const [port, issuerPort] = [await freePort(), await freePort()]
const issuer = `http://127.0.0.1:${issuerPort}/oidc`
const url = `http://127.0.0.1:${port}/`
const [clientKey, proofKey, otherKey] = await Promise.all(
  [1, 2, 3].map(() => generateKeyPair('ES256', { extractable: true })),
)
const assertions: string[] = []

const provider = createServer(async (request, response) => {
  const form = new URLSearchParams(await text(request))
  const assertion = form.get('client_assertion') ?? ''
  assertions.push(assertion)
  const isActive = form.get('token') === TOKEN && decodeJwt(assertion).sub === CLIENT
  const jkt = proofKey && (await calculateJwkThumbprint(await exportJWK(proofKey.publicKey)))
  response.end(JSON.stringify(isActive ? { active: true, sub: 'ann', cnf: { jkt } } : { active: false }))
})
let served: { close(): void }

beforeAll(async () => {
  await new Promise<void>((resolve) => provider.listen(issuerPort, '127.0.0.1', resolve))
  const jwk = clientKey ? await exportJWK(clientKey.privateKey) : {}
  const client = { client_id: CLIENT, jwks: { keys: [{ ...jwk, kid: 'k1', alg: 'ES256' }] } }
  const fapi = { client: { ...client, client_id: 'FOURTH' }, client2: client }
  served = await serveResource({ issuer, alias: 'vestibule', fapi, resource: { url, port } })
})
afterAll(() => {
  served.close()
  provider.closeAllConnections()
  provider.close()
})

const now = () => Math.floor(Date.now() / 1000)

type Proof = { claims?: object; header?: object; key?: typeof proofKey; token?: string }

async function newProof({ claims, header, key = proofKey, token = TOKEN }: Proof = {}): Promise<string> {
  if (!key) throw new Error('no key')
  const ath = await sha256Base64Url(token)
  return new SignJWT({ htm: 'GET', htu: url, jti: crypto.randomUUID(), iat: now(), ath, ...claims })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(key.publicKey), ...header })
    .sign(key.privateKey)
}

const callWith = (dpop: string, authorization = `DPoP ${TOKEN}`) =>
  fetch(url, { headers: { dpop, authorization } })

it('the resource of the FAPI plans accepts an active token with a proof of its key', async () => {
  const answer = await callWith(await newProof())
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ sub: 'ann' })
  expect(answer.headers.get('date')).toBeTruthy()
  const assertion = assertions.at(-1) ?? ''
  expect(decodeJwt(assertion)).toMatchObject({ iss: CLIENT, sub: CLIENT, aud: issuer })
  expect(decodeProtectedHeader(assertion)).toEqual({ alg: 'ES256', kid: 'k1' })
})

// FAPI 2.0 Security Profile §5.3.2.1 (10): proofs up to 10 seconds in the future are accepted.
it('the resource of the FAPI plans accepts a proof of a clock that is 10 seconds fast', async () => {
  const proof = await newProof({ claims: { iat: now() + 10 } })
  expect((await callWith(proof)).status).toBe(200)
})

it.each<{ name: string; proof?: Proof; authorization?: string }>([
  { name: 'for another method', proof: { claims: { htm: 'POST' } } },
  { name: 'for another URL', proof: { claims: { htu: `${url}other` } } },
  { name: 'for another token', proof: { token: 'another' } },
  { name: 'of another type', proof: { header: { typ: 'jwt' } } },
  { name: 'that is too old', proof: { claims: { iat: now() - 600 } } },
  { name: 'with another key', proof: { key: otherKey } },
  { name: 'for a token that is not active', proof: { token: 'ended' }, authorization: 'DPoP ended' },
  { name: 'for a token that is sent as a bearer token', authorization: `Bearer ${TOKEN}` },
])('the resource of the FAPI plans refuses a proof $name', async ({ proof, authorization }) => {
  const answer = await callWith(await newProof(proof), authorization)
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toBe('DPoP error="invalid_token"')
})

it('the resource of the FAPI plans refuses a token without a proof, and a proof that was already used', async () => {
  expect((await fetch(url, { headers: { authorization: `DPoP ${TOKEN}` } })).status).toBe(401)
  const proof = await newProof()
  expect((await callWith(proof)).status).toBe(200)
  expect((await callWith(proof)).status).toBe(401)
})
