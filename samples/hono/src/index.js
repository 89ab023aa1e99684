import { env } from 'cloudflare:workers'
import { Hono } from 'hono'
import { deleteCookie, getSignedCookie, setSignedCookie } from 'hono/cookie'
import { html, raw } from 'hono/html'
import * as client from 'openid-client'

const redirectUri = 'http://localhost:3000/callback'
const request = { redirect_uri: redirectUri, scope: 'openid profile email offline_access orders:read' }
const api = { resource: 'https://api.example.com' } // only: api
const options = { path: '/', httpOnly: true, sameSite: 'Lax', secure: redirectUri.startsWith('https:') }
const read = async (c) => JSON.parse((await getSignedCookie(c, env.SESSION_SECRET, 'session')) || '{}')
const save = (c, session) => setSignedCookie(c, 'session', JSON.stringify(session), env.SESSION_SECRET, options)
const withExpiry = (tokens) => ({ ...tokens, expiresAt: Date.now() + (tokens.expires_in - 30) * 1000 })
let config
// Sessions are in signed cookies, which contain the tokens and need no store. SESSION_SECRET signs them: a long random
// text, such as the output of `openssl rand -base64 32`.
const app = new Hono()
app.use(async (_, next) => {
  config ??= await client.discovery(
    new URL('https://id.example.com/oidc'),
    'my-client-id',
    env.CLIENT_SECRET,
    undefined, // only: http
    { execute: [client.allowInsecureRequests] }, // only: http
  )
  await next()
})
app.get('/', async (c) => {
  const { user } = await read(c)
  if (!user) return c.html('<a href="/sign-in">Sign in</a>')
  let links = ' <a href="/sign-out">Sign out</a>'
  links += ' <a href="/orders">Orders</a>' // only: api
  return c.html(html`Signed in as ${user.preferred_username ?? user.name ?? user.sub}. ${raw(links)}`)
})
app.get('/sign-in', async (c) => {
  const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()]
  const pkce = { code_challenge: await client.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }
  await save(c, { pkceCodeVerifier: verifier, expectedState: state })
  return c.redirect(client.buildAuthorizationUrl(config, { ...request, ...api, ...pkce, state }).href)
})
app.get('/callback', async (c) => {
  const [checks, url] = [await read(c), new URL(new URL(c.req.url).search, redirectUri)]
  const tokens = await client.authorizationCodeGrant(config, url, checks, api)
  await save(c, { user: tokens.claims(), ...withExpiry(tokens) })
  return c.redirect('/')
})
// only: api
app.get('/orders', async (c) => {
  const session = await read(c)
  const refresh = async () => withExpiry(await client.refreshTokenGrant(config, session.refresh_token, api))
  if (session.expiresAt < Date.now()) await save(c, Object.assign(session, await refresh()))
  return fetch('https://api.example.com/orders', { headers: { authorization: `Bearer ${session.access_token}` } })
})

app.get('/sign-out', async (c) => {
  const parameters = { id_token_hint: (await read(c)).id_token ?? '' }
  parameters.post_logout_redirect_uri = 'http://localhost:3000/' // only: signout
  deleteCookie(c, 'session', options)
  return c.redirect(client.buildEndSessionUrl(config, parameters).href)
})
export default app
