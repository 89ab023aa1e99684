import express from 'express'
import session from 'express-session'
import * as client from 'openid-client'

const redirectUri = 'http://localhost:3000/callback'
const config = await client.discovery(
  new URL('https://id.example.com/oidc'),
  'my-client-id',
  process.env.CLIENT_SECRET,
  undefined, // only: http
  { execute: [client.allowInsecureRequests] }, // only: http
)
const request = { redirect_uri: redirectUri, scope: 'openid profile email offline_access orders:read' }
const api = { resource: 'https://api.example.com' } // only: api
const withExpiry = (tokens) => ({ ...tokens, expiresAt: Date.now() + (tokens.expires_in - 30) * 1000 })
const app = express()
const cookie = { sameSite: 'lax', httpOnly: true, secure: redirectUri.startsWith('https:') }
// The proxy in front of this server speaks https. The default store is for development only. SESSION_SECRET signs
// the cookies: a long random text, such as the output of `openssl rand -base64 32`.
app.use(session({ secret: process.env.SESSION_SECRET, resave: false, saveUninitialized: false, cookie, proxy: true }))

app.get('/', ({ session: { user } }, response) => {
  if (!user) return response.send('<a href="/sign-in">Sign in</a>')
  const name = (user.preferred_username ?? user.name ?? user.sub).replaceAll('<', '&lt;')
  response.type('html').write(`Signed in as ${name}. <a href="/sign-out">Sign out</a>`)
  response.write(' <a href="/orders">Orders</a>') // only: api
  response.end()
})
app.get('/sign-in', async ({ session }, response) => {
  const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()]
  const challenge = await client.calculatePKCECodeChallenge(verifier)
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
  session.checks = { pkceCodeVerifier: verifier, expectedState: state }
  response.redirect(client.buildAuthorizationUrl(config, { ...request, ...api, ...pkce, state }).href)
})
app.get('/callback', async (request, response) => {
  const { session, originalUrl } = request
  if (!session.checks) return response.redirect('/sign-in')
  const tokens = await client.authorizationCodeGrant(config, new URL(originalUrl, redirectUri), session.checks, api)
  session.regenerate(() => {
    Object.assign(request.session, { user: tokens.claims(), ...withExpiry(tokens) })
    response.redirect('/')
  })
})
// only: api
app.get('/orders', async ({ session }, response) => {
  if (!session.user) return response.redirect('/sign-in')
  if (session.expiresAt < Date.now())
    Object.assign(session, withExpiry(await client.refreshTokenGrant(config, session.refresh_token, api)))
  const orders = new URL('https://api.example.com/orders')
  const answer = await client.fetchProtectedResource(config, session.access_token, orders, 'GET')
  response.json(await answer.json())
})

app.get('/sign-out', ({ session }, response) => {
  const parameters = { id_token_hint: session.id_token ?? '' }
  parameters.post_logout_redirect_uri = 'http://localhost:3000/' // only: signout
  session.destroy(() => response.redirect(client.buildEndSessionUrl(config, parameters).href))
})
app.listen(3000)
