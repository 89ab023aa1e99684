import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
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
const sessions = new Map() // by cookie; they end with the process, so use a store of your own
const attributes = `; Path=/; HttpOnly; SameSite=Lax${redirectUri.startsWith('https:') ? '; Secure' : ''}`
const withExpiry = (tokens) => ({ ...tokens, expiresAt: Date.now() + (tokens.expires_in - 30) * 1000 })
async function respond({ url: path, headers: { cookie = '' } }, response) {
  const url = new URL(path, redirectUri)
  const id = /(?:^|; )session=([^;]+)/.exec(cookie)?.[1]
  const session = sessions.get(id) ?? {}
  const redirect = (location, nextSession, nextId = randomUUID()) => {
    sessions.delete(id)
    sessions.set(nextId, nextSession)
    response.writeHead(302, { location, 'set-cookie': `session=${nextId}${attributes}` }).end()
  }
  if (url.pathname === '/sign-in') {
    const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()]
    const challenge = await client.calculatePKCECodeChallenge(verifier)
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const address = client.buildAuthorizationUrl(config, { ...request, ...api, ...pkce, state })
    return redirect(address.href, { checks: { pkceCodeVerifier: verifier, expectedState: state } })
  }
  if (url.pathname === '/callback' && session.checks) {
    const tokens = await client.authorizationCodeGrant(config, url, session.checks, api)
    return redirect('/', { user: tokens.claims(), ...withExpiry(tokens) })
  }
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (!session.user) return response.end('<a href="/sign-in">Sign in</a>')
  if (url.pathname === '/sign-out') {
    const parameters = { id_token_hint: session.id_token }
    parameters.post_logout_redirect_uri = 'http://localhost:3000/' // only: signout
    return redirect(client.buildEndSessionUrl(config, parameters).href, {})
  }
  // only: api
  if (url.pathname === '/orders') {
    if (session.expiresAt < Date.now())
      Object.assign(session, withExpiry(await client.refreshTokenGrant(config, session.refresh_token, api)))
    const orders = new URL('https://api.example.com/orders')
    const answer = await client.fetchProtectedResource(config, session.access_token, orders, 'GET')
    return response.end((await answer.text()).replaceAll('<', '&lt;'))
  }

  const name = session.user.preferred_username ?? session.user.name ?? session.user.sub
  response.write('<a href="/orders">Orders</a> ') // only: api
  response.end(`Signed in as ${name.replaceAll('<', '&lt;')}. <a href="/sign-out">Sign out</a>`)
}
const fail = (response) => (error) => response.writeHead(400).end(error.message)
createServer((request, response) => respond(request, response).catch(fail(response))).listen(3000)
