import type { NextRequest } from 'next/server'
import { getToken } from 'next-auth/jwt'
export async function GET(req: NextRequest) {
  const token = await getToken({ req })
  // only: api
  if (req.nextUrl.pathname === '/orders')
    return fetch('https://api.example.com/orders', { headers: { authorization: `Bearer ${token?.access_token}` } })

  const query = new URLSearchParams({ id_token_hint: String(token?.id_token) })
  query.set('post_logout_redirect_uri', 'http://localhost:3000/') // only: signout
  return new Response(`https://id.example.com/oidc/session/end?${query}`)
}
