import { redirect } from '@sveltejs/kit'
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
const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: redirectUri.startsWith('https:') }
const withExpiry = (tokens) => ({ ...tokens, expiresAt: Date.now() + (tokens.expires_in - 30) * 1000 })

export async function handle({ event, resolve }) {
  const { cookies, locals, url } = event
  const session = sessions.get(cookies.get('session')) ?? {}
  const leaveFor = (location, nextSession) => {
    const id = crypto.randomUUID()
    sessions.delete(cookies.get('session'))
    sessions.set(id, nextSession)
    cookies.set('session', id, options)
    redirect(302, location, { external: true })
  }
  if (url.pathname === '/sign-in') {
    const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()]
    const challenge = await client.calculatePKCECodeChallenge(verifier)
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const address = client.buildAuthorizationUrl(config, { ...request, ...api, ...pkce, state })
    leaveFor(address, { checks: { pkceCodeVerifier: verifier, expectedState: state } })
  }
  if (url.pathname === '/callback' && session.checks) {
    const tokens = await client.authorizationCodeGrant(config, new URL(url.search, redirectUri), session.checks, api)
    leaveFor('/', { user: tokens.claims(), ...withExpiry(tokens) })
  }
  if (url.pathname === '/sign-out') {
    const parameters = { id_token_hint: session.id_token ?? '' }
    parameters.post_logout_redirect_uri = 'http://localhost:3000/' // only: signout
    leaveFor(client.buildEndSessionUrl(config, parameters), {})
  }
  // only: api
  if (url.pathname === '/orders' && session.user) {
    if (session.expiresAt < Date.now())
      Object.assign(session, withExpiry(await client.refreshTokenGrant(config, session.refresh_token, api)))
    const orders = new URL('https://api.example.com/orders')
    const answer = await client.fetchProtectedResource(config, session.access_token, orders, 'GET')
    return Response.json(await answer.json())
  }

  locals.user = session.user
  return resolve(event)
}
