import { on, once } from 'node:events'
import { createServer } from 'node:http'
import * as client from 'openid-client'

const config = await client.discovery(
  new URL('https://id.example.com/oidc'),
  'my-client-id',
  undefined,
  client.None(),
  { execute: [client.allowInsecureRequests] }, // only: http
)
const api = { resource: 'https://api.example.com' } // only: api

// The browser returns to this server, at any free port. The registered URIs contain no port.
const server = createServer().listen(0, '127.0.0.1')
await once(server, 'listening')
const redirectUri = new URL('http://127.0.0.1/callback')
redirectUri.port = server.address().port

const verifier = client.randomPKCECodeVerifier()
const state = client.randomState()
const signIn = client.buildAuthorizationUrl(config, {
  redirect_uri: redirectUri.href,
  scope: 'openid profile offline_access orders:read',
  prompt: 'consent', // Third parties get a refresh token only with the user's consent.
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
  ...api, // only: api
})
const checks = { pkceCodeVerifier: verifier, expectedState: state }
let tokens = await client.authorizationCodeGrant(config, await visit(signIn, redirectUri), checks, api)
console.log('Signed in as', tokens.claims().preferred_username ?? tokens.claims().sub)

// Once the access token has expired, get a new one without the user.
tokens = await client.refreshTokenGrant(config, tokens.refresh_token, api)
const url = new URL('https://api.example.com/orders') // only: api
const orders = await client.fetchProtectedResource(config, tokens.access_token, url, 'GET') // only: api
console.log(await orders.text()) // only: api

const afterSignOut = new URL('http://127.0.0.1/signed-out') // only: signout
afterSignOut.port = redirectUri.port // only: signout
const query = { id_token_hint: tokens.id_token, post_logout_redirect_uri: afterSignOut.href } // only: signout
await visit(client.buildEndSessionUrl(config, query), afterSignOut) // only: signout
console.log('Signed out') // only: signout
server.close()

async function visit(url, returnUri) {
  console.log('Open', url.href)
  for await (const [request, response] of on(server, 'request')) {
    response.setHeader('connection', 'close').end('You can close this window.')
    if (request.url.split('?')[0] === returnUri.pathname) return new URL(request.url, returnUri)
  }
}
