import { serve } from '@hono/node-server'
import * as mcp from '@modelcontextprotocol/server'
import { createRemoteJWKSet, errors, jwtVerify } from 'jose'
import { z } from 'zod'

const issuer = 'https://id.example.com/oidc'
const resource = 'https://api.example.com'
const [READ, WRITE] = ['orders:read', 'orders:write']

const url = new URL(resource)
const oauthMetadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json()
const keys = createRemoteJWKSet(new URL(oauthMetadata.jwks_uri))
const authenticate = mcp.requireBearerAuth({
  verifier: { verifyAccessToken },
  requiredScopes: [READ],
  resourceMetadataUrl: mcp.getOAuthProtectedResourceMetadataUrl(url),
})

async function verifyAccessToken(token) {
  const expected = { issuer, audience: resource, typ: 'at+jwt', algorithms: ['RS256'], requiredClaims: ['client_id'] }
  const { payload } = await jwtVerify(token, keys, expected).catch((error) => {
    // With other errors, the keys could not be fetched, so a new token would not help.
    const isInvalid = error instanceof errors.JOSEError && !/GENERIC|JWKS_(TIMEOUT|INVALID)/.test(error.code)
    throw isInvalid ? new mcp.OAuthError('invalid_token', error.code) : error
  })
  // Tokens with `cnf` are bound to the key of their client (DPoP), so they are no bearer tokens.
  if (payload.cnf) throw new mcp.OAuthError('invalid_token', 'The token is bound to a key')
  const { sub: userId, client_id: clientId, exp: expiresAt, scope = '' } = payload
  return { token, clientId, expiresAt, scopes: scope.split(' '), extra: { userId } }
}

const ordersOfUsers = new Map()
const tools = mcp.createMcpHandler(({ authInfo: { extra } }) => {
  const server = new mcp.McpServer({ name: 'orders', version: '1.0.0' })
  const orders = ordersOfUsers.get(extra.userId) ?? []
  const answer = (texts) => ({ content: texts.map((text) => ({ type: 'text', text })) })
  server.registerTool('list_orders', { inputSchema: z.object({}) }, () => answer(orders))
  const inputSchema = z.object({ item: z.string() })
  // A token without this scope gets 403, and the agent asks its user for more.
  const scopeChallenge = mcp.requireScopes(WRITE)
  server.registerTool('add_order', { inputSchema, scopeChallenge }, ({ item }) => {
    ordersOfUsers.set(extra.userId, [...orders, item])
    return answer(['Ordered'])
  })
  return server
})

const options = { oauthMetadata, resourceServerUrl: url, scopesSupported: [READ, WRITE] }
async function respond(request) {
  const metadata = mcp.oauthMetadataResponse(request, options)
  if (metadata) return metadata
  if (new URL(request.url).pathname !== url.pathname) return new Response(null, { status: 404 })
  const authInfo = await authenticate(request)
  return authInfo instanceof Response ? authInfo : tools.fetch(request, { authInfo })
}

const port = Number(process.env.PORT ?? 4000)
serve({ fetch: respond, port }, () => console.log(`Listening on port ${port}`))
