import { createRemoteJWKSet, errors, jwtVerify } from 'jose'

/**
 * An API that Vestibule protects (docs/guides/agents.md#protecting-a-server). To copy: it needs `jose` and web standards alone, and
 * runs in Node, Workers, Deno and Bun.
 *
 * @param {object} api
 * @param {string} api.issuer of the tokens: `https://id.example.com/oidc`
 * @param {string} api.resource its address, which is also the indicator of its resource at Vestibule
 * @param {string} api.name for people
 * @param {readonly string[]} api.scopes that it knows
 */
export function protectedResource({ issuer, resource, name, scopes }) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`))
  const metadataUrl = metadataUrlOf(resource)
  const metadata = {
    resource,
    authorization_servers: [issuer],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: name,
  }

  return {
    /**
     * The answer to a request for the metadata of the API (RFC 9728 §3); nothing for another request.
     * @param {Request} request
     */
    metadata(request) {
      if (new URL(request.url).pathname !== metadataUrl.pathname) return undefined
      return Response.json(metadata, { headers: { 'access-control-allow-origin': '*' } })
    },

    /**
     * The claims of the access token of a request, or the answer that refuses it.
     *
     * @param {Request} request
     * @param {readonly string[]} needed scopes of this call
     * @returns {Promise<AccessToken | Response>}
     */
    async check(request, needed) {
      const token = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
      // Without an error code: the client did not know that a token is needed (RFC 6750 §3.1).
      if (!token) return refuse(401, {}, needed)
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer,
          // A token for another API must open nothing here (RFC 8707 §2).
          audience: resource,
          typ: 'at+jwt',
          algorithms: ['RS256'],
          requiredClaims: ['sub', 'exp', 'client_id'],
        })
        // Bound to a key: whoever stole it could present it as a bearer token (RFC 9449 §7.1).
        if (payload.cnf) return refuse(401, { error: 'invalid_token' }, needed)
        const access = accessOf(token, payload)
        if (needed.every((scope) => access.scopes.includes(scope))) return access
        return refuse(403, { error: 'insufficient_scope' }, needed)
      } catch (error) {
        if (isOfToken(error)) return refuse(401, { error: 'invalid_token' }, needed)
        // The keys cannot be read: a new sign-in would not help.
        return new Response(null, { status: 503, headers: { 'retry-after': '5' } })
      }
    },
  }

  /** @param {number} status @param {{ error?: string }} problem @param {readonly string[]} needed */
  function refuse(status, problem, needed) {
    const parameters = { ...problem, scope: needed.join(' '), resource_metadata: metadataUrl.href }
    const listed = Object.entries(parameters).map(([key, value]) => `${key}="${value}"`)
    return new Response(null, { status, headers: { 'www-authenticate': `Bearer ${listed.join(', ')}` } })
  }
}

/** @typedef {{ token: string, userId: string, clientId: string, scopes: string[], expiresAt: number }} AccessToken */

/**
 * @param {string} token
 * @param {import('jose').JWTPayload} payload
 * @returns {AccessToken}
 */
const accessOf = (token, { sub = '', client_id: clientId, scope = '', exp = 0 }) => ({
  token,
  userId: sub,
  clientId: String(clientId),
  scopes: String(scope).split(' ').filter(Boolean),
  expiresAt: exp,
})

/** RFC 9728 §3.1: between the host and the path of the resource. @param {string} resource */
function metadataUrlOf(resource) {
  const url = new URL(resource)
  url.pathname = `/.well-known/oauth-protected-resource${url.pathname === '/' ? '' : url.pathname}`
  return url
}

/** What `jose` throws when it cannot read the keys is not about the token. @param {unknown} error */
const isOfToken = (error) =>
  error instanceof errors.JOSEError &&
  !['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(error.code)
