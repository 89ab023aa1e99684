/**
 * A small API for the FAPI plans without OpenID Connect: userinfo accepts only tokens with the scope `openid`. It asks
 * the provider about each token (RFC 7662) and checks the DPoP proof of the call (RFC 9449 §4.3).
 */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { calculateJwkThumbprint, EmbeddedJWK, importJWK, jwtVerify, SignJWT } from 'jose'

/** @typedef {import('./conformance-plans.mjs').Client} Client */
/** @typedef {import('./conformance-plans.mjs').Deployment} Deployment */

/** The algorithms of FAPI 2.0 §5.4.1. */
const ALGORITHMS = ['ES256', 'PS256', 'Ed25519', 'EdDSA']
/** The maximum age of a proof, in seconds. */
const MAX_PROOF_AGE = 300
/** The number of seconds by which a proof may be in the future (FAPI 2.0 §5.3.2.1 requires at least 10). */
const TOLERANCE = 30
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/**
 * Serves the resource in the file. Does nothing if there is none.
 *
 * @param {Deployment} deployment
 * @returns {Promise<{ close(): void }>}
 */
export async function serveResource({ issuer, fapi, machines, resource }) {
  if (!resource) return { close() {} }
  const clients = [fapi, machines].flatMap((pair) => (pair ? [pair.client, pair.client2] : []))
  const usedProofs = new Set()

  /** @param {import('node:http').IncomingMessage} request */
  async function answer({ method = '', headersDistinct: headers }) {
    const [scheme, token = ''] = (headers.authorization?.[0] ?? '').split(' ')
    if (scheme?.toLowerCase() !== 'dpop' || headers.dpop?.length !== 1)
      throw new Error('a DPoP proof is missing')
    const { payload, protectedHeader } = await jwtVerify(headers.dpop[0] ?? '', EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: ALGORITHMS,
      maxTokenAge: MAX_PROOF_AGE,
      clockTolerance: TOLERANCE,
      requiredClaims: ['jti', 'htm', 'htu', 'ath'],
    })
    const { jti, htm, htu, ath } = payload
    if (htm !== method || URL.parse(String(htu))?.href !== new URL(resource?.url ?? '').href)
      throw new Error('the proof is for another request')
    if (ath !== createHash('sha256').update(token).digest('base64url')) throw new Error('another token')
    if (usedProofs.has(jti)) throw new Error('the proof was already used')
    usedProofs.add(jti)
    const key = await calculateJwkThumbprint(/** @type {import('jose').JWK} */ (protectedHeader.jwk))
    for (const client of clients) {
      const { active, cnf, sub, client_id } = await introspect(issuer, client, token)
      if (active && cnf?.jkt === key) return { sub, client_id }
    }
    throw new Error('the token is not active, or bound to another key')
  }

  const { certificate, key, port } = resource
  const tls = certificate && key ? { cert: readFileSync(certificate), key: readFileSync(key) } : undefined
  const server = (tls ? createSecureServer(tls) : createServer()).on('request', async (request, response) => {
    const { status, body } = await answer(request).then(
      (body) => ({ status: 200, body }),
      ({ message }) => ({ status: 401, body: { error: 'invalid_token', error_description: message } }),
    )
    response.setHeader('content-type', 'application/json')
    if (status === 401) response.setHeader('www-authenticate', 'DPoP error="invalid_token"')
    response.writeHead(status).end(JSON.stringify(body))
  })
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, () => resolve(undefined)))
  return {
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * Asks the provider about a token. It answers only the client to which the token was issued.
 *
 * @param {string} issuer
 * @param {Client} client
 * @param {string} token
 * @returns {Promise<{ active: boolean, sub?: string, client_id?: string, cnf?: { jkt?: string } }>}
 */
async function introspect(issuer, { client_id: id, jwks }, token) {
  const [jwk = {}] = /** @type {import('jose').JWK[]} */ (jwks?.keys ?? [])
  const alg = jwk.alg ?? 'ES256'
  const assertion = await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg, ...(jwk.kid && { kid: jwk.kid }) })
    .setIssuer(id)
    .setSubject(id)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(await importJWK(jwk, alg))
  const response = await fetch(`${issuer}/token/introspection`, {
    method: 'POST',
    body: new URLSearchParams({ token, client_assertion: assertion, client_assertion_type: ASSERTION_TYPE }),
  })
  return /** @type {any} */ (response.ok ? await response.json() : { active: false })
}
