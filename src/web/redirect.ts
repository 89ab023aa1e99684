/**
 * Redirects the browser. With 303, it follows the redirect with GET, whatever the method of its request. `cookies` are
 * `Set-Cookie` headers.
 */
export function redirectTo(location: string, status: 302 | 303, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status, headers })
}
