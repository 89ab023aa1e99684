import * as client from 'openid-client'

const config = await client.discovery(
  new URL('https://id.example.com/oidc'),
  'my-client-id',
  process.env.CLIENT_SECRET,
  undefined, // only: http
  { execute: [client.allowInsecureRequests] }, // only: http
)

/** The token of the last request. It is used until it expires: there are no refresh tokens for services. */
let token

async function getAccessToken() {
  if (token && Date.now() < token.expiresAt) return token.value
  // The token omits scopes that the service lacks: give it a role that contains them.
  const tokens = await client.clientCredentialsGrant(config, {
    resource: 'https://api.example.com',
    scope: 'orders:read',
  })
  token = { value: tokens.access_token, expiresAt: Date.now() + (tokens.expires_in - 30) * 1000 }
  return token.value
}

const url = new URL('https://api.example.com/orders')
const orders = await client.fetchProtectedResource(config, await getAccessToken(), url, 'GET')
console.log(orders.status, await orders.text())
