import * as client from 'openid-client'

const config = await client.discovery(
  new URL('https://id.example.com/oidc'),
  'my-client-id',
  undefined,
  client.None(),
  { execute: [client.allowInsecureRequests] }, // only: http
)
const api = { resource: 'https://api.example.com' } // only: api

const codes = await client.initiateDeviceAuthorization(config, {
  scope: 'openid profile offline_access orders:read',
  ...api, // only: api
})
console.log(`Open ${codes.verification_uri} and enter ${codes.user_code}`)
console.log(`Draw this as a QR code, if the screen allows: ${codes.verification_uri_complete}`)
let tokens = await client.pollDeviceAuthorizationGrant(config, codes, api)
console.log('Signed in as', tokens.claims().preferred_username ?? tokens.claims().sub)

// Store the refresh token. Once the access token has expired, get a new one without the user.
tokens = await client.refreshTokenGrant(config, tokens.refresh_token, api)
const url = new URL('https://api.example.com/orders') // only: api
const orders = await client.fetchProtectedResource(config, tokens.access_token, url, 'GET') // only: api
console.log(await orders.text()) // only: api

// To sign out, revoke the refresh token and forget all tokens.
await client.tokenRevocation(config, tokens.refresh_token)
console.log('Signed out')
