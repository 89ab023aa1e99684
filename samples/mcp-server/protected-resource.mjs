import { createRemoteJWKSet, errors, jwtVerify } from 'jose'

/**
 * Protects an API with Vestibule (docs/agents.md#protecting-a-server). Copy this file: it needs only `jose` and web
 * standards, and runs in Node, Workers, Deno and Bun.
 *
 * @param {object} api
 * @param {string} api.issuer the issuer of the tokens: `https://id.example.com/oidc`
 * @param {string} api.resource the URL of the API, which is also its resource indicator in Vestibule
 * @param {string} api.name a name for people to read
 * @param {readonly string[]} api.scopes the scopes that the API knows
 */
export function protectedResource({ issuer, resource, name, scopes }) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`))
  const metadataUrl = metadataUrlFor(resource)
  const metadata = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: name,
  }

  return {
    /**
     * Returns the response to a request for the API's metadata (RFC 9728 §3), or nothing for other requests.
     *
     * @param {Request} request
     */
    metadata(request) {
      if (new URL(request.url).pathname !== metadataUrl.pathname) return undefined
      return Response.json(metadata, { headers: { 'access-control-allow-origin': '*' } })
    },

    /**
     * Returns the claims of the request's access token, or the error response.
     *
     * @param {Request} request
     * @param {readonly string[]} neededScopes the scopes that this call needs
     * @returns {Promise<AccessToken | Response>}
     */
    async check(request, neededScopes) {
      const token = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
      // Without an error code: the client did not know that a token is needed (RFC 6750 §3.1).
      if (!token) return refuse(401, {}, neededScopes)
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          // A token for another API must not grant access here (RFC 8707 §2).
          audience: resource,
          typ: 'at+jwt',
          algorithms: ['RS256'],
          requiredClaims: ['sub', 'exp', 'client_id'],
        })
        // A thief could present a token that is bound to a key as a bearer token (RFC 9449 §7.1).
        if (payload.cnf) return refuse(401, { error: 'invalid_token' }, neededScopes)
        const access = readAccess(token, payload)
        if (neededScopes.every((scope) => access.scopes.includes(scope))) return access
        return refuse(403, { error: 'insufficient_scope' }, neededScopes)
      } catch (error) {
        if (isTokenError(error)) return refuse(401, { error: 'invalid_token' }, neededScopes)
        // We can't read the keys, so a new sign-in wouldn't help.
        return new Response(null, { status: 503, headers: { 'retry-after': '5' } })
      }
    },
  }

  /** @param {number} status @param {{ error?: string }} problem @param {readonly string[]} neededScopes */
  function refuse(status, problem, neededScopes) {
    const parameters = { ...problem, scope: neededScopes.join(' '), resource_metadata: metadataUrl.href }
    const pairs = Object.entries(parameters).map(([key, value]) => `${key}="${value}"`)
    return new Response(null, { status, headers: { 'www-authenticate': `Bearer ${pairs.join(', ')}` } })
  }
}

/** @typedef {{ token: string, userId: string, clientId: string, scopes: string[], expiresAt: number }} AccessToken */

/**
 * @param {string} token
 * @param {import('jose').JWTPayload} payload
 * @returns {AccessToken}
 */
const readAccess = (token, { sub = '', client_id: clientId, scope = '', exp = 0 }) => ({
  token,
  userId: sub,
  clientId: String(clientId),
  scopes: String(scope).split(' ').filter(Boolean),
  expiresAt: exp,
})

/**
 * Returns the URL of the metadata: its path goes between the host and the path of the resource (RFC 9728 §3.1).
 *
 * @param {string} resource
 */
function metadataUrlFor(resource) {
  const url = new URL(resource)
  url.pathname = `/.well-known/oauth-protected-resource${url.pathname === '/' ? '' : url.pathname}`
  return url
}

/**
 * Checks whether an error is about the token, and not one that `jose` throws if it cannot read the keys.
 *
 * @param {unknown} error
 */
const isTokenError = (error) =>
  error instanceof errors.JOSEError &&
  !['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(error.code)
