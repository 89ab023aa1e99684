/**
 * Redirects the browser. With 303, the browser sends a GET request, whatever the original method was. `cookies` are
 * `Set-Cookie` headers.
 */
export function redirectTo(location: string, status: 302 | 303, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status, headers })
}
