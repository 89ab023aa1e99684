import NextAuth, { type NextAuthOptions } from 'next-auth'
import type { JWT } from 'next-auth/jwt'

const [issuer, clientId, clientSecret] = ['https://id.example.com/oidc', 'my-client-id', process.env.CLIENT_SECRET]
const api = { resource: 'https://api.example.com' } // only: api
/** Gets new tokens with the refresh token half a minute before the access token expires. */
async function refresh(token: JWT) {
  if (Number(token.expires_at) > Date.now() / 1000 + 30) return token
  const headers = { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` }
  const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: String(token.refresh_token), ...api })
  const { expires_in, ...tokens } = await (await fetch(`${issuer}/token`, { method: 'POST', headers, body })).json()
  return { ...token, ...tokens, expires_at: Date.now() / 1000 + expires_in }
}
const provider: NextAuthOptions['providers'][0] = {
  ...{ id: 'vestibule', name: 'Vestibule', type: 'oauth', idToken: true, clientId, clientSecret },
  wellKnown: `${issuer}/.well-known/openid-configuration`,
  checks: ['pkce', 'state', 'nonce'],
  authorization: { params: { scope: 'openid profile email offline_access orders:read', ...api } },
  profile: ({ sub, preferred_username, name }) => ({ id: sub, name: preferred_username ?? name ?? sub }),
}
// NEXTAUTH_SECRET encrypts the sessions: a long random text, such as the output of `openssl rand -base64 32`.
const handler = NextAuth({
  providers: [provider],
  // Auth.js redeems the code without naming the API, so the refresh token gets the first access token, too. // only: api
  callbacks: { jwt: ({ token, account }) => refresh(account ? { ...token, ...account, expires_at: 0 } : token) },
})

export { handler as GET, handler as POST }
