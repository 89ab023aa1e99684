import { createRemoteJWKSet, errors, jwtVerify } from 'jose'

/**
 * Protects an API with Vestibule (docs/guides/agents.md#protecting-a-server). It is meant to be copied: it needs only
 * `jose` and web standards, and runs in Node, Workers, Deno and Bun.
 *
 * @param {object} api
 * @param {string} api.issuer the issuer of the tokens: `https://id.example.com/oidc`
 * @param {string} api.resource the URL of the API, which is also the indicator of its resource at Vestibule
 * @param {string} api.name the name that users see
 * @param {readonly string[]} api.scopes the scopes that the API knows
 */
export function protectedResource({ issuer, resource, name, scopes }) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`))
  const metadataUrl = buildMetadataUrl(resource)
  const metadata = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: name,
  }

  return {
    /**
     * Responds to a request for the metadata of the API (RFC 9728 §3). Returns undefined for any other request.
     * @param {Request} request
     */
    metadata(request) {
      if (new URL(request.url).pathname !== metadataUrl.pathname) return undefined
      return Response.json(metadata, { headers: { 'access-control-allow-origin': '*' } })
    },

    /**
     * Returns the claims of a request's access token, or the response that rejects the request.
     *
     * @param {Request} request
     * @param {readonly string[]} requiredScopes the scopes that this call needs
     * @returns {Promise<AccessToken | Response>}
     */
    async check(request, requiredScopes) {
      const token = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
      // Without an error code, because the client did not know that a token is needed (RFC 6750 §3.1).
      if (!token) return reject(401, {}, requiredScopes)
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          // A token for another API must not work here (RFC 8707 §2).
          audience: resource,
          typ: 'at+jwt',
          algorithms: ['RS256'],
          requiredClaims: ['sub', 'exp', 'client_id'],
        })
        // The token is bound to a key, so a thief could otherwise present it as a bearer token (RFC 9449 §7.1).
        if (payload.cnf) return reject(401, { error: 'invalid_token' }, requiredScopes)
        const access = readAccessToken(token, payload)
        if (requiredScopes.every((scope) => access.scopes.includes(scope))) return access
        return reject(403, { error: 'insufficient_scope' }, requiredScopes)
      } catch (error) {
        if (isTokenError(error)) return reject(401, { error: 'invalid_token' }, requiredScopes)
        // The keys cannot be read, and a new sign-in would not help.
        return new Response(null, { status: 503, headers: { 'retry-after': '5' } })
      }
    },
  }

  /** @param {number} status @param {{ error?: string }} problem @param {readonly string[]} requiredScopes */
  function reject(status, problem, requiredScopes) {
    const parameters = { ...problem, scope: requiredScopes.join(' '), resource_metadata: metadataUrl.href }
    const attributes = Object.entries(parameters).map(([key, value]) => `${key}="${value}"`)
    return new Response(null, { status, headers: { 'www-authenticate': `Bearer ${attributes.join(', ')}` } })
  }
}

/** @typedef {{ token: string, userId: string, clientId: string, scopes: string[], expiresAt: number }} AccessToken */

/**
 * @param {string} token
 * @param {import('jose').JWTPayload} payload
 * @returns {AccessToken}
 */
const readAccessToken = (token, { sub = '', client_id: clientId, scope = '', exp = 0 }) => ({
  token,
  userId: sub,
  clientId: String(clientId),
  scopes: String(scope).split(' ').filter(Boolean),
  expiresAt: exp,
})

/** Inserts the well-known path between host and path (RFC 9728 §3.1). @param {string} resource */
function buildMetadataUrl(resource) {
  const url = new URL(resource)
  url.pathname = `/.well-known/oauth-protected-resource${url.pathname === '/' ? '' : url.pathname}`
  return url
}

/** Checks whether an error is about the token. `jose` also throws if it cannot read the keys. @param {unknown} error */
const isTokenError = (error) =>
  error instanceof errors.JOSEError &&
  !['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(error.code)
