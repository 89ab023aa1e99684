/** Of a request that nobody has to be signed in for. */
export type Asked = { tenantId: string; request: Request; url: URL }

export const CALLBACK = '/account/callback'
/** Where administrators go on. */
export const CONSOLE = '/console'

/** `to` begins with a slash of ours, or is the checked way back to an application. */
export function redirectTo(to: string, status: 302 | 303, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location: to, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status, headers })
}
