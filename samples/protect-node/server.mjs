import { createServer } from 'node:http'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'

const issuer = 'https://id.example.com/oidc'
const audience = 'https://api.example.com'
const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`))

createServer(async (request, response) => {
  if (request.method !== 'GET' || request.url !== '/orders') return response.writeHead(404).end()
  const token = await authorize(request, response, 'orders:read')
  if (!token) return
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ userId: token.sub, orders: [] }))
}).listen(process.env.PORT ?? 4000)

/** Returns the claims of the access token if it has the scope. Otherwise, rejects the request. */
async function authorize(request, response, scope) {
  const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (!token) return reject(response, 401, { scope })
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      typ: 'at+jwt', // ID tokens have another type.
      algorithms: ['RS256'],
      requiredClaims: ['sub', 'exp', 'client_id'],
    })
    // This API accepts bearer tokens, but not tokens that are bound to the key of their client (DPoP).
    if (payload.cnf) return reject(response, 401, { error: 'invalid_token' })
    if (payload.scope?.split(' ').includes(scope)) return payload
    reject(response, 403, { error: 'insufficient_scope', scope })
  } catch (error) {
    if (isTokenError(error)) return reject(response, 401, { error: 'invalid_token' })
    // The keys could not be fetched, so a new token would not help.
    response.writeHead(503, { 'retry-after': '5' }).end()
  }
}

/** Responds as RFC 6750 §3 specifies. */
function reject(response, status, attributes) {
  const list = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`)
  response.writeHead(status, { 'www-authenticate': `Bearer ${list.join(', ')}` }).end()
}

/** Tells whether the error is about the token. `jose` also throws errors if it can't fetch the keys. */
const isTokenError = (error) =>
  error instanceof errors.JOSEError &&
  !['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'].includes(error.code)
